"""Making instances: of the project's classes, and of the library's layers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from mindport.analysis import torch_names
from mindport.analysis.network_run import attributes
from mindport.analysis.network_run.layer_rules import HOLDERS, PLAIN, PREFIX, STACKS, WEIGHED, bind
from mindport.analysis.network_run.values import Class, Instance, Parameter, Scope, Undecided, Unknown
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.inference.scopes import ClassScope

if TYPE_CHECKING:
    from mindport.analysis.network_run.statements import Run

_MODULE = torch_names.MODULE
#: Where base classes come from whose constructors are followed, or do nothing to a network.
_BASES = (PREFIX, "builtins.object", "abc.", "typing.", "typing_extensions.", "enum.")


def construct(run: Run, cls: ClassScope, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """``cls(*args, **keywords)``."""
    if cls.has_unknown_base():
        raise Undecided(f"a base class of {cls.name} is not known")
    for base in (option for owner in cls.mro for value in owner.bases or () for option in v.options(value)):
        if isinstance(base, v.Api) and not base.name.startswith(_BASES):
            raise Undecided(f"the base class {base.name} of {cls.name} is not followed")
    made = Instance(cls, "", _MODULE in cls.ancestors)
    for owner in cls.mro:
        method = attributes.method_of(owner, "__init__")
        if method is not None:
            if method.changed:
                raise Undecided(f"{method.changed} may change what the constructor of {cls.name} does")
            run.function(method, (made, *args), keywords, made)
            return made
    if made.module:
        super_init(run, made, args, keywords)
    elif not _fields(run, made, args, keywords) and (args or keywords):
        raise Undecided(f"{cls.name} has no constructor that is known")
    return made


def super_init(run: Run, made: Instance, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """The constructor of the library's class that the instance derives from."""
    base = next((name for name in (made.cls.ancestors if made.cls is not None else ())), "")
    if not made.module:
        _fields(run, made, args, keywords)
        return
    if not base or base == _MODULE:
        return
    if not base.startswith(PREFIX):
        raise Undecided(f"the constructor of {base} is not followed")
    layer = layer_of(run, base, args, keywords)
    if not isinstance(layer, Instance):
        raise Undecided(f"the constructor of {base} is not followed")
    made.layer, made.arguments, made.own = layer.layer, layer.arguments, layer.own
    made.attributes |= layer.attributes
    made.unknown += layer.unknown


def layer_of(run: Run, name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The library's layer of this name; None where the name is none. Its arguments may be unknown: so are its parameters then."""
    if not name.startswith(PREFIX):
        return None
    kind = name.removeprefix(PREFIX)
    if kind.rpartition(".")[2] == torch_names.PARAMETER_KIND:
        return None
    if name in HOLDERS:
        return _holder(run, name, args)
    if kind in WEIGHED or kind in PLAIN or kind in STACKS:
        made = Instance(None, name)
        signature = WEIGHED[kind][0] if kind in WEIGHED else PLAIN[kind] if kind in PLAIN else STACKS[kind][0]
        made.arguments = bind(signature, args, keywords)
        if kind in STACKS:
            _stack(made, STACKS[kind][1])
        return made
    known = torchfacts.lookup(name)
    if known is not None and known.kind == "class" and _MODULE in torchfacts.ancestors(name):
        made = Instance(None, name)
        made.unknown.append(f"{kind}'s parameters are not known")
        return made
    return None


def _holder(run: Run, name: str, args: tuple[Any, ...]) -> Instance:
    made = Instance(None, name)
    items: Any = args
    if len(args) == 1 and (name != PREFIX + torch_names.SEQUENTIAL or isinstance(args[0], dict)):
        items = args[0]
    if isinstance(items, Unknown):
        raise Undecided(f"what {made.kind} holds is not known: {items.why}")
    pairs = items.items() if isinstance(items, dict) else ((str(n), item) for n, item in enumerate(run.iterate(items)))
    for key, item in pairs:
        hold(made, str(key), item)
    return made


def hold(made: Instance, key: str, item: Any) -> None:
    """Register an element of a holder."""
    if isinstance(item, (Unknown, Class)) or not isinstance(item, Instance):
        made.unknown.append(f"an element of {made.kind} is not known" + (f": {item.why}" if isinstance(item, Unknown) else ""))
    made.attributes[key] = item


def _stack(made: Instance, argument: str) -> None:
    layer, count = made.arguments[argument], made.arguments["num_layers"]
    if not isinstance(layer, Instance) or not isinstance(count, int):
        made.unknown.append(f"what {made.kind} is made of is not known")
        return
    for number in range(count):
        made.attributes[f"layers.{number}"] = copied(layer)
    if isinstance(made.arguments["norm"], Instance):
        made.attributes["norm"] = made.arguments["norm"]


def copied(value: Any, seen: dict[int, Any] | None = None) -> Any:
    """A deep copy: modules and parameters are new ones, sharing stays sharing."""
    seen = {} if seen is None else seen
    if id(value) in seen:
        return seen[id(value)]
    if isinstance(value, Instance):
        made = Instance(value.cls, value.layer, value.module)
        seen[id(value)] = made
        made.arguments, made.unknown = dict(value.arguments), list(value.unknown)
        made.own = None if value.own is None else {k: copied(p, seen) for k, p in value.own.items()}
        made.attributes = {k: copied(v, seen) for k, v in value.attributes.items()}
        return made
    if isinstance(value, (list, tuple)):
        return type(value)(copied(v, seen) for v in value)
    if isinstance(value, dict):
        return {k: copied(v, seen) for k, v in value.items()}
    if isinstance(value, Parameter):
        seen[id(value)] = Parameter(value.shape, value.data)
        return seen[id(value)]
    return value


def _fields(run: Run, made: Instance, args: tuple[Any, ...], keywords: dict[str, Any]) -> bool:
    """A dataclass or named tuple: the annotated names of its body, in order. Whether it is one."""
    cls = made.cls
    if cls is None or not any("dataclass" in ast.unparse(d) for owner in cls.mro for d in owner.node.decorator_list):
        return False
    names: dict[str, tuple[ast.expr | None, Scope]] = {}
    for owner in reversed(cls.mro):
        scope = Scope(owner.module.facts, str(owner.module.file.relative))
        for statement in owner.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                names[statement.target.id] = (statement.value, scope)
    if len(args) > len(names) or set(keywords) - set(names):
        raise Undecided(f"{cls.name} does not take these arguments")
    given = dict(zip(names, args, strict=False)) | keywords
    for name, (default, scope) in names.items():
        if name in given:
            made.attributes[name] = given[name]
        elif default is None or isinstance(default, ast.Call):
            made.attributes[name] = Unknown(f"the default of {cls.name}.{name} is not known")
        else:
            made.attributes[name] = run.evaluate(default, scope)
    for owner in cls.mro:
        if "__post_init__" in owner.methods:
            run.call(attributes.read(run, made, "__post_init__"), (), {}, Scope(owner.module.facts, ""))
            break
    return True
