"""The project as the shape analysis runs it: every function with what its callers give it, until nothing changes.

A function is analysed once with all that its calls are known to pass (their join), again when a call passes more or
something that it reads has changed, at most `MOST_ANALYSES` times: the cost is linear in the project's length.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from functools import cached_property

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape.abstract import (
    CONSTANT,
    TENSOR,
    UNKNOWN,
    Abstract,
    Cause,
    Level,
    Origin,
    Source,
    join,
)
from mindport.analysis.dynamic_shape.constant_attributes import rewritten
from mindport.analysis.dynamic_shape.contexts import contexts_of
from mindport.analysis.dynamic_shape.demanded import used_as_tensors
from mindport.analysis.dynamic_shape.ducks import Ducks
from mindport.analysis.dynamic_shape.named_places import meant, several
from mindport.analysis.dynamic_shape.own_containers import container_classes
from mindport.analysis.dynamic_shape.places import ONCE
from mindport.analysis.dynamic_shape.records import fields_of_call
from mindport.analysis.regions import Region
from mindport.analysis.subject import Subject
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.inference.scopes import ClassScope
from mindport.source.defaults import defaults_of
from mindport.source.file import SourceFile
from mindport.source.walking import walk

MOST_ANALYSES = 4
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
#: What makes a class whose instances hold what they are given.
_RECORDS = (v.Api("collections.namedtuple"),)
#: What collations call the samples of a batch.
_SAMPLES = ("batch", "samples", "features", "examples", "instances", "data", "items", "data_list", "sample_list")
#: Methods of data sets whose result is a sample or a batch.
YIELDING = ("__getitem__", "__iter__", "__getitems__")


@dataclass(eq=False)
class Routine:
    """A function of the project (or a module's body), what its calls pass, and what it returns."""

    file: SourceFile
    facts: Facts
    node: _Function | ast.Module
    qualname: str
    region: Region
    in_class: bool = False
    given: dict[str, Abstract] = field(default_factory=dict)
    returned: Abstract | None = None
    callers: dict[Routine, None] = field(default_factory=dict)  # in the order in which they were met: a set's hangs on addresses
    around: dict[str, Abstract] = field(default_factory=dict)
    collates: bool = False
    analyses: int = 0
    found: set[Source] = field(default_factory=set)  # by the last analysis: earlier ones knew less
    reads: dict[str, ast.Name] | None = None  # where each parameter is read
    left_out: set[str] = field(default_factory=set)  # parameters that a call passes nothing for, or what may be None
    left: dict[str, Abstract] = field(default_factory=dict)  # containers among the arguments, as the routine leaves them
    of_torch: bool | None = None  # whether it works with PyTorch and no package of arrays; None: not asked yet
    gives_on: tuple[tuple[str, bool], ...] | None = None  # the parameters that it returns, each with whether it calls it; None: not asked yet
    under: Level = Level.CONSTANT  # how much whether a call of it is reached differs: at random, with the data
    within: Routine | None = None  # the function that it is defined in; what it leaves in that one's names
    outside: dict[str, Abstract] = field(default_factory=dict)
    fed_back: set[str] = field(default_factory=set)  # parameters that a loop gives what the routine returned in the turn before
    shown: frozenset[str] = frozenset()  # names that are used as only tensors are
    masks: frozenset[str] = frozenset()  # names that are used as only masks are
    shown_at: frozenset[int] = frozenset()  # expressions that are, by id
    objects: frozenset[str] | None = None  # required parameters that it uses as objects are used; None: not asked yet
    no_tensors: frozenset[str] | None = None  # parameters that are used as no tensor is; None: not asked yet
    demanded: tuple[frozenset[str], frozenset[int]] | None = None  # both, followed through its calls; None: not asked yet

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the function, as `walk` gives them; many ask."""
        return walk(self.node)

    @property
    def name(self) -> str:
        """The function's own name."""
        return self.qualname.rpartition(".")[2]

    @property
    def runs_once(self) -> bool:
        """Whether it makes an object: what it computes is settled from then on."""
        return self.name.endswith(ONCE)

    @property
    def in_context(self) -> bool:
        """Whether it is a generator for ``with`` statements: it gives one value."""
        return any(ast.unparse(d).endswith("contextmanager") for d in getattr(self.node, "decorator_list", ()))

    @property
    def prepares_data(self) -> bool:
        """Whether it runs before the network: shapes count only where they reach a sample or batch."""
        return self.region == "data" or self.collates or self._helps(frozenset())

    def _helps(self, below: frozenset[Routine]) -> bool:
        """Whether only what prepares data calls it: the function that pads for a collation."""
        if self.region != "other" or not self.callers or self in below:
            return False
        return all(caller.region == "data" or caller.collates or caller._helps(below | {self}) for caller in self.callers)

    @property
    def yields_batches(self) -> bool:
        """Whether what it returns goes to the network as a sample or batch."""
        return self.collates or (self.region == "data" and self.name in YIELDING)


class Engine:
    """Runs the analysis; `sources` are the places where shapes begin to change."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.sources: dict[tuple[int, str], Source] = {}
        self.attributes: dict[tuple[int, str], Abstract] = {}
        self._readers: dict[str, dict[Routine, None]] = {}
        self.globals: dict[SourceFile, dict[str, Abstract]] = {}
        self._global_readers: dict[tuple[SourceFile, str], dict[Routine, None]] = {}
        self.routines: dict[int, Routine] = {}
        #: Named tuples' classes by their names, of whatever file, with their fields.
        self.records: dict[str, list[str]] = {}
        #: Attributes that something writes into after the object was made.
        self.rewritten = rewritten(subject.facts)
        self.ducks: Ducks | None = None
        self.containers = container_classes(self)
        self.contexts = contexts_of(self)
        self._starred = False  # whether some attributes are known by a part of their names
        self.by_calls: set[int] = set()  # calls that make an object's list longer each time the method runs
        self.loops_asked: set[ast.For] = set()  # whose number of turns is being asked
        self.constructed: set[int] = set()  # classes that the project itself makes objects of, by the id of their node
        self._shown: dict[tuple[int, str], frozenset[str]] = {}
        self.modules: list[Routine] = []
        self._pending: dict[Routine, None] = {}
        for file, facts in subject.facts.items():
            self.globals[file] = {}
            self.modules.append(Routine(file, facts, file.tree, "", subject.regions.of(file, "")))
            self._collect(file, facts, file.tree, "", False)

    def _collect(self, file: SourceFile, facts: Facts, node: ast.AST, prefix: str, in_class: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                name = prefix + child.name
                self.routines[id(child)] = Routine(file, facts, child, name, self.subject.regions.of(file, name), in_class)
                self._collect(file, facts, child, name + ".", False)
            elif isinstance(child, ast.ClassDef):
                self._collect(file, facts, child, prefix + child.name + ".", True)
            elif isinstance(child, (ast.stmt, ast.ExceptHandler)):
                if isinstance(child, ast.Assign) and isinstance(child.value, ast.Call) and facts.value(child.value.func) in _RECORDS:
                    self.records |= {target.id: fields_of_call(child.value) for target in child.targets if isinstance(target, ast.Name)}
                self._collect(file, facts, child, prefix, False)

    def run(self) -> list[Source]:
        """Every place where a shape starts to change and something depends on it, in the order of the files."""
        from mindport.analysis.dynamic_shape.lasting import runs_once
        from mindport.analysis.dynamic_shape.statements import analyse

        for module in self.modules:
            analyse(self, module)
        called = self._called()
        for routine in sorted(self.routines.values(), key=lambda r: id(r.node) in called):
            self._pending.setdefault(routine)  # callers first: what they pass is known when it is needed
        while self._pending:
            routine = next(iter(self._pending))
            del self._pending[routine]
            routine.analyses += 1
            before = routine.returned
            routine.found = set()
            returned = analyse(self, routine)
            routine.returned = returned
            if routine.returned != before:
                for caller in routine.callers:
                    self.again(caller)
        found = {source for routine in [*self.modules, *self.routines.values()] for source in routine.found}
        once = {id(node) for routine in runs_once([*self.routines.values()]) for node in routine.nodes}
        batched = any(routine.collates for routine in self.routines.values())  # a collation pads what its samples have
        items = {id(node) for routine in self.routines.values() if routine.yields_batches and not routine.collates for node in routine.nodes} if batched else set()
        return [
            source for source in self.sources.values()
            if source.used and source in found and not (source.cause not in ("input", "batch") and id(source.node) in once) and not (source.cause == "list" and id(source.node) in items)
        ]  # fmt: skip

    @cached_property
    def called_in_training(self) -> frozenset[str]:
        """Names of the methods that loops that train call."""
        from mindport.analysis.dynamic_shape.grown_modules import called_in_training

        return called_in_training(self.subject)

    def _called(self) -> set[int]:
        """Functions that the project itself calls."""
        scopes = (scope for module in self.subject.inference.modules.modules.values() for scope in module.functions)
        return {id(scope.node) for scope in scopes if any(scope.sites.values())}

    def local(self, around: Routine, node: ast.Lambda, env: dict[str, Abstract]) -> None:
        """A lambda, which reads the names around it."""
        known = self.routines.get(id(node))
        if known is None:
            known = self.routines[id(node)] = Routine(around.file, around.facts, node, around.qualname + ".<lambda>", around.region, around=env)
            self._pending.setdefault(known)
        known.around = env

    def again(self, routine: Routine) -> None:
        """Something that the routine reads has changed."""
        if 0 < routine.analyses < MOST_ANALYSES:
            self._pending.setdefault(routine)

    def prefer(self, routine: Routine) -> None:
        """A call needs what the routine returns: it comes next, and its callers afterwards."""
        if routine in self._pending:
            self._pending = {routine: None, **{other: None for other in self._pending if other is not routine}}

    def give(self, routine: Routine, name: str, value: Abstract) -> None:
        """A call passes `value` for the parameter `name`."""
        value = replace(value, form=None) if value != UNKNOWN else UNKNOWN
        before = routine.given.get(name)
        after = value if before is None else join(before, value)
        if after != before:
            routine.given[name] = after
            self.again(routine)

    def leave_out(self, routine: Routine, name: str) -> None:
        """A call passes nothing for a parameter, or what may be None."""
        if name not in routine.left_out:
            routine.left_out.add(name)
            self.again(routine)

    def read_global(self, routine: Routine, name: str) -> Abstract | None:
        """What a name of the routine's module holds; None: never set."""
        self._global_readers.setdefault((routine.file, name), {})[routine] = None
        return self.globals[routine.file].get(name)

    def keep_global(self, file: SourceFile, name: str, value: Abstract) -> None:
        """A function writes into what a name of its module holds, or sets it."""
        before = self.globals[file].get(name)
        after = replace(value, form=None) if before is None else join(before, replace(value, form=None))
        if after != before:
            self.globals[file][name] = after
            for reader in self._global_readers.get((file, name), ()):
                self.again(reader)

    def leave(self, routine: Routine, left: dict[str, Abstract]) -> None:
        """What a routine has put into the containers that it was given."""
        if left != routine.left:
            routine.left = left
            for caller in routine.callers:
                self.again(caller)

    def source(
        self, code: str, cause: Cause, routine: Routine, node: ast.AST, message: str, row: str = "",
        origin: Origin | None = None, likely: bool = False,
    ) -> Source:  # fmt: skip
        """The source at a node; the same one whenever the analysis comes by again."""
        if routine.prepares_data and code in ("MP202", "MP204"):
            code = "MP201"
        key = (id(node), "MP203" if code == "MP203" else "")
        known = self.sources.get(key)
        if known is None:
            known = self.sources[key] = Source(code, cause, routine.file, node, message, row, origin, likely, routine.prepares_data)
        if known.code != code and routine.prepares_data and code == "MP201":
            known.code, known.in_data = code, True  # what calls it was not known before
        routine.found.add(known)
        return known

    def shown_in(self, routine: Routine) -> frozenset[str]:
        """Attributes of its own object, ``self.mask``, that the class of a method uses as only tensors are, in whichever method."""
        prefix = routine.qualname.rpartition(".")[0]
        key = (id(routine.file), prefix)
        if key not in self._shown:
            self._shown[key] = frozenset()
            methods = [r for r in self.routines.values() if r.file is routine.file and r.in_class and r.qualname.rpartition(".")[0] == prefix]
            self._shown[key] = frozenset(name for r in methods for name in used_as_tensors(self, r)[0] if name.startswith("self."))
        return self._shown[key]

    def read(self, cls: ClassScope, name: str, routine: Routine) -> Abstract | None:
        """What an attribute of the project's class can hold, set by any method of its family; None: never seen."""
        self._readers.setdefault(name, {})[routine] = None
        family = [*cls.mro, *cls.all_subclasses()]
        found = [self.attributes[id(c.node), name] for c in family if (id(c.node), name) in self.attributes]
        if self._starred or several(name):
            owners = {id(c.node) for c in family}
            found += [value for (owner, other), value in self.attributes.items() if owner in owners and other != name and meant(name, other)]
        return join(*found) if found else None

    def store(self, cls: ClassScope, name: str, value: Abstract) -> None:
        """An attribute is set."""
        key = (id(cls.node), name)
        value = replace(value, form=None)
        before = self.attributes.get(key)
        after = value if before is None else join(before, value)
        if after != before:
            self.attributes[key] = after
            self._starred = self._starred or several(name)
            readers = [r for other, known in self._readers.items() if meant(name, other) for r in known] if self._starred else self._readers.get(name, ())
            for reader in readers:
                self.again(reader)


def samples_parameter(arguments: ast.arguments) -> str | None:
    """The parameter of a collation that holds the samples: by its name, or the last one that has no default."""
    names = [a.arg for a in [*arguments.posonlyargs, *arguments.args]]
    named = [name for name in names if name in _SAMPLES]
    required = [name for name in names if name not in defaults_of(arguments)] or names
    return named[0] if named else required[-1] if required else None


def from_facts(value: v.Value) -> Abstract:
    """What inference alone says: a tensor's values are data, everything else is configuration."""
    if v.is_tensor(value):
        mask = all(isinstance(o, v.TensorValue) and o.dtype == torch_names.BOOL for o in v.options(value) if o != v.NONE)
        return replace(TENSOR, mask=True) if mask else TENSOR
    if isinstance(value, v.Const):
        return CONSTANT
    if isinstance(value, v.Instance) and value.cls == "numpy.ndarray":
        return Abstract(array=True)
    return UNKNOWN
