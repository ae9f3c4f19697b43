"""``torch.set_default_dtype(torch.float64)``: the dtype is written out where the project's tensors and layers are made, since MindSpore has no default to set.

What comes out is PyTorch's program with the same meaning, which is then converted like any other. The project keeps its text, and with it the
refusal of the call, where one statement does not settle the dtype of everything: it stands under a condition, something is made before it, a program of the
project goes without it, or a layer is handed on as a class. What nobody can tell from the text (numbers in a list of unknown contents) is told.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from mindport import catalog as knowledge
from mindport.catalog import Catalog, Entry, literal
from mindport.convert.bind import Binding
from mindport.convert.dtypes import WHOLE
from mindport.convert.site import bind_site, site
from mindport.findings import Finding
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use
from mindport.source import edits
from mindport.source.called import last_name
from mindport.source.edits import Edit
from mindport.source.file import SourceFile, parse
from mindport.source.main_block import is_main_block
from mindport.source.programs import begins_itself, import_graph

#: The file of knowledge that says what has the default dtype.
_KNOWN = "mindport.equivalents.default_dtypes"
_SAID = "float64 throughout: dtypes are written where tensors and layers are made"

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Files = Sequence[tuple[SourceFile, Facts]]


@cache
def _known(name: str) -> Any:
    module = knowledge.load().modules[_KNOWN]
    return literal(module, ast.Name(name, ast.Load()))


@dataclass(frozen=True)
class WrittenDtypes:
    """`setting`: the calls that go, with their files; `told`: findings about what stays untold; `double`: the files whose programs compute in float64."""

    setting: list[tuple[SourceFile, Use]]
    told: list[Finding]
    double: frozenset[PurePosixPath]
    _plans: list[_Plan]

    def files(self) -> list[SourceFile]:
        """All files, with float64 written out."""
        return [plan.changed([use for file, use in self.setting if file is plan.file]) if plan.file.relative in self.double else plan.file for plan in self._plans]


def written_dtypes(files: Files) -> WrittenDtypes | None:
    """What writes a project's default dtype of float64 out; None where nothing sets one, or the text keeps it."""
    setters = _known("SETTERS")
    setting = [(file, use) for file, facts in files for use in facts.uses if use.name in setters]
    facts_of = dict(files)
    if not setting or not all(_sets_double(file, facts_of[file], use) for file, use in setting):
        return None
    plans = [_Plan(file, facts, knowledge.load()) for file, facts in files]
    reached = _reached(plans, {file for file, _ in setting})
    wide = [plan for plan in plans if plan.file in reached]
    making = _making(wide)
    if not wide or not all(plan.is_whole and _begins_later(plan, setting, making) for plan in wide):
        return None
    return WrittenDtypes(setting, [told for plan in wide for told in plan.told], frozenset(plan.file.relative for plan in wide), plans)


def _reached(plans: list[_Plan], setting: set[SourceFile]) -> set[SourceFile]:
    """The files of the programs that set the dtype; none where a program goes without it and makes something in one of them."""
    files = [plan.file for plan in plans]
    making = {plan.file for plan in plans if plan.places}
    graph = import_graph(files)
    programs = {program: graph(program) for program in files if begins_itself(program, files)}
    reached = {file for found in programs.values() if found & setting for file in found}
    mixed = any(found & making & reached for found in programs.values() if not found & setting)
    return set() if mixed else reached


def _sets_double(file: SourceFile, facts: Facts, use: Use) -> bool:
    if not isinstance(use.node, ast.Call) or len(use.node.args) != 1 or use.node.keywords:
        return False
    value = facts.value(use.node.args[0])
    named = value.name if isinstance(value, v.Api) else value.value if isinstance(value, v.Const) else None
    return named in _known("DOUBLE") and _statement(file, use.node) is not None


def _statement(file: SourceFile, call: ast.AST) -> tuple[list[ast.stmt], ast.Expr] | None:
    """The list of statements, and the statement that is the call: of the module, of what only runs as a program, or of its ``main``."""
    bodies = [file.tree.body]
    bodies += [s.body for s in file.tree.body if isinstance(s, ast.If) and is_main_block(s)]
    bodies += [s.body for s in file.tree.body if isinstance(s, ast.FunctionDef) and s.name == "main"]
    return next(((body, s) for body in bodies for s in body if isinstance(s, ast.Expr) and s.value is call), None)


def _making(plans: list[_Plan]) -> set[str]:
    """The names of functions, methods and classes that make something, by themselves or by calling one of that name."""
    definitions = [d for plan in plans for d in plan.file.nodes if isinstance(d, (*_FUNCTIONS, ast.ClassDef))]
    calls = {id(d): {last_name(n.func) for n in ast.walk(d) if isinstance(n, ast.Call)} for d in definitions}
    places = {id(node) for plan in plans for node in plan.places}
    found, size = {d.name for d in definitions if any(id(n) in places for n in ast.walk(d))}, -1
    while size != (size := len(found)):
        found |= {d.name for d in definitions if calls[id(d)] & found}
    return found


def _begins_later(plan: _Plan, setting: list[tuple[SourceFile, Use]], making: set[str]) -> bool:
    """Whether a file makes nothing before its dtype is set: at import, above the call, or in a function that is called above it."""
    call = next((use.node for file, use in setting if file is plan.file), None)
    found = _statement(plan.file, call) if call is not None else None
    body, setter = found if found is not None else ([], None)
    mains = [s for s in plan.file.tree.body if is_main_block(s)]
    functions = [s for s in plan.file.nodes if isinstance(s, _FUNCTIONS)]
    if setter is not None and any(isinstance(n, ast.Call) and last_name(n.func) in making for s in body[: body.index(setter)] if not isinstance(s, (*_FUNCTIONS, ast.ClassDef)) for n in ast.walk(s)):
        return False
    in_main = setter is not None and not any(body is s.body for s in [plan.file.tree, *mains])  # type: ignore[attr-defined]
    for node in plan.places:
        beside = _around(body, node)
        if in_main and _around(mains, node) is not None:
            return False
        if setter is not None and beside is not None and node.lineno < setter.lineno and not isinstance(beside, (*_FUNCTIONS, ast.ClassDef)):
            return False
        if body is not plan.file.tree.body and _around(functions, node) is None and _around(mains, node) is None:
            return False
    return True


def _around(statements: Sequence[ast.stmt], node: ast.expr) -> ast.stmt | None:
    return next((s for s in statements if s.lineno <= node.lineno <= (s.end_lineno or s.lineno)), None)


@dataclass
class _Plan:
    """What is written into one file. `is_whole`: everything that has the default dtype can be given one; `places`: what has it."""

    file: SourceFile
    facts: Facts
    catalog: Catalog
    is_whole: bool = True
    places: list[ast.expr] = field(default_factory=list)
    told: list[Finding] = field(default_factory=list)
    _edits: list[Edit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._torch = next((alias.asname or alias.name for node in self.file.tree.body if isinstance(node, ast.Import) for alias in node.names if alias.name == "torch"), None)
        for use in self.facts.uses:
            self._look_at(use)
        for node in self.file.nodes:
            if isinstance(node, ast.BinOp) and (operand := self._promoted(node)) is not None:
                self._cast(operand)

    def _look_at(self, use: Use) -> None:
        entries = self.catalog.find(use.name)
        layer = any(entry.kind == "layer" and entry.arguments is not None and "dtype" in _parameters(entry) for entry in entries)
        called = isinstance(use.node, ast.Call) and use.kind in ("call", "method")
        if use.name in _known("GETTERS") and called:
            self._replace(use.node, self._dtype())
        elif layer:
            self._layer(use, entries[0])
        elif use.name in _known("MAKERS") or use.name in _known("OF_NUMBERS") or use.name in _known("CLASSES"):
            if called:
                self._maker(use, entries)
            elif use.kind == "value" and use.name not in _known("CLASSES"):
                self.is_whole = False
        elif called and use.name.rpartition(".")[2] in _known("FLOATING") and use.name.rpartition(".")[0] in ("torch", "torch.Tensor"):
            operand = site(use).receiver or next(iter(use.node.args), None)  # type: ignore[attr-defined]
            if operand is not None and self._is_whole(operand):
                self._cast(operand)
        elif called and (use.name in _known("OF_NUMBERS_BESIDE") or use.name.startswith(_known("OF_NUMBERS_ALONE"))):
            self._numbers_inside(use, entries)

    def _layer(self, use: Use, entry: Entry) -> None:
        if use.kind == "check":
            return
        if use.kind != "call" or not isinstance(use.node, ast.Call):
            self.is_whole = False
            return
        bound = bind_site(site(use), entry)
        self.places.append(use.node)
        if isinstance(bound, Binding) and "dtype" in bound.given:
            return
        if isinstance(bound, Binding) and use.name in _known("TAKES_DTYPE") and self._torch:
            self._add_keyword(use.node)
        else:
            self._edits.append(Edit.insert(self.file.offsets(use.node)[1], ".double()"))

    def _maker(self, use: Use, entries: list[Entry]) -> None:
        assert isinstance(use.node, ast.Call)
        self.places.append(use.node)
        if use.name in _known("CLASSES"):
            if not (use.node.args and all(isinstance(self.facts.value(a), (v.TensorValue, v.Instance)) for a in use.node.args)):
                self._replace(use.node.func, f"{self._torch}.{_known('CLASSES')[use.name].rpartition('.')[2]}")
            return
        bound = next((b for entry in entries if isinstance(b := bind_site(site(use), entry), Binding)), None)
        if bound is None:
            self._tell(use, "whether a dtype is given is not known here: without one the tensor is float32")
        elif "dtype" not in bound.given:
            holds = [_holds(self.facts.value(bound.given[name])) for name in _known("OF_NUMBERS").get(use.name, ()) if name in bound.given]
            if "floats" in holds or use.name in _known("MAKERS"):
                self._add_keyword(use.node)
            elif "unknown" in holds:
                self._tell(use, "floating numbers of Python's become float32: give dtype= if it may get them")

    def _numbers_inside(self, use: Use, entries: list[Entry]) -> None:
        """Numbers that become tensors of the default dtype inside of a function become them before."""
        bound = next((b for entry in entries if isinstance(b := bind_site(site(use), entry), Binding)), None)
        given = [e for name, e in bound.given.items() if name not in _known("COUNTS")] if bound is not None else []
        kinds = {_holds(self.facts.value(e)) for e in given}
        if use.name not in _known("OF_NUMBERS_BESIDE") and not kinds <= {"floats", "whole"}:
            if "floats" in kinds:
                self._tell(use, "Python's numbers become float32 in it, if no argument is a tensor")
            return
        for number in given:
            if self._torch and _holds(self.facts.value(number)) in ("floats", "whole") and not isinstance(self.facts.value(number), v.Sequence):
                start, end = self.file.offsets(number)
                self._edits += [Edit.insert(start, f"{self._torch}.tensor("), Edit.insert(end, f", dtype={self._torch}.float64)")]

    def _promoted(self, node: ast.BinOp) -> ast.expr | None:
        """The tensor of whole numbers that an operation gives the default dtype."""
        for operand, other in ((node.left, node.right), (node.right, node.left)):
            value = self.facts.value(other)
            beside = _holds(value) == "floats" and not isinstance(value, v.Sequence) or isinstance(node.op, ast.Div) and (self._is_whole(other) or _holds(value) == "whole")
            if beside and self._is_whole(operand):
                return operand
        return None

    def _is_whole(self, node: ast.expr) -> bool:
        value = self.facts.value(node)
        return isinstance(value, v.TensorValue) and value.dtype in WHOLE

    def _cast(self, operand: ast.expr) -> None:
        start, end = self.file.offsets(operand)
        plain = isinstance(operand, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        self._edits += [Edit.insert(end, ".double()")] if plain else [Edit.insert(start, "("), Edit.insert(end, ").double()")]

    def _add_keyword(self, call: ast.Call) -> None:
        end = self.file.offsets(call)[1] - 1
        inside = self.file.text[self.file.offsets(call.func)[1] : end].rstrip()
        comma = "" if inside.endswith((",", "(")) and not (call.args or call.keywords) else " " if inside.endswith(",") else ", "
        self._edits.append(Edit.insert(self.file.offsets(call.func)[1] + len(inside), f"{comma}dtype={self._dtype()}"))

    def _dtype(self) -> str:
        self.is_whole &= self._torch is not None
        return f"{self._torch}.float64"

    def _replace(self, node: ast.expr, text: str) -> None:
        start, end = self.file.offsets(node)
        self._edits.append(Edit(start, end, self.file.text[start:end], text))
        self.is_whole &= self._torch is not None

    def _tell(self, use: Use, what: str) -> None:
        message = f"{use.name}: the project's default dtype is float64, MindSpore's is float32; {what}"
        self.told.append(Finding("MP103", message, self.file.relative, self.file.span(use.node), "silent", "likely", use.name))

    def changed(self, setting: list[Use]) -> SourceFile:
        """The file with all of it."""
        for use in setting:
            found = _statement(self.file, use.node)
            assert found is not None
            start, end = self.file.offsets(found[1])
            alone = len(found[0]) == 1 or self.file.text[end:].partition("\n")[0].strip() != ""
            self._edits.append(Edit(start, end, self.file.text[start:end], "pass" if alone else f"# {_SAID}"))
        if not self._edits:
            return self.file
        text = edits.apply(self.file.text, self._edits)
        return replace(self.file, text=text, tree=parse(text))


def _parameters(entry: Entry) -> Iterator[str]:
    assert entry.arguments is not None
    return (a.arg for a in (*entry.arguments.posonlyargs, *entry.arguments.args, *entry.arguments.kwonlyargs))


def _holds(value: v.Value) -> str:
    """What new tensors are made of: "floats" of Python's somewhere, "whole" numbers, "others" that have a dtype of their own, or "unknown"."""
    match value:
        case v.OneOf(options=options):
            kinds = {_holds(option) for option in options}
        case v.Const(kind=kind):
            kinds = {"floats" if kind is float else "whole" if kind in (int, bool) else "others"}
        case v.Builtin(type=name):
            kinds = {"floats" if name == "float" else "whole" if name in ("int", "bool") else "unknown"}
        case v.TensorValue() | v.Instance():
            kinds = {"others"}
        case v.Sequence(items=items) if items is not None:
            kinds = {_holds(item) for item in items} or {"floats"}
        case v.Sequence(element=element):
            kinds = {_holds(element)}
        case _:
            kinds = {"unknown"}
    return next(kind for kind in ("floats", "unknown", "whole", "others") if kind in kinds)
