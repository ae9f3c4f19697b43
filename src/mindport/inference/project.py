"""The whole project under analysis: modules, what functions return, what instances hold.

The analysis starts at the first `facts` call: every module's body runs once (imports pull in
others), then every function's body. A function that read something which changed since — a
return value, an attribute, an argument of a call — is analysed again, at most `MOST_ANALYSES` times,
and once more after all others, as half of what it gets would pass for all of it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from functools import cached_property

from mindport.findings import raise_for_debugging
from mindport.inference import torchfacts
from mindport.inference.annotations import annotated
from mindport.inference.arguments import Arguments
from mindport.inference.certainty import likely
from mindport.inference.facts import Facts
from mindport.inference.frame import Frame, global_builtin, run, star_name
from mindport.inference.handling import note_handling
from mindport.inference.importing import imported_later
from mindport.inference.imports import ModuleIndex, module_name, package_around
from mindport.inference.overlays.command_line import options_of
from mindport.inference.overlays.computed_weights import computes_weights
from mindport.inference.overlays.libraries import (
    OF_ARRAYS,
    OF_BUILTINS,
    OF_MANY,
    OF_MODULES,
    elsewhere,
)
from mindport.inference.own_names import own_names
from mindport.inference.parameters import bind_parameters
from mindport.inference.passed import Passed
from mindport.inference.reexports import reexports
from mindport.inference.returned import returned
from mindport.inference.scopes import DONE, NEW, RUNNING, ClassScope, FunctionScope, ModuleScope, index
from mindport.inference.uses import collect
from mindport.inference.values import (
    NONE,
    NOTHING,
    Api,
    Builtin,
    Partial,
    ProjectClass,
    ProjectFunction,
    TensorValue,
    Unknown,
    Value,
    join,
    options,
)
from mindport.source.file import SourceFile

#: A function's body is analysed at most this often, and once more at the end.
MOST_ANALYSES = 3
#: Functions that are analysed because another one calls them, inside one another.
MOST_NESTED_CALLS = 24
#: Python's own limit while analysing: a tree 200 deep takes several frames a level.
RECURSION_LIMIT = 12_000


class Project:
    """``Project(files).facts(file)`` says what every expression of a file is."""

    def __init__(self, files: Iterable[SourceFile]) -> None:
        self._by_file: dict[int, ModuleScope] = {}
        scopes: dict[str, ModuleScope] = {}
        for file in files:
            scope = ModuleScope(module_name(file), file, Facts())
            self._by_file[id(file)] = scope
            scopes.setdefault(scope.name, scope)
        first = next(iter(scopes.values()), None)
        self.modules = ModuleIndex(scopes, package_around(first.file) if first is not None else "")
        self._done = False
        self._pending: dict[FunctionScope, None] = {}
        self._last: dict[FunctionScope, None] = {}  # after all others
        #: What a call that is being evaluated calls.
        self.calling: ast.expr | None = None
        self._passed = Passed()
        self._readers: dict[object, dict[FunctionScope, None]] = {}  # in the order in which they read
        self._current: FunctionScope | None = None
        self._depth = 0
        self.ahead: set[tuple[str, str]] = set()  # names of `imported_later` that are being looked up
        self._held: dict[ClassScope, dict[int, Value]] = {}
        self._defects: dict[int, Exception] = {}

    def check(self, file: SourceFile) -> None:
        """Raises the error that the analysis met in a file: what is known of it is not complete, that of the others is."""
        self._analyse_all()
        if id(file) in self._defects:
            raise self._defects[id(file)]

    def facts(self, file: SourceFile) -> Facts:
        """Everything known about one of the project's files. Raises KeyError for another file."""
        self._analyse_all()
        return self._by_file[id(file)].facts

    def reexports(self, file: SourceFile) -> frozenset[tuple[int, str]]:
        """(line, local name) of imports from project files that pass an outside name on."""
        self._analyse_all()
        return reexports(self._by_file[id(file)], self)

    # -- running ---------------------------------------------------------------------------

    def _analyse_all(self) -> None:
        if self._done:
            return
        self._done = True
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
        try:
            for module in self._by_file.values():
                index(module)
            note_handling(self.modules)
            for module in self._by_file.values():
                self._run_module(module)
            for module in self._by_file.values():
                for function in module.functions:
                    if function.state == NEW:
                        self._analyse(function)
            while waiting := self._pending or self._last:
                function = next(iter(waiting))
                del waiting[function]
                self._analyse(function)
            for module in self._by_file.values():
                try:
                    collect(self, module)
                except Exception as error:
                    self._failed(module, error)
        finally:
            sys.setrecursionlimit(limit)

    def _run_module(self, module: ModuleScope) -> None:
        if module.state != NEW:
            return
        module.state = RUNNING
        frame = Frame(self, module)
        frame.env = module.env
        current, self._current = self._current, None
        for statement in module.file.tree.body:  # what follows an exit is still bound: the file is imported too
            try:
                run(frame, [statement])
            except Exception as error:
                self._failed(module, error)
            if frame.env is not module.env:
                # Branches replace the environment; functions that run meanwhile read the module's.
                frame.env = _replace(module.env, frame.env)
        self._current = current
        module.state = DONE

    def _analyse(self, scope: FunctionScope) -> None:
        """Run a function's body; who read its result before is analysed again if it changed."""
        scope.state = RUNNING
        scope.analyses += 1
        frame = Frame(self, scope.module, scope, None, scope.closure)
        current, self._current = self._current, scope
        calls = self._passed.begin()
        self._depth += 1
        try:
            bind_parameters(frame, scope)
            node = scope.node
            if not isinstance(node, ast.Lambda):
                if node.returns is not None:
                    declared = annotated(node.returns, frame.evaluate, scope.module.strings)
                    scope.annotated = None if isinstance(declared, Unknown) else declared
                if run(frame, node.body):
                    frame.returns.append(NONE)
            else:
                frame.returns.append(frame.evaluate(node.body))
        except RecursionError:
            frame.returns.append(Unknown("the code is nested too deeply to follow"))
        except Exception as error:
            self._failed(scope.module, error)
            frame.returns.append(Unknown("mindport failed at this function"))
        finally:
            self._depth -= 1
            self._current = current
            for called in self._passed.end(scope, calls):
                self.again(called)
        scope.state = DONE
        found = returned(scope, frame)
        if found != scope.returned:
            before, scope.returned = scope.returned, found
            if before is not None or scope in self._readers:
                self._changed(scope)

    def _failed(self, module: ModuleScope, error: Exception) -> None:
        """Notes a defect, so that the other files are analysed; raises it for who looks for it."""
        raise_for_debugging(error)
        self._defects.setdefault(id(module.file), error)

    def later(self, scope: FunctionScope) -> None:
        """Analyse a function that was met in an expression."""
        self._pending[scope] = None

    def again(self, scope: FunctionScope) -> None:
        """The names around a nested function changed."""
        if scope.state != NEW:
            self._wanted(scope)

    def _wanted(self, scope: FunctionScope) -> None:
        if scope.analyses <= MOST_ANALYSES:
            (self._pending if scope.analyses < MOST_ANALYSES else self._last)[scope] = None

    def _read(self, key: object) -> None:
        if self._current is not None:
            self._readers.setdefault(key, {})[self._current] = None

    def _changed(self, key: object) -> None:
        for reader in tuple(self._readers.get(key, ())):
            self._wanted(reader)

    # -- functions -------------------------------------------------------------------------

    def result(self, scope: FunctionScope) -> Value:
        """What a call of a project function gives."""
        self._read(scope)
        if scope.state == NEW and self._depth < MOST_NESTED_CALLS:
            self._analyse(scope)
        if scope.returned is not None:
            return scope.returned if scope.keeps else likely(scope.returned)
        if scope.annotated is not None:
            return scope.annotated
        if scope.state == RUNNING:
            return NOTHING  # a recursive call gives what the other paths give
        return Unknown(f"{scope.name} is not analysed yet")

    def method(self, cls: ClassScope, name: str) -> FunctionScope | None:
        """The project method that an instance of the class has under a name."""
        for scope in cls.mro:
            found = scope.methods.get(name)
            if found is not None:
                return found
        return None

    def arguments(self, scope: FunctionScope, arguments: Arguments, site: int, skip: int) -> None:
        """Note what a call passes; `skip`: how many parameters the receiver takes."""
        if scope.kind == "static":
            skip = 0
        positional = scope.positional[skip:]
        for parameter, value in zip(positional, arguments.positional, strict=False):
            if parameter.annotation is None or _is_callable(value):
                self._argument(scope, parameter.arg, value, site)
        star = scope.node.args.vararg
        if star is not None and star.annotation is None and len(arguments.positional) > len(positional):
            self._argument(scope, "*" + star.arg, join(*arguments.positional[len(positional) :]), site)
        for name, value in {**arguments.maybe, **arguments.keywords}.items():
            known = scope.parameters.get(name, scope.node.args.kwarg)
            if known is not None and (known.annotation is None or _is_callable(value)):
                self._argument(scope, name if name in scope.parameters else f"**{name}", value, site)

    def argument(self, scope: FunctionScope, position: int, value: Value, site: int) -> None:
        """Note one positional argument."""
        if position < len(scope.positional):
            self._argument(scope, scope.positional[position].arg, value, site)

    def _argument(self, scope: FunctionScope, name: str, value: Value, site: int) -> None:
        if self._passed.note(scope, name, value, site) and scope.state != NEW:
            self._wanted(scope)

    # -- classes ---------------------------------------------------------------------------

    def store(self, cls: ClassScope, name: str, site: int, value: Value) -> None:
        """An instance of a class gets an attribute."""
        sites = cls.attributes.setdefault(name, {})
        if sites.get(site) != value:
            sites[site] = value
            self._changed((cls, name))

    def stored(self, cls: ClassScope, name: str) -> list[Value]:
        """What the project's methods set as an attribute of a class's instances."""
        found: list[Value] = []
        related = cls.mro if not cls.subclasses else (*cls.mro, *cls.all_subclasses())
        for scope in related:
            for method in scope.stores.get(name, ()):
                if method.state == NEW and self._depth < MOST_NESTED_CALLS:
                    self._analyse(method)
            sites = scope.attributes.get(name)
            if sites is not None:
                self._read((scope, name))
                found += sites.values()
            elif name in scope.stores:
                self._read((scope, name))
        return found

    def hold(self, cls: ClassScope, site: int, value: Value) -> None:
        """A project class that is a container module gets members."""
        sites = self._held.setdefault(cls, {})
        if sites.get(site) != value:
            sites[site] = value
            self._changed((cls, "*members"))

    def held(self, cls: ClassScope) -> Value | None:
        """The members of a project class that is a container module."""
        self._read((cls, "*members"))
        initial = self.method(cls, "__init__")
        if initial is not None and initial.state == NEW and self._depth < MOST_NESTED_CALLS:
            self._analyse(initial)
        found = [value for scope in cls.mro for value in self._held.get(scope, {}).values()]
        return join(*found) if found else None

    # -- modules ---------------------------------------------------------------------------

    def load(self, name: str) -> ModuleScope | None:
        """A project module by its name, with its body run; None for a folder without ``__init__``."""
        module = self.modules.modules.get(name)
        if module is not None and self._depth < MOST_NESTED_CALLS:
            self._depth += 1
            self._run_module(module)
            self._depth -= 1
        return module

    def module_value(self, name: str) -> Value:
        """A module or folder of the project as a value."""
        module = self.modules.modules.get(name)
        return (module if module is not None else self.modules.folder(name)).value

    def module_attribute(self, name: str, attribute: str) -> Value:
        """``module.attribute``: a name of the module, or a module inside the package."""
        module = self.load(name)
        if module is not None and attribute in module.env:
            return module.env[attribute]
        inner = f"{name}.{attribute}" if name else attribute
        if inner in self.modules.modules:
            self.load(inner)
            return self.module_value(inner)
        if self.modules.is_folder(inner):
            return self.module_value(inner)
        if module is not None:
            found = star_name(module, attribute)
            if found is None and module.state == RUNNING:
                found = imported_later(self, module, attribute)
            if found is not None:
                return found
        return Unknown(f"module {name} binds no name {attribute}")

    def global_name(self, module: ModuleScope, name: str) -> Value:
        """A name that a function or class body does not bind itself."""
        found = module.env.get(name)
        if found is None:
            found = global_builtin(name) or star_name(module, name)
        if found is None and name in ("__name__", "__file__", "__doc__"):
            return Builtin("str")
        return found if found is not None else Unknown(f"the name {name} is not bound")

    # -- tensors by use --------------------------------------------------------------------

    @cached_property
    def options(self) -> dict[str, Value]:
        """What the command line's arguments hold, by name."""
        return options_of(module.file for module in self._by_file.values())

    @cached_property
    def computes_weights(self) -> bool:
        """Whether layers' weights may be plain tensors."""
        return computes_weights(module.file for module in self._by_file.values())

    @cached_property
    def own_names(self) -> frozenset[str]:
        """Names of attributes that classes of the project have."""
        return own_names(self._by_file.values())

    @cached_property
    def _tensor_names(self) -> frozenset[str]:
        modules = torchfacts.members("torch.nn.Module")
        return torchfacts.members("torch.Tensor") - OF_BUILTINS - OF_ARRAYS - OF_MANY - modules - self.own_names

    def is_tensor_only(self, module: ModuleScope, name: str) -> bool:
        """Whether only tensors have an attribute of that name, as far as the project goes."""
        return name in self._tensor_names and not elsewhere(name, module.uses_torch, module.uses_tables)

    def is_module_only(self, name: str) -> bool:
        """Whether only modules have an attribute of that name, as far as the project goes."""
        return name in OF_MODULES and name not in self.own_names

    def assume(self, frame: Frame, name: str, value: Value = TensorValue(likely=True)) -> Value:
        """A name is used as only such values are: from here on, and as a parameter, it is one."""
        if frame.function is not None and name in frame.function.parameters and name not in frame.function.evidence:
            frame.function.evidence[name] = value
            self._wanted(frame.function)
        if name in frame.env:
            frame.env[name] = value
        return value


def _replace(old: dict[str, Value], new: dict[str, Value]) -> dict[str, Value]:
    """Give the module's dict, which others hold, the content of a new one."""
    old.clear()
    old.update(new)
    return old


def _is_callable(value: Value) -> bool:
    """A class or function as an argument says more than ``Callable[..., nn.Module]`` does."""
    return any(isinstance(option, (Api, ProjectClass, ProjectFunction, Partial)) for option in options(value))
