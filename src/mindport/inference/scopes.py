"""Modules, classes and functions of the project, as the analysis knows them.

Every ``def`` and ``class`` statement of a file gets its scope before anything is evaluated
(`index`), in unreached code too. A lambda gets one when it is met.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal

from mindport.inference import torchfacts
from mindport.inference.overlays.libraries import TABLES, is_torch_based
from mindport.inference.values import (
    Api,
    ProjectClass,
    ProjectFunction,
    ProjectModule,
    Unknown,
    Value,
    join,
    options,
)

if TYPE_CHECKING:
    from mindport.inference.facts import Facts
    from mindport.source.file import SourceFile

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

NEW, RUNNING, DONE = "new", "running", "done"


class ModuleScope:
    """A file of the project. `name` is dotted from the project's root; `env` holds its final names."""

    def __init__(self, name: str, file: SourceFile, facts: Facts) -> None:
        self.name = name
        self.file = file
        self.facts = facts
        self.is_package = file.relative.name == "__init__.py"
        self.env: dict[str, Value] = {}
        self.state = NEW
        self.imported: set[str] = set()  # names that an import statement binds
        self.assigned: set[str] = set()  # names that anything else binds
        self.origins: dict[str, tuple[str, str]] = {}  # name → (project module, its name there)
        self.stars: list[str] = []  # outside modules that are imported with a star
        self.functions: list[FunctionScope] = []
        self.classes: list[ClassScope] = []
        self.scopes: dict[int, FunctionScope | ClassScope] = {}
        self.strings: dict[int, ast.expr] = {}  # string annotations, parsed
        self.value = ProjectModule(self)
        self.uses_numpy = False
        self.uses_torch = False
        self.gets_tensors = False  # from other files, without a word of torch's
        self.uses_tables = False

    def __repr__(self) -> str:
        return f"module {self.name}"


class ClassScope:
    """A class statement. `names` holds its body; `attributes` what methods set on instances."""

    def __init__(self, node: ast.ClassDef, module: ModuleScope, qualname: str) -> None:
        self.node = node
        self.name = node.name
        self.qualname = qualname
        self.module = module
        self.bases: tuple[Value, ...] | None = None
        self.names: dict[str, Value] = {}
        self.annotations: dict[str, Value] = {}
        self.methods: dict[str, FunctionScope] = {}
        self.attributes: dict[str, dict[int, Value]] = {}  # attribute → value by the node that sets it
        self.stores: dict[str, dict[FunctionScope, None]] = {}  # attribute → methods that set it, in the order of the text
        self.subclasses: list[ClassScope] = []
        self.value = ProjectClass(self)
        self._mro: tuple[ClassScope, ...] | None = None
        self._ancestors: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        return f"class {self.qualname}"

    @property
    def mro(self) -> tuple[ClassScope, ...]:
        """The class and its project ancestors, nearest first."""
        if self._mro is None:
            self._mro = (self,)  # a class that derives from itself ends here
            found: list[ClassScope] = [self]
            for base in self.bases or ():
                for option in options(base):
                    if isinstance(option, ProjectClass):
                        found += option.scope.mro
            ordered: list[ClassScope] = []
            for cls in reversed(found):  # a shared base comes after all that derive from it
                if cls not in ordered:
                    ordered.append(cls)
            result = tuple(reversed(ordered))
            if self.bases is None:
                self._mro = None
                return result
            self._mro = result
        return self._mro

    @property
    def ancestors(self) -> tuple[str, ...]:
        """The canonical names of all outside ancestors, nearest first."""
        if self._ancestors is not None:
            return self._ancestors
        self._ancestors = ()  # a class that derives from itself ends here
        found: dict[str, None] = {}
        for base in self.bases or ():
            for option in options(base):
                if isinstance(option, ProjectClass):
                    found |= dict.fromkeys(option.scope.ancestors)
                elif isinstance(option, Api):
                    found |= dict.fromkeys(torchfacts.ancestors(option.name))
        ordered = tuple(sorted(found, key=lambda name: name == "torch.nn.Module"))  # the root of all modules is the last
        self._ancestors = ordered if all(cls.bases is not None for cls in self.mro) else None
        return ordered

    def all_subclasses(self) -> Iterable[ClassScope]:
        """Project classes that derive from this one."""
        seen = {self}
        pending = list(self.subclasses)
        while pending:
            cls = pending.pop()
            if cls not in seen:
                seen.add(cls)
                yield cls
                pending += cls.subclasses

    def has_unknown_base(self) -> bool:
        """Whether something that could not be followed is among the ancestors."""
        return any(isinstance(option, Unknown) for cls in self.mro for base in cls.bases or () for option in options(base))


class FunctionScope:
    """A function or lambda. `closure` gives the names of the functions around it."""

    def __init__(self, node: FunctionNode, module: ModuleScope, qualname: str, cls: ClassScope | None) -> None:
        self.node = node
        self.name = getattr(node, "name", "<lambda>")
        self.qualname = qualname
        self.module = module
        self.cls = cls
        self.kind = "method" if cls is not None else "function"  # also "static", "class", "property"
        self.keeps = True  # False where a decorator may change what a call gives
        self.generator = False
        self.closure: Callable[[str], Value | None] | None = None
        self.imported: set[str] = set()
        self.assigned: set[str] = set()
        self.borrowed: set[str] = set()  # names that `nonlocal` or `global` takes from around it
        self.rebound: dict[str, Value] = {}  # names of its own that functions inside bind, by `nonlocal`
        self.parent: FunctionScope | None = None
        self.state = NEW
        self.analyses = 0
        self.returned: Value | None = None
        self.handed_back: str | None | Literal[False] = False  # the parameter that each call gives back; False: not asked yet
        self.annotated: Value | None = None
        self.defaults: dict[str, Value] = {}
        self.sites: dict[str, dict[int, Value]] = {}  # parameter → argument by call
        self.evidence: dict[str, Value] = {}  # parameter → what its use in the body shows
        self.documented: dict[str, Value] | None = None
        self.comments: dict[str, ast.expr] | None = None  # type comments by parameter
        self.value = ProjectFunction(self)
        arguments = node.args
        self.positional = [*arguments.posonlyargs, *arguments.args]
        self.parameters = {a.arg: a for a in [*self.positional, *arguments.kwonlyargs]}

    def rebind(self, name: str, value: Value) -> bool:
        """A function inside binds a name of this one; whether that says something new."""
        before = self.rebound.get(name)
        self.rebound[name] = value if before is None else join(before, value)
        return self.rebound[name] != before

    def __repr__(self) -> str:
        return f"function {self.qualname}"


def index(module: ModuleScope) -> None:
    """Create the scopes of all definitions in a module and note what each scope binds."""
    _body(module.file.tree.body, module, None, None, "")


def _body(
    body: list[ast.stmt], module: ModuleScope, cls: ClassScope | None, function: FunctionScope | None, prefix: str
) -> None:
    holder: Any = function if function is not None else module
    for statement in body:
        kind = type(statement)
        if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
            scope = FunctionScope(statement, module, prefix + statement.name, cls)  # type: ignore[arg-type, attr-defined]
            scope.parent = function
            module.functions.append(scope)
            module.scopes[id(statement)] = scope
            if cls is not None:
                cls.methods.setdefault(scope.name, scope)
            else:
                holder.assigned.add(scope.name)
            scope.assigned.update(scope.parameters)
            for star in (statement.args.vararg, statement.args.kwarg):  # type: ignore[attr-defined]
                if star is not None:
                    scope.assigned.add(star.arg)
            _body(statement.body, module, None, scope, f"{prefix}{statement.name}.")  # type: ignore[attr-defined]
            if cls is not None and scope.positional:
                _stores(statement, scope.positional[0].arg, cls, scope)
        elif kind is ast.ClassDef:
            inner = ClassScope(statement, module, prefix + statement.name)  # type: ignore[arg-type, attr-defined]
            module.classes.append(inner)
            module.scopes[id(statement)] = inner
            if cls is None:
                holder.assigned.add(inner.name)
            _body(statement.body, module, inner, function, f"{inner.qualname}.")  # type: ignore[attr-defined]
        elif kind is ast.Import or kind is ast.ImportFrom:
            for alias in statement.names:  # type: ignore[attr-defined]
                if cls is None:
                    holder.imported.add(alias.asname or alias.name.partition(".")[0])
                source = getattr(statement, "module", None) or alias.name
                if source.partition(".")[0] == "numpy":
                    module.uses_numpy = True
                module.uses_tables = module.uses_tables or source.partition(".")[0] in TABLES
                if is_torch_based(source):
                    module.uses_torch = True
        else:
            if isinstance(statement, (ast.Nonlocal, ast.Global)) and function is not None:
                function.borrowed.update(statement.names)
            if cls is None:
                for target in targets_of(statement):
                    holder.assigned.update(names_in(target))
            for name in ("body", "orelse", "finalbody"):
                inner_body = getattr(statement, name, None)
                if inner_body:
                    _body(inner_body, module, cls, function, prefix)
            for part in getattr(statement, "handlers", None) or getattr(statement, "cases", ()):  # type: ignore[union-attr]
                if cls is None and getattr(part, "name", None):
                    holder.assigned.add(part.name)
                _body(part.body, module, cls, function, prefix)


def targets_of(statement: ast.stmt) -> list[ast.expr]:
    """What a simple statement, loop or with statement assigns to."""
    if isinstance(statement, ast.Assign):
        return statement.targets
    if isinstance(statement, (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor)):
        return [statement.target]
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return [item.optional_vars for item in statement.items if item.optional_vars is not None]
    return []


def names_in(target: ast.expr) -> list[str]:
    """The names that a target binds."""
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for element in target.elts for name in names_in(element)]
    return names_in(target.value) if isinstance(target, ast.Starred) else []


def _stores(node: ast.AST, me: str, cls: ClassScope, scope: FunctionScope) -> None:
    """Attributes that a method sets or registers on its own instance, nested blocks and functions included."""
    for statement in getattr(node, "body", ()):
        for target in targets_of(statement):
            for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else (target,):
                if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name) and part.value.id == me:
                    cls.stores.setdefault(part.attr, {})[scope] = None
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(name), "register_buffer" | "register_parameter"), [ast.Constant(str(attribute)), *_])) if name == me:
                cls.stores.setdefault(attribute, {})[scope] = None
        _stores(statement, me, cls, scope)
    for name in ("orelse", "finalbody", "handlers", "cases"):
        for part in getattr(node, name, None) or ():
            if isinstance(part, ast.stmt):
                _stores(ast.Module([part], []), me, cls, scope)
            else:
                _stores(part, me, cls, scope)
