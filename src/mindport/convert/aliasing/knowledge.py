"""What calls do to the storage of their arguments: the library's by name, the project's by their own text."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mindport.convert.aliasing.inplace_layers import InPlaceLayers, positional
from mindport.convert.aliasing.objects import NOTHING, Object, Objects, path
from mindport.convert.aliasing.other_kinds import places_of_others
from mindport.convert.aliasing.python_calls import gives, is_taken_out, makes_empty
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.facts import Facts, Unresolved
from mindport.inference.overlays import storage
from mindport.source.file import SourceFile

if TYPE_CHECKING:
    from mindport.convert.aliasing.flow import Flow


@dataclass(frozen=True)
class Part:
    """What a call does to one argument. `name`: its position, or "self"; `relation` of the result to it."""

    name: str | int
    keyword: str | None = None
    receiver: bool = False
    relation: str = ""
    changed: str = ""  # the kind of mutation
    kept: bool = False
    again: bool = False  # whether the call can be written a second time to make the view again
    held: bool = False  # whether the result is what the argument, a container, holds


@dataclass(frozen=True)
class Effect:
    """What a call does to all of them."""

    parts: tuple[Part, ...] = ()
    new: bool = False
    keeps_arguments: bool = False
    outside: str = ""
    empty: bool = False  # whether the result is a container of nothing


#: Methods by which Python's containers take something up.
_KEEPING = frozenset(("append", "extend", "add", "insert", "update", "setdefault", "appendleft", "extendleft", "put", "put_nowait"))
#: Those of them that tensors have, too.
_TENSORS_TOO = frozenset(("add", "put"))
#: How many arguments of an unknown call are looked at.
_MANY = 12


@dataclass
class Knowledge:
    """Questions of the dataflow about one file, answered."""

    facts: Facts
    layers: InPlaceLayers
    summaries: dict[int, Any] = field(default_factory=dict)  # by id(function scope), shared by all files
    methods: frozenset[str] = frozenset()  # APIs that the file calls as methods
    names: dict[int, str] = field(default_factory=dict)  # by id(node): the API that a use names
    number: Callable[[int], int] = lambda line: line  # the user's own number of a line
    others: frozenset[int] = frozenset()  # id(node) of names that the text beside them asks for what tensors lack

    @staticmethod
    def of(file: SourceFile, facts: Facts, summaries: dict[int, Any]) -> Knowledge:
        """Knowledge about one file."""
        names = {id(use.node): use.name for use in facts.uses if use.kind in ("call", "method", "attribute")}
        names |= {id(use.node): use.name for use in facts.indirect if isinstance(use.node, ast.Call)}
        names |= {id(place.node): place.candidates[0] for place in facts.unresolved if is_tensor_method(place)}
        methods = frozenset(use.name for use in facts.uses if use.kind == "method")
        return Knowledge(facts, InPlaceLayers(facts), summaries, methods, names, file.number, places_of_others(file))

    def makes_each(self, node: ast.expr) -> bool:
        """Whether it is a call of the library's: of what it gives no two share a storage (``values, places = x.max(1)``)."""
        names = [self.names[id(node)]] if id(node) in self.names else [name for place in self.facts.unresolved if place.node is node for name in place.candidates]
        return bool(names) and all(name.startswith("torch.") for name in names)

    # -- types ---------------------------------------------------------------------------

    def is_tensor(self, node: ast.expr) -> bool:
        """Whether `node` is a tensor in at least one way, or nothing is known about it."""
        value, other = self.facts.value(node), id(node) in self.others
        return any(isinstance(o, v.TensorValue) or (type(o) is v.Unknown and not other and o is not v.NOTHING and not of_other_kind(o)) for o in v.options(value))

    def is_filled_elsewhere(self, node: ast.expr) -> bool:
        """Whether a name stands for something out of a container that nobody is seen to fill, be it what ``d.get(key)`` gives where there is
        nothing: functions that are handed the container may fill it, and nothing is added to None."""
        return isinstance(node, ast.Name) and _is_unseen(self.facts.value(node))

    def is_key(self, index: ast.expr) -> bool:
        """Whether an index is a text: what it is asked of, or set in, is a mapping, and no tensor."""
        kinds = v.options(self.facts.value(index))
        return isinstance(index, ast.JoinedStr) or all((isinstance(k, v.Const) and isinstance(k.value, str)) or (isinstance(k, v.Builtin) and k.type == "str") for k in kinds)

    def may_be_tensor(self, node: ast.expr) -> bool:
        """Whether `node` is a tensor, or not known."""
        return any(isinstance(option, (v.TensorValue, v.Unknown, v.Sequence, v.Mapping)) for option in v.options(self.facts.value(node)))

    def holds_no_tensor(self, node: ast.expr) -> bool:
        """Whether `node` is a number, a text, or a container of such."""
        return _is_plain(self.facts.value(node))

    def is_container(self, node: ast.expr) -> bool:
        """Whether `node` is a list, a text or the like."""
        if isinstance(node, (ast.List, ast.ListComp, ast.Tuple, ast.JoinedStr)):
            return True
        kinds = v.options(self.facts.value(node))
        return all(
            isinstance(k, (v.Sequence, v.Mapping)) or (isinstance(k, v.Const) and isinstance(k.value, str))
            or (isinstance(k, v.Builtin) and k.type in ("str", "bytes", "list", "tuple", "dict", "set"))
            for k in kinds
        )  # fmt: skip

    def joins_containers(self, node: ast.expr) -> bool:
        """Whether what an operator gives is a container: ``first + second`` of lists holds what both hold."""
        options = v.options(self.facts.value(node))
        return bool(options) and all(isinstance(option, (v.Sequence, v.Mapping)) for option in options)

    def index(self, node: ast.expr) -> str:
        """The relation of ``x[node]`` to x: basic indexing gives a view, indexing by tensors or lists a new tensor."""
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        unsure = False
        for part in parts:
            if isinstance(part, (ast.Slice, ast.Constant)):
                continue
            if isinstance(part, (ast.List, ast.Compare, ast.ListComp)) or v.is_tensor(self.facts.value(part)):
                return "new"
            kinds = v.options(self.facts.value(part))
            number = isinstance(part, (ast.BinOp, ast.UnaryOp)) and not any(isinstance(k, v.TensorValue) for k in kinds)
            if not number and not all(isinstance(k, (v.Const, v.Builtin)) for k in kinds):
                unsure = True
        return "maybe" if unsure else "index"

    def copies_gaps(self, node: ast.expr) -> bool:
        """Whether a call gives a copy of what does not lie in one piece, and a view of all else."""
        return self.names.get(id(node), "").rpartition(".")[2] in storage.COPYING_GAPS

    def attribute(self, node: ast.Attribute) -> str:
        """The relation of a tensor's attribute to the tensor."""
        if not self.may_be_tensor(node):
            return "new"
        found = storage.relation(name := f"torch.Tensor.{node.attr}")
        if torchfacts.lookup(name) is None and isinstance(self.facts.value(node.value), v.Unknown):
            return "held"  # no tensor has it: what is asked is another object
        return found if self.names.get(id(node), "").startswith("torch.Tensor.") or found != "new" else "new"

    def entered(self, item: ast.withitem) -> Objects:
        """What ``with made() as x`` gives of an object of the project's: its class may have it from anybody."""
        if item.optional_vars is None or not any(isinstance(option, v.ProjectInstance) for option in v.options(self.facts.value(item.context_expr))):
            return NOTHING
        return frozenset((Object("attribute", ast.unparse(item.context_expr), line=item.context_expr.lineno),)) if self.may_be_tensor(item.optional_vars) else NOTHING

    def replaces_values(self, node: ast.Attribute) -> bool:
        """Whether assigning to the attribute gives a tensor new values: ``x.data = y``."""
        return self.is_tensor(node.value) and storage.relation(f"torch.Tensor.{node.attr}") == "detached"

    # -- calls ---------------------------------------------------------------------------

    def call(self, node: ast.Call) -> Effect:
        """What a call does."""
        name = self.names.get(id(node))
        if name is not None and self.is_method_of_other(node, name):
            kept = Part(1, "tensor", kept=True) if name in storage.REGISTERING else None
            return Effect((kept,) if kept is not None else (), outside=ast.unparse(node))  # model.parameters(): others have what it gives
        if name is not None:
            return self.library(node, name)
        effects = [self.callee(node, option) for option in v.options(self.facts.value(node.func))]
        known = [e for e in effects if e is not None]
        layer = self.layers.at_call(node)
        if layer is not None:
            other = self.layers.first_of_several(node) is not None  # the argument is changed, and the result is another tensor
            passing = "passing" if self.layers.may_pass_on(node) else ""
            known = [Effect((Part(0, relation=passing if other else "same", changed="layer"),), new=other)]
        if not known or len(known) < len(effects):
            if isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING and (node.func.attr not in _TENSORS_TOO or not self.is_tensor(node.func.value)):
                return Effect(keeps_arguments=True, new=True)
            if not known and not self.may_be_tensor(node):
                return Effect(new=True)
            if not known and is_taken_out(node):
                return Effect((Part("self", receiver=True, relation="same", held=True), *(Part(place, relation="same") for place in range(1, len(node.args)))))
            if isinstance(node.func, ast.Attribute) and node.func.attr in storage.COMPUTING and not known:
                return Effect(new=True)  # whatever it is asked of: arrays and tables compute something new by these names, too
            if isinstance(node.func, ast.Attribute) and (not node.args or node.func.attr == "__getattr__") and name is None:
                return Effect(outside=ast.unparse(node))
            unknown = tuple(Part(i, relation="passing") for i in range(min(len(node.args), _MANY)))
            known.append(Effect(unknown or (Part("self", receiver=True, relation="maybe"),), new=True))
        return Effect(
            tuple(part for e in known for part in e.parts), any(e.new for e in known), any(e.keeps_arguments for e in known),
            next((e.outside for e in known if e.outside), ""), all(e.empty for e in known),
        )  # fmt: skip

    def attribute_asked(self, node: ast.Call) -> str | None:
        """The dotted path that ``getattr(owner, "name")`` reads, where the owner is no tensor."""
        match node.args:
            case [owner, ast.Constant(value=str(name)), *_] if self.facts.value(node.func) == v.Api("builtins.getattr") and not v.is_tensor(self.facts.value(owner)):
                held = path(owner)
                return f"{held}.{name}" if held is not None else None
        return None

    def is_method_of_other(self, node: ast.Call, name: str) -> bool:
        """Whether a library method is called on something that is no tensor: a module, an optimizer."""
        return isinstance(node.func, ast.Attribute) and name in self.methods and not name.startswith("torch.Tensor.")

    def library(self, node: ast.Call, name: str) -> Effect:
        """A call of the library's own function, method or class."""
        method = name.startswith("torch.Tensor.") and isinstance(node.func, ast.Attribute) and self.is_tensor(node.func.value)
        first: str | int = "self" if method else 0
        parts: list[Part] = []
        asked = next((k.value for k in node.keywords if k.arg == "inplace"), None)
        asked = asked or positional(name, node.args, "inplace")
        functional = name.rpartition(".")[0] + "." in storage.OWNERS and not name.rpartition(".")[2][:1].isupper()
        in_place = asked is not None and not (isinstance(asked, ast.Constant) and asked.value is False) and functional
        if storage.changes_operand(name) or in_place:
            kind = "method" if method else "layer" if in_place else "function"
            parts.append(Part(first, "input", method, "same", kind))
        else:
            relation = storage.relation(name)
            if relation == "maybe" and not method and node.args and self.is_container(node.args[0]):
                relation = "new"  # torch.as_tensor([1, 2]): a list's numbers are copied
            if relation != "new":
                parts.append(Part(first, "input", method, relation, again=relation in ("reshape", "swap", "index", "other")))
        parts += [Part("none", k.arg, False, "same", "function") for k in node.keywords if k.arg == "out" and not (isinstance(k.value, ast.Constant) and k.value.value is None)]
        return Effect(tuple(parts), new=not parts)

    def callee(self, node: ast.Call, value: v.Value) -> Effect | None:
        """A call of something that inference knows; None where nothing is known about it."""
        match value:
            case v.ProjectFunction(scope=scope):
                return self.project(scope, 0)
            case v.Bound(function=v.ProjectFunction(scope=scope)):
                return self.project(scope, 1)
            case v.ProjectInstance(cls=cls):
                for one in cls.scope.mro:
                    for method in ("forward", "__call__"):
                        if method in one.methods:
                            return self.project(one.methods[method], 1)
                base = next((name for name in cls.scope.ancestors if name.startswith("torch.nn.")), "torch.nn.Module")
                return self.layer(node, base) if base != "torch.nn.Module" else None
            case v.ProjectClass(scope=cls):
                for one in cls.mro:
                    if "__init__" in one.methods:
                        return Effect(tuple(p for p in self.project(one.methods["__init__"], 1).parts if p.kept or p.changed), new=True)
                return Effect(new=True)
            case v.Instance(cls=cls):
                return self.layer(node, cls)
            case v.Api(name=name) | v.Bound(function=v.Api(name=name)) if name.startswith("torch."):
                return self.library(node, name)
            case v.Api() | v.Bound() if (effect := self.python(node, value)) is not None:
                return effect
            case v.Api() | v.Const() | v.Builtin():
                return Effect(new=True)
        return None

    def layer(self, node: ast.Call, name: str) -> Effect:
        """A call of a layer of the library's, or of a class of the project's that has the layer's forward pass."""
        if name in storage.SEQUENCES_OF_LAYERS:
            return Effect((Part(0, relation="passing"),), new=True) if self.layers.may_pass_on(node) else Effect(new=True)
        relation = storage.layer_relation(name)
        return Effect((Part(0, relation=relation),)) if relation != "new" else Effect(new=True)

    def python(self, node: ast.Call, value: v.Value) -> Effect | None:
        """A call of one of Python's own functions, or of a container's method; None where it is another one."""
        if isinstance(value, v.Api) and value.name == "builtins.setattr":
            return Effect((Part(2, kept=True),), new=True)
        if isinstance(value, v.Api) and value.name in ("builtins.vars", "builtins.getattr") and not (node.args and v.is_tensor(self.facts.value(node.args[0]))):
            return Effect(tuple(Part(place, relation="same") for place in (2,) if len(node.args) > place), outside=ast.unparse(node))
        if makes_empty(value, node):
            return Effect(empty=True)
        found = gives(value, self.facts.value(node), [self.facts.value(argument) for argument in node.args])
        if found is None:
            return None
        if not found or (self.holds_no_tensor(node) and not _is_unseen(self.facts.value(node))):
            return Effect(new=True)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "setdefault":
            return Effect(keeps_arguments=True, new=True)
        return Effect(tuple(Part(name, receiver=name == "self", relation=relation, held=name == "self") for name, relation in found))

    def project(self, scope: Any, skipped: int) -> Effect:
        """What a function of the project does, from its own text; `skipped`: how many first parameters are bound."""
        from mindport.convert.aliasing.flow import follow

        if id(scope) not in self.summaries:
            self.summaries[id(scope)] = Effect(new=True)  # while it is being followed: a recursive call does nothing
            theirs = Knowledge.of(scope.module.file, scope.module.facts, self.summaries)
            flow = follow(scope.node, theirs)
            self.summaries[id(scope)] = (_summary(scope, flow), scope)
        found = self.summaries[id(scope)]
        effect: Effect = found[0] if isinstance(found, tuple) else found
        parts = tuple(
            Part(p.name - skipped, p.keyword, False, p.relation, p.changed, p.kept) if isinstance(p.name, int) and p.name >= skipped
            else Part("self", p.keyword, True, p.relation, p.changed, p.kept) if isinstance(p.name, int) else p
            for p in effect.parts
        )  # fmt: skip
        return Effect(parts, effect.new, outside=effect.outside or (scope.node.name if _is_kept(scope.node) else ""))


def _is_kept(function: ast.AST) -> bool:
    """Whether a function gives the same object once more: what it made is kept for the next call with these arguments."""
    return any(ast.unparse(one).partition("(")[0].rpartition(".")[2] in ("cache", "lru_cache") for one in getattr(function, "decorator_list", ()))


def of_other_kind(value: v.Unknown) -> bool:
    """Whether a library made the value whose objects are no tensors, and share no memory with one: a table of pandas, what a YAML file holds."""
    return value.origin.partition(".")[0] in storage.WITHOUT_TENSORS


def is_tensor_method(place: Unresolved) -> bool:
    """Whether a call on something unknown is a tensor's method that shares or changes storage: by its name alone."""
    if not isinstance(place.node, ast.Call) or len(place.candidates) != 1:
        return False
    return storage.relation(place.candidates[0]) != "new"


def _summary(scope: Any, flow: Flow) -> Effect:
    """What callers must know: which parameters are changed, kept, or given back."""
    order = [a.arg for a in scope.positional]
    parts: list[Part] = []
    new = not flow.returned
    outside = ""
    for name in scope.parameters:
        position: str | int = order.index(name) if name in order else "none"
        changed = any(o.source.key == name and o.source.origin == "parameter" for m in flow.mutations.values() for o in m.objects)
        kept = any(o.source.key == name and o.source.origin == "parameter" for o in flow.held)
        relation = ""
        for one in flow.returned:
            if one.source.origin == "parameter" and one.source.key == name:
                mine = "maybe" if one.source != one.root else "same" if one.base is None else one.relation if one.base.base is None and one.origin == "view" else "maybe"
                relation = mine if relation in ("", mine) else "maybe"
        if changed or kept or relation:
            parts.append(Part(position, name, False, relation, "passed" if changed else "", kept))
    for one in flow.returned:
        if one.root.origin == "new":
            new = True
        elif one.root.origin != "parameter":
            outside = str(one.root.key)
    return Effect(tuple(parts), new, outside=outside)


def _is_unseen(value: v.Value) -> bool:
    return all(option is v.NOTHING or option == v.NONE for option in v.options(value))


def _is_plain(value: v.Value) -> bool:
    for option in v.options(value):
        if isinstance(option, (v.Sequence, v.Mapping)):
            held = v.element_of(option) if isinstance(option, v.Sequence) else v.values_of(option)
            if not _is_plain(held):
                return False
        elif not isinstance(option, (v.Const, v.Builtin)):
            return False
    return True
