"""What a recipe says without a loader or a scheduler: orders that are drawn, what a trainer does by itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.analysis import torch_names
from mindport.analysis.answers import Quote
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.settings import normal
from mindport.analysis.subject import Subject
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.file import SourceFile

_GIVES_ITEMS = "__getitem__"
#: Functions that draw what a measure is taken on; one that is called sample may give the batches of training.
_MEASURES = re.compile(r"eval|test|valid|(^|_)val(_|$)")


def drawn_orders(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """(text, place) of what shuffles without a loader: a data set's own method, a trainer, an order that NumPy draws, in files that train."""
    for file, known in subject.facts.items():
        if subject.aside(file.relative):
            continue
        for use in known.uses:
            if use.kind in ("call", "base") and use.name in words.TRAINERS:
                yield f"{use.name.rpartition('.')[2]} shuffles by itself (RandomSampler)", subject.quote(file, use.node)
        reads_sets = any(name.startswith(tuple(each.rstrip(".") for each in words.SHUFFLED_SETS)) for name in _imported(file))
        trains = any(use.name.startswith(torch_names.TRAINING) for use in known.uses)
        for node in file.nodes:
            if not isinstance(node, ast.Call):
                continue
            callee = known.value(node.func)
            if isinstance(callee, v.Api) and callee.name in words.ORDERS and (trains or _gives_batches(subject, file, node) or _orders_pairs(subject, file, node)) and not _orders_parts(subject, file, node):
                yield f"order drawn by {callee.name}", subject.quote(file, node)
            if isinstance(node.func, ast.Attribute) and node.func.attr == "shuffle":
                value = known.value(node.func.value)
                unknown = [o.origin for o in v.options(value) if isinstance(o, v.Unknown)]
                if any(origin.startswith(words.SHUFFLED_SETS) for origin in unknown) or unknown and reads_sets and node.args and not ast.unparse(node.func.value).endswith("random"):
                    yield f"{ast.unparse(node)[-40:]} on the data set", subject.quote(file, node)


def _orders_pairs(subject: Subject, file: SourceFile, node: ast.Call) -> bool:
    """Whether an order is put on two arrays of a function that somebody calls: ``order = torch.randperm(n)``, ``x[order], y[order]``."""
    around = subject.function_around(file, node)
    written = subject.written_names
    if around is None or _MEASURES.search(around.name) or written is not None and around.name not in written:
        return False
    names = {t.id for n in ast.walk(around) if isinstance(n, ast.Assign) and n.value is node for t in n.targets if isinstance(t, ast.Name)}
    return len({ast.unparse(n.value) for n in ast.walk(around) if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Name) and n.slice.id in names}) >= 2


def _orders_parts(subject: Subject, file: SourceFile, node: ast.Call) -> bool:
    """Whether an order is one of what a sample consists of: the name that holds it indexes later axes alone, as in ``features[:, order]``."""
    scope: ast.AST = subject.function_around(file, node) or file.tree
    names = {t.id for n in ast.walk(scope) if isinstance(n, ast.Assign) and n.value is node for t in n.targets if isinstance(t, ast.Name)}
    places = [
        [isinstance(part, ast.Name) and part.id in names for part in (n.slice.elts if isinstance(n.slice, ast.Tuple) else [n.slice])]
        for n in ast.walk(scope) if isinstance(n, ast.Subscript)
    ]  # fmt: skip
    used = [parts for parts in places if any(parts)]
    return bool(used) and not any(parts[0] for parts in used)


def own_sets(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """``ImageDataset(shuffle=True)``: what files that train tell the project's own classes and functions."""
    for file, known in subject.facts.items():
        if subject.aside(file.relative) or not subject.programs.trains(file):
            continue
        for node in file.nodes:
            told = next((k.value for k in node.keywords if k.arg == "shuffle"), None) if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and isinstance(told, ast.Constant) and any(isinstance(o, (v.ProjectClass, v.ProjectFunction)) for o in v.options(known.value(node.func))):
                yield f"{ast.unparse(node.func).rpartition('.')[2]}(shuffle={told.value!r})", subject.quote(file, node)


def drawn_samples(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """(text, place) of samples that a replay buffer draws: ``random.sample(self.memory, batch_size)`` in a class called so."""
    for file, known in subject.facts.items():
        if subject.aside(file.relative):
            continue
        for cls in file.nodes:
            if not isinstance(cls, ast.ClassDef):
                continue
            if not any(word in cls.name.lower() for word in ("buffer", "memory", "replay")):
                continue
            for node in ast.walk(cls):
                callee = known.value(node.func) if isinstance(node, ast.Call) else None
                if isinstance(callee, v.Api) and callee.name in words.DRAWN_SAMPLES:
                    yield f"{cls.name} draws samples by {callee.name}", subject.quote(file, node)


def drawn_items(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """(text, place) of data sets that draw a whole batch for an item, whatever number the loader asks for."""
    for file, known in subject.facts.items():
        if subject.aside(file.relative):
            continue
        for cls in file.nodes:
            for node in _in_items(cls) if isinstance(cls, ast.ClassDef) else ():
                callee = known.value(node.func) if isinstance(node, ast.Call) else None
                if isinstance(node, ast.Call) and isinstance(callee, v.Api) and callee.name in words.DRAWN_SAMPLES and _several_of_all(node):
                    yield f"{cls.name} draws samples by {callee.name}", subject.quote(file, node)  # type: ignore[attr-defined]
            for name, call in _index_drawn(known, cls) if isinstance(cls, ast.ClassDef) else ():
                yield f"{cls.name} draws its samples by {name}", subject.quote(file, call)  # type: ignore[attr-defined]


def drawn_batches(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """(text, place) of batches that are drawn without a loader: ``random.sample(self.users, self.batch_size)`` in what training reaches."""
    for file, known in subject.facts.items():
        if subject.aside(file.relative) or not (subject.programs.trains(file) or subject.programs.helps_training(file)):
            continue
        for node in file.nodes:
            callee = known.value(node.func) if isinstance(node, ast.Call) else None
            if isinstance(node, ast.Call) and isinstance(callee, v.Api) and callee.name in words.DRAWN_SAMPLES and (around := subject.function_around(file, node)) is not None and not _MEASURES.search(around.name.lower()):
                counts = [*node.args[1:2], *(k.value for k in node.keywords if k.arg in ("size", "k"))]
                if any(re.fullmatch(words.BATCH, normal(ast.unparse(count).rpartition(".")[2])) for count in counts):
                    yield f"batches drawn by {callee.name}", subject.quote(file, node)


def _index_drawn(known: Facts, cls: ast.ClassDef) -> Iterator[tuple[str, ast.Call]]:
    """(API, call) of a draw that takes the place of the number that a loader asks for: ``index = random.randint(0, len(self))``."""
    for method in cls.body:
        if not (isinstance(method, ast.FunctionDef) and method.name == _GIVES_ITEMS and len(method.args.args) > 1):
            continue
        asked = method.args.args[1].arg
        for node in ast.walk(method):
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == asked for t in node.targets):
                for call in ast.walk(node.value):
                    callee = known.value(call.func) if isinstance(call, ast.Call) else None
                    if isinstance(call, ast.Call) and isinstance(callee, v.Api) and callee.name in (*words.DRAWN_SAMPLES, *words.DRAWN_NUMBERS):
                        yield callee.name, call


def _in_items(cls: ast.ClassDef) -> Iterator[ast.AST]:
    """The nodes of the method that gives the items of a data set."""
    return (node for method in cls.body if isinstance(method, ast.FunctionDef) and method.name == _GIVES_ITEMS for node in ast.walk(method))


def _several_of_all(call: ast.Call) -> bool:
    """``choice(len(self.poses), self.batch_size)``: as many as a batch has, of all."""
    over = call.args[0] if len(call.args) == 2 else None
    return isinstance(over, ast.Call) and ast.unparse(over.func) == "len" and ast.unparse(over.args[0] if over.args else over).startswith("self") and not isinstance(call.args[1], ast.Constant)


def shuffles_itself(subject: Subject, follower: Follower, file: SourceFile, call: ast.Call) -> str:
    """``PackedDataset(shuffle=True)`` where the loader's data set, whatever its class, is told to shuffle."""
    data = next((k.value for k in call.keywords if k.arg == "dataset"), call.args[0] if call.args else None)
    scope: ast.AST = subject.function_around(file, call) or file.tree
    waiting, seen = [data] if data is not None else [], set[str]()
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and node.id not in seen:
            seen.add(node.id)
            waiting += [n.value for n in ast.walk(scope) if isinstance(n, ast.Assign) and any(isinstance(t, ast.Name) and t.id == node.id for t in n.targets)]
            waiting += [
                a for n in ast.walk(scope) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "append" and ast.unparse(n.func.value) == node.id for a in n.args
            ]  # fmt: skip
        elif isinstance(node, ast.Call):
            told = next((k.value for k in node.keywords if k.arg == "shuffle"), None)
            text = follower.follow(file, told).text if told is not None else ""
            if text.startswith("True"):
                return f"{ast.unparse(node.func).rpartition('.')[2]}(shuffle={text})"
            waiting += [a for a in [*node.args, *(k.value for k in node.keywords if k.arg in (None, "dataset", "datasets"))] if isinstance(a, (ast.Name, ast.Call))]
    return ""


def _gives_batches(subject: Subject, file: SourceFile, node: ast.AST) -> bool:
    """Whether a generator of batches stands around a place, or what gives batches to a program that trains."""
    around = subject.function_around(file, node)
    named = around is not None and any(word in around.name.lower() for word in ("batch", "loader", "iter", "shuffle"))
    return around is not None and named and (any(isinstance(n, ast.Yield) for n in ast.walk(around)) or subject.programs.helps_training(file))


def _imported(file: SourceFile) -> Iterator[str]:
    for node in file.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def own_order(subject: Subject, file: SourceFile, call: ast.Call) -> str:
    """What a loader does whose data set draws its samples itself; nothing for any other."""
    data = next((k.value for k in call.keywords if k.arg == "dataset"), call.args[0] if call.args else None)
    known = subject.facts[file]
    for option in v.options(known.value(data)) if data is not None else ():
        if isinstance(option, v.ProjectInstance) and words.ITERABLE in option.cls.scope.ancestors:
            return f"{option.cls.scope.name} is iterable: it draws its own order"
    return ""


def trainers_schedule(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """(text, place) of a trainer's schedule where its arguments name none, and no setting does that a class of arguments gets."""
    for file, use in subject.uses(*words.TRAINERS_ARGUMENTS):
        if subject.aside(file.relative):
            continue
        called = use.kind == "call" and isinstance(use.node, ast.Call) and not any(k.arg in (None, words.TRAINERS_SCHEDULE) for k in use.node.keywords)
        if called or use.kind == "base" and not subject.settings.named(words.TRAINERS_SCHEDULE):
            yield "linear (the Trainer's default)", subject.quote(file, use.node)


def trainers_optimizer(subject: Subject) -> Iterator[Quote]:
    """Places of a trainer that nothing gives an optimizer: AdamW is its own."""
    for file, use in subject.uses(*words.TRAINERS):
        given = isinstance(use.node, ast.Call) and any(k.arg in (None, "optimizers") for k in use.node.keywords)
        if use.kind in ("call", "base") and not given and not subject.aside(file.relative):
            yield subject.quote(file, use.node)
