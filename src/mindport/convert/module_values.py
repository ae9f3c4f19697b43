"""``getattr(torch.optim, config["type"])``: a module handed on as a value, whose members are chosen by a text.

It becomes a namespace of the members whose names the project's texts hold: constants in its code, words in its
configuration files; and of those that it asks for by what holds the module (``tt = torch.cuda if cuda else torch; tt.LongTensor(3)``). Another name fails when it is asked for. Of another library (``models.__dict__[arch]``) it holds their
families, too: what stands in one file of knowledge with them.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from mindport.catalog import Catalog, Entry
from mindport.convert import formatted_names
from mindport.convert.aliasing.objects import path
from mindport.convert.context import Context, Files, Shared
from mindport.convert.dtypes import DTYPES, TRUTH, plain
from mindport.declare import Difference
from mindport.inference import values as v
from mindport.inference.facts import Use
from mindport.source.file import SourceFile

#: The library whose names are converted; the end of a name that means what a module holds.
ROOT = "torch"
CONTENTS = ".__dict__"
#: So many members stand where the module stood; more of them get a name.
IN_PLACE = 3
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: ``"torch.tanh"``, ``"nn.Upsample"``: a path whose members a program takes one after the other, or whose beginning it cuts off.
_PATH = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+")
#: Methods of a text that give the name of a class or function (``getattr(nn, kind.upper())``).
_CASES = frozenset(("upper", "lower", "capitalize", "title"))
#: ``name: SGD``, ``- ReLU``, a comment.
_LINE_OF_YAML = re.compile(r"\s*(?:#.*|---|- .*|(?:- )?[\w.\"'-]+:(?: .*)?)")
#: Files that hold settings, and how large one may be.
_SETTINGS = frozenset((".json", ".yaml", ".yml", ".toml", ".cfg", ".ini", ".conf", ".sh"))
LARGEST = 200_000
#: What takes settings out of a text: methods of the text, and the ends of functions' names (``json.loads``, ``yaml.safe_load``, ``OmegaConf.create``).
_TAKEN_APART = frozenset(("split", "splitlines", "partition", "rpartition"))
_WITH_HOLES = (ast.JoinedStr, ast.BinOp, ast.Call)
_READERS = ("load", "loads", "full_load", "safe_load", "literal_eval", "create")


def words(files: Iterable[SourceFile], others: Iterable[Path]) -> frozenset[str]:
    """Names that the project holds as texts, those that a text with holes can be, and what ``name.upper()`` makes of them where it asks for that."""
    found: set[str] = set()
    cases: set[str] = set()
    paths: set[str] = set()
    modules = {ROOT}
    for file in files:
        for node in file.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _WORD.fullmatch(node.value):
                found.add(node.value)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _PATH.fullmatch(node.value):
                paths.add(node.value)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and is_settings(node.value):
                found.update(_WORD.findall(node.value))
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                modules |= _modules_of_torch(node)
            elif _is_text_of_dtype(node):
                found.update(str(plain(name)).rpartition(".")[2] for name in DTYPES - {TRUTH})  # `bool` is a method of tensors, too
            elif isinstance(node, ast.Call) and (text := _taken_apart(node)) is not None:
                found.update(_WORD.findall(text))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CASES and not node.args:
                cases.add(node.func.attr)
    found.update(name for file in files for node in file.nodes if isinstance(node, _WITH_HOLES) for name in formatted_names.fitting(node))
    found.update(name for file in files for node in file.nodes if isinstance(node, _WITH_HOLES) for name in formatted_names.filled(node, found))
    found.update(part for path in paths if path.partition(".")[0] in modules for part in path.split("."))
    for other in others:
        if other.suffix in _SETTINGS and other.is_file() and other.stat().st_size <= LARGEST:
            found.update(_WORD.findall(other.read_text(encoding="utf-8", errors="replace")))
    return frozenset(found | {getattr(text, case)() for text in found for case in cases})


def _modules_of_torch(node: ast.Import | ast.ImportFrom) -> set[str]:
    """The names that an import gives to something of torch's."""
    where = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
    return {alias.asname or alias.name for alias in node.names if f"{where}{alias.name}.".startswith(f"{ROOT}.")}


def _is_text_of_dtype(node: ast.AST) -> bool:
    """``str(x.dtype)``, ``f"{x.dtype}"``: what is written down is read again as the name of any dtype."""
    match node:
        case ast.Call(func=ast.Name(id="str" | "repr"), args=[ast.Attribute(attr="dtype")]) | ast.FormattedValue(value=ast.Attribute(attr="dtype")):
            return True
    return False


def is_settings(text: str) -> bool:
    """Whether a text in the code is written as settings are, JSON or YAML, whoever reads it."""
    text = text.strip()
    if text[:1] + text[-1:] in ("{}", "[]"):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and all(map(_LINE_OF_YAML.fullmatch, lines))


def _taken_apart(node: ast.Call) -> str | None:
    """The text that a call takes apart: ``"Adam SGD".split()``, ``json.loads("…")``."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr=name)) if name in _TAKEN_APART:
            return text
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[ast.Constant(value=str(text)), *_]) if name in _READERS:
            return text
    return None


def members(catalog: Catalog, module: str, texts: frozenset[str]) -> dict[str, Entry]:
    """The module's classes, functions and dtypes that the texts name and that there is one equivalent of."""
    alone = {name: entry for name, entries in catalog.within(module).items() if (entry := _one(entries)) is not None}
    found = {name: entry for name, entry in alone.items() if name in texts and (entry.kind in ("layer", "function") or isinstance(entry.expression, ast.Attribute) or _is_class(entry))}
    if module.partition(".")[0] == ROOT:
        return found
    families = {entry.module.name for entry in found.values() if entry.kind == "function"}
    return found | {name: entry for name, entry in alone.items() if entry.kind == "function" and entry.module.name in families}


def _one(entries: list[Entry]) -> Entry | None:
    """What a name means: its only entry, or the class beside the function that a call of it becomes."""
    classes = [entry for entry in entries if _is_class(entry)]
    return entries[0] if len(entries) == 1 else classes[0] if len(classes) == 1 and len(entries) == 2 else None


def _is_class(entry: Entry) -> bool:
    return entry.kind == "constant" and isinstance(entry.expression, ast.Name) and entry.expression.id in entry.module.definitions


def offered(catalog: Catalog, use: Use, names: Callable[[str], frozenset[str]]) -> dict[str, Entry]:
    """What the namespace in place of a module holds; nothing where the use is no module handed on, or the project names none of its members."""
    module = use.name.removesuffix(CONTENTS)
    return members(catalog, module, names(module)) if use.kind == "value" else {}


def names_of(shared: Shared) -> Callable[[str], frozenset[str]]:
    """The names by which a project may ask a module."""
    return names_in(shared.words, shared.once(asked_of_values))


def names_in(texts: frozenset[str], asked: Mapping[str, Iterable[str]]) -> Callable[[str], frozenset[str]]:
    """The project's texts, and what it asks for by what holds the module."""
    return lambda module: texts.union(asked[module]) if module in asked else texts


def asked_of_values(project: Files) -> dict[str, set[str]]:
    """Module → what the project asks for by something else than the module's own name."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for file, facts in project:
        imported = {alias.asname or alias.name.partition(".")[0] for node in file.nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}
        for node in file.nodes:
            if isinstance(node, ast.Attribute) and (text := path(node.value)) is not None and text.partition(".")[0] not in imported:
                for kind in v.options(facts.value(node.value)):
                    if isinstance(kind, v.Api):
                        found[kind.name].add(node.attr)
    return found


def of_offered(module: str, found: Iterable[str]) -> Difference:
    """What a namespace in the place of a module leaves out."""
    named = "which the project names" if module.partition(".")[0] == ROOT else "the families of those which the project names"
    return Difference(f"{module} as a value offers {', '.join(found)}, {named}, and nothing else", risk="loud")


def namespace(context: Context, use: Use, written: Callable[[Context, Entry, ast.expr], str]) -> str | None:
    """The text of a namespace in place of a module; None where the project names none of its members.

    `written`: gives a constant's text (``ms.float32``).
    """
    found = offered(context.shared.catalog, use, names_of(context.shared))
    if not found:
        return None
    texts = {name: _text(context, entry, written) for name, entry in found.items()}
    left_out = of_offered(use.name, found)
    context.report("MP103", left_out.what, use.node, api=use.name, risk=left_out.risk)
    kind = context.imports.local("types", "SimpleNamespace", "SimpleNamespace")
    module = use.name.removesuffix(CONTENTS)
    if module == use.name and len(texts) <= IN_PLACE:
        return f"{kind}({', '.join(f'{name}={text}' for name, text in texts.items())})"
    name = module.rpartition(".")[2]
    while name in (context.imports.bound | set(context.imports.wanted.values())) - set(context.namespaces):
        name += "_"
    context.imports.bound.add(name)
    context.namespaces[name] = f"{name} = {kind}(\n{''.join(f'    {member}={text},{chr(10)}' for member, text in texts.items())})"
    return name if module == use.name else f"{name}{CONTENTS}"


def _text(context: Context, entry: Entry, written: Callable[[Context, Entry, ast.expr], str]) -> str:
    if entry.expression is None:
        return context.vendored_name(entry)
    if isinstance(entry.expression, ast.Name) and entry.expression.id in entry.module.definitions:
        return context.definition(entry.module.name, entry.expression.id)
    return written(context, entry, entry.expression)
