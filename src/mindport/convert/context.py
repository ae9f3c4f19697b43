"""What converting one file needs, and what it leaves behind: edits, log, findings."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, TypeVar

from mindport.catalog import Catalog, Entry, KnowledgeModule
from mindport.convert.byte_masks import beside_bytes
from mindport.convert.decide import look_with
from mindport.convert.dtypes import names_short_floats
from mindport.convert.editing import Editing
from mindport.convert.guards import Fact
from mindport.convert.imports import Imports
from mindport.convert.inline import Writer
from mindport.convert.log import LogRecord, Strategy
from mindport.convert.numpy_draws import drawing
from mindport.convert.own_modes import module_classes, own_modes
from mindport.convert.staying_imports import own_packages
from mindport.convert.stored_names import Stored, stored_names
from mindport.convert.vendor import LEFTOVER, Vendored
from mindport.declare import Layout
from mindport.findings import CODES, Certainty, Finding, Risk
from mindport.forms import public
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use
from mindport.inference.members import MODULE as MODULE
from mindport.inference.overlays.tensors import is_in_place
from mindport.source.file import SourceFile
from mindport.source.walking import children, walk
from mindport.targets import Target

#: Knowledge of tensors that are places and values: who uses any of it may have some anywhere.
SPARSE = "mindport.equivalents.sparse_functions"

#: Planned work on a node: runs after all work on nodes inside it.
Work = Callable[[], None]


Files = tuple[tuple[SourceFile, Facts], ...]
Answer = TypeVar("Answer")


@dataclass
class Shared:
    """What all files of a conversion share."""

    catalog: Catalog
    target: Target
    vendored: Vendored
    status: Callable[[Entry], str]
    forced: frozenset[str] = frozenset()
    unfilled: frozenset[str] = frozenset()  # layers that the project makes without some of their parameters: read_attributes
    summaries: dict[int, Any] = field(default_factory=dict)  # what functions of the project do to storages: aliasing.knowledge
    project: Files = ()  # all files, for what only their calls say
    tape: frozenset[PurePosixPath] = frozenset()  # files whose gradients come from MindSpore's tape: training.tape
    wanting_tape: dict[int, str] = field(default_factory=dict)  # calls in steps that are no function: id(node) → what stands in the way
    words: frozenset[str] = frozenset()  # names that the project holds as texts: module_values
    evaluated: bool = False  # whether configuration files name layers that the project evaluates: rewrites.evaluated_texts
    double: frozenset[PurePosixPath] = frozenset()  # files of programs whose default dtype is float64: written_dtypes
    crowded: dict[PurePosixPath, set[int]] = field(default_factory=dict)  # lines whose statements have to be set apart: source.apart
    told: set[tuple[str, str]] = field(default_factory=set)  # differences that depend on data, said once an API
    answers: dict[Callable[..., Any], Any] = field(default_factory=dict)  # what `once` was told

    def once(self, question: Callable[[Files], Answer]) -> Answer:
        """What a function says of all files, kept."""
        if question not in self.answers:
            self.answers[question] = question(self.project)
        return self.answers[question]  # type: ignore[no-any-return]

    @cached_property
    def uses_short_floats(self) -> bool:
        """Whether tensors of the project may be float16 or bfloat16."""
        return names_short_floats(file.tree for file, _ in self.project)

    @cached_property
    def beside_numpys_numbers(self) -> frozenset[PurePosixPath]:
        """Files of programs that draw from NumPy's global stream."""
        return drawing([file for file, _ in self.project])

    @cached_property
    def beside_bytes(self) -> frozenset[PurePosixPath]:
        """Files of programs that make tensors of uint8."""
        return beside_bytes([file for file, _ in self.project])

    @cached_property
    def stored_names(self) -> dict[str, list[Stored]]:
        """Functions and classes that the project puts under PyTorch's names."""
        return stored_names(self.project)

    @cached_property
    def defined_by_modules(self) -> frozenset[str]:
        """Names of methods that the project's module classes define, and MindSpore's own do not ask."""
        classes = (node for _, facts in self.project for node in module_classes(facts))
        asked = self.once(own_modes)
        return frozenset(part.name for node in classes for part in node.body if isinstance(part, ast.FunctionDef) and id(part) not in asked)

    @cached_property
    def numpy_keywords(self) -> bool:
        """Whether the project calls something of its own, or of unknown kind, with NumPy's names of parameters (``axis=``)."""
        return any(_has_numpy_name(node) and _is_open(facts, node) for file, facts in self.project for node in file.nodes)

    @cached_property
    def own_packages(self) -> frozenset[str]:
        """Names that the project's own files are imported by."""
        return own_packages(file for file, _ in self.project)

    @cached_property
    def holds_sparse_tensors(self) -> bool:
        """Whether the project uses an API whose equivalent is one of sparse tensors."""
        return any(e.module.name == SPARSE for _, facts in self.project for use in facts.uses for e in self.catalog.find(use.name))

    @cached_property
    def stores_an_axis_more(self) -> bool:
        """Whether the project makes layers whose weights have an axis of length 1 more in MindSpore."""
        return any(isinstance(stored, Layout) for _, facts in self.project for use in facts.uses for e in self.catalog.find(use.name) for stored in e.state.values())

    @cached_property
    def writes_in_place(self) -> bool:
        """Whether anything in the project may be a change of a tensor in place."""
        return any(_may_write(node) for file, _ in self.project for node in file.nodes)


def _has_numpy_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and any(k.arg in ("axis", "keepdims") for k in node.keywords)


def _is_open(facts: Facts, node: ast.AST) -> bool:
    """Whether a call may reach a function of torch's that no name of torch's stands before."""
    assert isinstance(node, ast.Call)
    kinds = v.options(facts.value(node.func))
    return not kinds or any(
        isinstance(kind, (v.ProjectFunction, v.Unknown)) or isinstance(kind, v.Api) and kind.name.startswith("torch.") for kind in kinds
    )


@dataclass
class Reading:
    """One file, and what is known of it and of all others."""

    file: SourceFile
    facts: Facts
    shared: Shared
    parents: dict[int, ast.AST]

    @property
    def files(self) -> Files:
        """All files of the project with their facts; this one, where a text is converted by itself."""
        return self.shared.project or ((self.file, self.facts),)

    def once(self, question: Callable[[Files], Answer]) -> Answer:
        """What a function says of all files; it is asked once a conversion, so that no file looks through all the others again."""
        return self.shared.once(question) if self.shared.project else question(self.files)

    def beside_torch(self) -> bool:
        """Whether tensors may come here: the file uses PyTorch, or another one of the project does, whose functions and values this one gets."""
        return bool(self.facts.uses) or self.once(use_torch)

    def crowd(self, statement: ast.stmt) -> None:
        """Note that something has to be written beside a statement that shares its line: the conversion begins again with its lines apart."""
        self.shared.crowded.setdefault(self.file.relative, set()).add(statement.lineno)


def use_torch(files: Files) -> bool:
    """Whether any file uses PyTorch."""
    return any(facts.uses for _, facts in files)


@dataclass(frozen=True)
class Moving:
    """A step's function that statements move into."""

    names: frozenset[str]  # that it binds
    call: ast.Call  # of backward
    length: int  # of the work that writes the function


@dataclass
class Context(Reading):
    """One file under conversion."""

    editing: Editing
    imports: Imports
    vendored_module: str  # how this file imports the vendored module: "torch_equivalents", "..torch_equivalents"
    work: list[tuple[float, int, int, Work]] = field(default_factory=list)  # length, last, place
    claimed: set[int] = field(default_factory=set)  # nodes that a rewrite deals with
    log: list[LogRecord] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    marks: dict[int, list[str]] = field(default_factory=dict)  # offset of a statement → comments to put above it
    left_names: set[str] = field(default_factory=set)  # what other libraries' uses that stay begin with: their imports stay
    run_names: set[str] = field(default_factory=set)  # what the vendored module sets when it is imported, for this file
    leftover_name: str | None = None
    namespaces: dict[str, str] = field(default_factory=dict)  # names that stand for modules → the statements that bind them: module_values
    own_names: dict[int, set[str]] = field(default_factory=dict)  # scope → names that rewrites made up in it
    view_names: dict[int, str] = field(default_factory=dict)  # scope → the name for views that have none: aliasing.items_of_views
    replaced: frozenset[str] = frozenset()  # names of PyTorch's that other files replace here: replaced_names
    kept_names: dict[str, str] = field(default_factory=dict)  # such a name → what the vendored module calls it
    gone: set[int] = field(default_factory=set)  # statements that were removed
    own_objects: set[int] = field(default_factory=set)  # ``self`` handed to a base's method by the base's name: named_base
    going: set[int] = field(default_factory=set)  # statements that a rewrite plans to remove: no other one touches them
    moving: dict[int, Moving] = field(default_factory=dict)  # by id(statement): what becomes part of a step's function

    @cached_property
    def named(self) -> dict[int, str]:
        """The API that a node names, by id(node)."""
        return {id(use.node): use.name for use in self.facts.uses}

    @cached_property
    def computes_in_double(self) -> bool:
        """Whether float64 is the default dtype of the file's programs."""
        return self.file.relative in self.shared.double

    @cached_property
    def called(self) -> dict[int, Use]:
        """The API that a call calls, by id(node), through variables, too."""
        return {id(use.node): use for use in (*self.facts.uses, *self.facts.indirect) if isinstance(use.node, ast.Call)}

    @property
    def look(self) -> Callable[[ast.expr], Fact]:
        """Facts about user expressions, for guards."""
        return look_with(self.facts, "torch.float64" if self.computes_in_double else None)

    @property
    def on_tape(self) -> bool:
        """Whether this file's gradients come from MindSpore's tape."""
        return self.file.relative in self.shared.tape

    @property
    def writer(self) -> Writer:
        """What `inline` needs of this file."""
        return Writer(self.editing, self.imports, self.shared.target, self.parents, frozenset(self.own_objects))

    def claim(self, tree: ast.AST) -> None:
        """A rewrite deals with a node and all inside it. Python's parser shares the objects that say "read" or "written" among all nodes: not those."""
        self.claimed |= {id(node) for node in ast.walk(tree) if isinstance(node, (ast.expr, ast.stmt, ast.keyword, ast.arg))}

    def plan(self, node: ast.AST, work: Work, last: int = False) -> None:
        """Do `work` on `node` once everything inside it is done; `last`: after other work on the node itself, 2: after what comes last there."""
        start, end = self.editing.span(node)
        self.work.append((end - start, last, start, work))

    def plan_at_end(self, work: Work) -> None:
        """Do `work` once everything else in the file is done."""
        self.work.append((len(self.editing.text) + 1, 2, 0, work))

    def run(self) -> None:
        """Do all planned work, innermost first."""
        for *_, work in sorted(self.work, key=lambda w: w[:3]):
            work()

    def vendored_name(self, entry: Entry) -> str:
        """The local name of a vendored equivalent, imported."""
        name = self.shared.vendored.need(entry)
        return self.imports.local(self.vendored_module, name, name)

    def called_name(self, node: ast.expr, entry: Entry) -> str:
        """The local name of a vendored equivalent that `node` calls or names: its own, where other files replace that."""
        if not self.is_replaced(node):
            return self.vendored_name(entry)
        assert isinstance(node, ast.Name)
        name = self.shared.vendored.need(entry)
        if name == node.id:
            return self.imports.local(self.vendored_module, name, name)
        self.kept_names[node.id] = name
        return node.id

    def is_replaced(self, node: ast.expr) -> bool:
        """Whether other files may put something of their own under the name that `node` is."""
        return isinstance(node, ast.Name) and node.id in self.replaced

    def definition(self, knowledge: str, name: str) -> str:
        """The local name of a definition of a module of knowledge that no torch name stands for, vendored and imported."""
        local = self.shared.vendored.need_definition(self.shared.catalog.modules[knowledge], name)
        return self.imports.local(self.vendored_module, local, local)

    def runs(self, module: KnowledgeModule, name: str) -> None:
        """Have the vendored module define `name`, and this file import that module: the definition sets something once."""
        self.run_names.add(self.shared.vendored.need_definition(module, name))

    def leftover(self) -> str:
        """The local name that stands for torch where something was not converted."""
        if self.leftover_name is None:
            name = self.shared.vendored.leftover()
            self.imports.local(self.vendored_module, name, LEFTOVER)
            self.leftover_name = "torch" if "torch" not in self.imports.bound else "unconverted_torch"
            self.imports.bound.add(self.leftover_name)
        return self.leftover_name

    def record(
        self, use: Use, strategy: Strategy, old: str, new: str = "", entry: Entry | None = None, why: str = ""
    ) -> None:
        """Note what became of a use."""
        span = self.file.span(use.node)
        self.log.append(
            LogRecord(
                str(self.file.relative), span.line, span.column, public(use.name), use.kind, strategy, old, new,
                entry.place if entry else "", self.shared.status(entry) if entry else "", use.certainty, why, use.scope,
            )
        )  # fmt: skip

    def report(
        self, code: str, message: str, node: ast.AST, *, api: str | None = None, risk: Risk | None = None,
        certainty: Certainty = "certain", advice: str = "", mark: bool = False, rare: bool = False,
    ) -> None:  # fmt: skip
        """Add a finding; `mark` also writes it as a comment above the statement. Of another form of an API (`mindport.forms`) the API's own name is said."""
        if api is not None and public(api) != api:
            message, api = message.replace(api, public(api)), public(api)
        span = self.file.span(node)  # type: ignore[arg-type]
        self.findings.append(
            Finding(code, message, self.file.relative, span, risk or CODES[code].risk, certainty, api, advice, rare)
        )
        if mark:
            place = self.editing.line_start(self.editing.span(self.statement(node))[0])
            comment = f"# mindport: {code} {' '.join(message.split())}"
            lines = self.marks.setdefault(place, [])
            if comment not in lines:
                lines.append(comment)

    def remove(self, statement: ast.stmt) -> None:
        """Take a statement out; the last of its block leaves a ``pass``."""
        self.gone.add(id(statement))
        owner = self.parents.get(id(statement))
        blocks = [getattr(owner, name, None) or [] for name in ("body", "orelse", "finalbody")]
        emptied = any(statement in block and all(id(s) in self.gone for s in block) for block in blocks)
        start, end = self.editing.span(statement)
        if emptied:
            self.editing.replace(start, end, "pass")
        else:
            self.editing.remove_statement(start, end)

    def statement(self, node: ast.AST) -> ast.AST:
        """The statement that holds `node`; of a decorated definition, its first decorator."""
        current: ast.AST = node
        while not isinstance(current, ast.stmt):
            parent = self.parents.get(id(current))
            if parent is None:
                return node
            current = parent
        decorators = getattr(current, "decorator_list", None)
        return decorators[0] if decorators else current


def _may_write(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(ctx=ast.Store()) | ast.AugAssign(target=ast.Subscript()):
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return is_in_place(name)
    return False


def parents_of(tree: ast.Module) -> dict[int, ast.AST]:
    """Parent by id(node)."""
    found: dict[int, ast.AST] = {}
    for node in walk(tree):
        for child in children(node):
            found[id(child)] = node
    return found
