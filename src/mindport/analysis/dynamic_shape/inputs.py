"""Inputs of changing shape: collations, last batches, transforms that leave images their own sizes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis, file_apis, sized_apis
from mindport.analysis.dynamic_shape.abstract import Source
from mindport.analysis.dynamic_shape.engine import Engine
from mindport.analysis.dynamic_shape.joined_samples import flattened_samples, joined_samples
from mindport.analysis.recipe.keywords import unpacked
from mindport.analysis.subject import Function
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.defaults import defaults_of
from mindport.source.file import SourceFile
from mindport.source.walking import walk

#: The name that most projects give the function, where the loader could not be followed to it.
_COLLATE = "collat"


def mark_collations(engine: Engine) -> None:
    """Say which functions make batches: those that loaders are given, and those called so."""
    for file, use in engine.subject.uses(torch_names.LOADER):
        if not isinstance(use.node, ast.Call):
            continue
        for keyword in use.node.keywords:
            if keyword.arg != "collate_fn":
                continue
            for option in v.options(engine.subject.facts[file].value(keyword.value)):
                if isinstance(option, v.Bound):
                    option = option.function
                if isinstance(option, v.Partial):
                    option = option.function
                if isinstance(option, v.ProjectInstance):
                    called = next((c.methods["__call__"] for c in option.cls.scope.mro if "__call__" in c.methods), None)
                    option = called.value if called is not None else option
                if isinstance(option, v.ProjectFunction) and id(option.scope.node) in engine.routines:
                    engine.routines[id(option.scope.node)].collates = True
    for file, use in engine.subject.uses(*apis.DEFAULT_COLLATIONS):
        around = engine.subject.function_around(file, use.node) if isinstance(use.node, ast.Call) and use.kind == "call" else None
        if around is not None and id(around) in engine.routines and len(around.args.args) in (1, 2) and around.name not in ("__getitem__", "__iter__"):
            engine.routines[id(around)].collates = True  # what puts samples together by the default is itself a collation
    for routine in engine.routines.values():
        owner = routine.qualname.split(".")[-2:-1]
        called_so = any(word.startswith(_COLLATE) for word in routine.name.lower().split("_"))
        if called_so or routine.in_class and routine.name == "__call__" and _COLLATE in owner[0].lower():
            routine.collates = True


def of_loading(engine: Engine) -> Iterator[Source]:
    """Sources that the construction of loaders, data sets and transforms shows."""
    yield from _ragged(engine)
    yield from _joined(engine)
    one_size = any(True for _, use in engine.subject.uses(*apis.ONE_SIZE)) and not any(True for _ in engine.subject.uses(*apis.ANY_SIZE))
    yield from _batch_samplers(engine)
    for file, facts in engine.subject.facts.items():
        for node in file.nodes:
            if isinstance(node, ast.Call) and any(isinstance(o, v.ProjectClass) and torch_names.LOADER in o.scope.ancestors for o in v.options(facts.value(node.func))):
                last = _last_batch(file, facts, node, engine)  # a loader of the project's own class
                if last is not None:
                    last.used = True
                    yield last
            elif isinstance(node, ast.Call) and (bound := _partial_of_a_loader(file, facts, node)) is not None:
                last = _last_batch(file, facts, bound, engine)
                if last is not None:
                    last.node, last.used = node, True
                    yield last
    for file, use in engine.subject.uses(torch_names.LOADER, apis.TRANSFORMS, torch_names.VISION_DATASETS):
        if not isinstance(use.node, ast.Call) or use.kind != "call":
            continue
        facts = engine.subject.facts[file]
        if use.name == torch_names.LOADER:
            source = _last_batch(file, facts, use.node, engine)
        elif use.name.endswith(".Compose") and not one_size:
            source = _pipeline(file, facts, use.node)
        elif use.name in apis.ANY_SIZE:
            source = _own_sizes(file, facts, use.node, use.name, engine)
        else:
            source = None
        if source is not None:
            source.used = True
            yield source


def _partial_of_a_loader(file: SourceFile, facts: Facts, node: ast.Call) -> ast.Call | None:
    """``make(test_set)`` behind ``make = partial(DataLoader, batch_size=n)``: the call as it is made in the end."""
    known = v.options(facts.value(node.func))
    if not (len(known) == 1 and isinstance(known[0], v.Partial) and isinstance(known[0].function, v.Api) and known[0].function.name == torch_names.LOADER):
        return None
    made = [node.func]
    if isinstance(node.func, ast.Name):
        made = [s.value for s in file.nodes if isinstance(s, ast.Assign) and any(isinstance(t, ast.Name) and t.id == node.func.id for t in s.targets)]  # type: ignore[attr-defined]
    if len(made) != 1 or not isinstance(made[0], ast.Call):
        return None
    own = {k.arg for k in node.keywords}
    return ast.copy_location(ast.Call(node.func, [*made[0].args[1:], *node.args], [*node.keywords, *(k for k in made[0].keywords if k.arg is None or k.arg not in own)]), node)


def _batch_samplers(engine: Engine) -> Iterator[Source]:
    """Samplers of batches that keep the last one as it is."""
    for file, use in engine.subject.uses(apis.BATCH_SAMPLER):
        if not isinstance(use.node, ast.Call) or use.kind != "call":
            continue
        given = dict(zip(("sampler", "batch_size", "drop_last"), use.node.args, strict=False)) | {k.arg: k.value for k in use.node.keywords if k.arg}
        facts = engine.subject.facts[file]
        size = given.get("batch_size")
        if "drop_last" in given and facts.value(given["drop_last"]) == v.Const.of(False) and size is not None and facts.value(size) != v.Const.of(1):
            source = Source("MP201", "batch", file, use.node, "without drop_last the last batch is smaller", "input", likely=True)
            source.used = True
            yield source


def _ragged(engine: Engine) -> Iterator[Source]:
    for routine in engine.routines.values():
        if routine.collates and isinstance(routine.node, Function):
            facts = engine.subject.facts[routine.file]
            for call in [*joined_samples(routine.node, facts), *flattened_samples(routine.node, facts)]:
                source = Source("MP201", "input", routine.file, call, "samples of their own lengths are joined to one tensor, as long as all of them together", "Slice")
                source.used = True
                yield source


def _joined(engine: Engine) -> Iterator[Source]:
    """Loaders of graphs, and collators of texts."""
    for names, why in ((apis.GRAPH_LOADERS, "a batch has as many nodes and edges as its graphs together"), (apis.COLLATORS, "the texts of a batch are padded to the longest of them")):
        for file, use in engine.subject.uses(*names):
            if use.kind != "call" or not isinstance(use.node, ast.Call):
                continue
            padding = next((k.value for k in use.node.keywords if k.arg == "padding"), None)
            if padding is None or isinstance(padding, ast.Constant) and padding.value in apis.LONGEST:
                source = Source("MP201", "input", file, use.node, why, "input")
                source.used = True
                yield source


def _last_batch(file: SourceFile, facts: Facts, node: ast.Call, engine: Engine) -> Source | None:
    spread = unpacked(engine.subject, file, node)
    given = {k.arg: k.value for k in node.keywords if k.arg} | spread
    hidden = any(k.arg is None for k in node.keywords) and not spread
    if hidden or any(isinstance(a, ast.Starred) for a in node.args) or "batch_sampler" in given:
        return None
    batch = given.get("batch_size") or (node.args[1] if len(node.args) > 1 else None)
    dropped = given.get("drop_last") or (node.args[8] if len(node.args) > 8 else None)
    if batch is None or dropped is not None and facts.value(dropped) != v.Const.of(False) and not _left_off(engine, file, dropped):
        return None
    if _default(engine, file, batch) == v.Const.of(1):
        return None
    size = _constant(facts.value(batch))
    length = _items(facts, given.get("dataset") or (node.args[0] if node.args else None), engine)
    if size == 1 or _whole(facts, batch, given.get("dataset") or (node.args[0] if node.args else None)) or _is_none(facts.value(batch)) or (size and length is not None and length % size == 0):
        return None
    rest = f" (the last one has {length % size} of {size})" if size and length is not None else ""
    return Source("MP201", "batch", file, node, f"without drop_last the last batch is smaller{rest}", "input", likely=length is None)


def _default(engine: Engine, file: SourceFile, node: ast.expr) -> v.Value | None:
    """The default of the parameter that an expression is, where nothing calls the function."""
    if not isinstance(node, ast.Name):
        return None
    for routine in engine.routines.values():
        known = routine.node
        if routine.file is file and known.lineno <= node.lineno <= (known.end_lineno or 0) and not routine.callers and not isinstance(known, ast.Module):  # type: ignore[union-attr]
            default = defaults_of(known.args).get(node.id)
            if default is not None:
                return routine.facts.value(default)
    return None


def _left_off(engine: Engine, file: SourceFile, node: ast.expr) -> bool:
    """Whether an expression is a parameter that is False for one of the calls of the function around: passed so, or left out."""
    around = engine.subject.function_around(file, node) if isinstance(node, ast.Name) else None
    scope = next((s for module in engine.subject.inference.modules.modules.values() for s in module.functions if s.node is around), None) if around is not None else None
    if scope is None or not isinstance(node, ast.Name):
        return False
    passed = scope.sites.get(node.id, {})
    if any(value == v.Const.of(False) for value in passed.values()):
        return True
    default = defaults_of(around.args).get(node.id)  # type: ignore[union-attr]
    calls = {site for sites in scope.sites.values() for site in sites}
    off = default is not None and engine.routines[id(around)].facts.value(default) == v.Const.of(False)
    return off and bool(calls - set(passed))


def _whole(facts: Facts, batch: ast.expr, dataset: ast.expr | None) -> bool:
    """``batch_size=len(dataset)``: one batch of everything."""
    counted = [ast.unparse(n.args[0]) for n in walk(batch) if isinstance(n, ast.Call) and len(n.args) == 1 and facts.value(n.func) == v.Api("builtins.len")]
    if isinstance(batch, ast.BinOp) and isinstance(batch.op, ast.Sub) and dataset is not None and any(isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Slice) and ast.unparse(n.value) in counted for n in walk(dataset)):
        return True  # batch_size=len(x) - k of x[k:]
    return dataset is not None and isinstance(batch, ast.Call) and len(batch.args) == 1 and facts.value(batch.func) == v.Api("builtins.len") and ast.dump(batch.args[0]) == ast.dump(dataset)


def _constant(value: v.Value) -> int | None:
    return value.value if isinstance(value, v.Const) and isinstance(value.value, int) else None


def _is_none(value: v.Value) -> bool:
    return value == v.NONE


def _items(facts: Facts, dataset: ast.expr | None, engine: Engine) -> int | None:
    """How many samples a data set has, where its text says so."""
    if dataset is None:
        return None
    for option in v.options(facts.value(dataset)):
        if isinstance(option, v.ProjectInstance):
            method = next((c.methods["__len__"] for c in option.cls.scope.mro if "__len__" in c.methods), None)
            if method is not None and len(method.node.body) == 1 and isinstance(method.node.body[0], ast.Return):  # type: ignore[arg-type, index, union-attr]
                value = method.node.body[0].value  # type: ignore[index, union-attr]
                return _constant(facts.value(value)) if value is not None else None
    made = _made_by(facts, dataset, engine)
    if isinstance(made, ast.Call) and made.args:
        return _rows(facts, _made_by(facts, made.args[0], engine))
    return None


def _rows(facts: Facts, held: ast.expr) -> int | None:
    """How many rows a tensor has that a data set is made of."""
    tensor = facts.value(held)
    if isinstance(tensor, v.TensorValue) and tensor.shape and isinstance(tensor.shape[0], int):
        return tensor.shape[0]
    callee = facts.value(held.func) if isinstance(held, ast.Call) and held.args else None
    if isinstance(held, ast.Call) and isinstance(callee, v.Api) and sized_apis.SIZED.get(callee.name) == sized_apis.FACTORY:
        return _constant(facts.value(held.args[0]))
    return None


def _made_by(facts: Facts, node: ast.expr, engine: Engine) -> ast.expr:
    """The expression that made what a name holds, where the name is bound once in its file."""
    if not isinstance(node, ast.Name):
        return node
    file = next((f for f, known in engine.subject.facts.items() if known is facts), None)
    if file is None:
        return node
    found = [
        s.value for s in file.nodes
        if isinstance(s, ast.Assign) and any(isinstance(t, ast.Name) and t.id == node.id for t in s.targets)
    ]  # fmt: skip
    return found[0] if len(found) == 1 else node


def _tail(facts: Facts, node: ast.expr) -> str | None:
    """The transform that an expression constructs: ``Resize`` for ``transforms.Resize(256)``."""
    if not isinstance(node, ast.Call):
        return None
    callee = facts.value(node.func)
    return callee.name.rpartition(".")[2] if isinstance(callee, v.Api) and callee.name.startswith(apis.TRANSFORMS) else None


def _resizes_one_side(facts: Facts, node: ast.Call) -> bool:
    size = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "size"), None)
    if size is None:
        return False
    value = facts.value(size)
    return _constant(value) is not None or isinstance(value, v.Builtin) and value.type == "int"


def _pipeline(file: SourceFile, facts: Facts, node: ast.Call) -> Source | None:
    steps = node.args[0] if node.args else None
    if not isinstance(steps, (ast.List, ast.Tuple)):
        return None
    open_one: ast.Call | None = None
    for step in steps.elts:
        tail = _tail(facts, step)
        if tail == apis.RESIZING and isinstance(step, ast.Call):
            open_one = step if _resizes_one_side(facts, step) else None
        elif tail in apis.FIXING_TRANSFORMS or tail is None:
            open_one = None  # what is not known may fix the size
    if open_one is None:
        return None
    message = "Resize with one number fixes the shorter side only: images keep their aspect ratios"
    return Source("MP201", "input", file, open_one, message, "input", likely=True)


def _own_sizes(file: SourceFile, facts: Facts, node: ast.Call, name: str, engine: Engine) -> Source | None:
    given = next((k.value for k in node.keywords if k.arg == "transform"), None)
    if given is None:
        given = next((a for a in node.args if _tail(facts, a) is not None), None)
    if given is None:
        return None
    given = _made_by(facts, given, engine)
    steps = [given]
    tail = _tail(facts, given)
    if tail == "Compose" and isinstance(given, ast.Call) and given.args and isinstance(given.args[0], (ast.List, ast.Tuple)):
        steps = list(given.args[0].elts)
    if not all(_tail(facts, step) in file_apis.KEEPING_TRANSFORMS for step in steps):
        return None
    return Source("MP201", "input", file, node, f"nothing makes the images of {name.rpartition('.')[2]} one size", "input")
