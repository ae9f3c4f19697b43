"""B2 and the batch size of B6: what loaders are told, and what is drawn without one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.analysis.answers import Answer, Quote
from mindport.analysis.recipe import vocabulary as words
from mindport.analysis.recipe.calls import Found, calls, in_use
from mindport.analysis.recipe.defaults import (
    drawn_batches,
    drawn_items,
    drawn_orders,
    drawn_samples,
    own_order,
    own_sets,
    shuffles_itself,
)
from mindport.analysis.recipe.evaluation import evaluates, file_evaluates
from mindport.analysis.recipe.following import Follower
from mindport.analysis.recipe.keywords import unpacked
from mindport.analysis.recipe.rows import deciding, row, unique
from mindport.analysis.recipe.settings import Settings, normal
from mindport.analysis.subject import Function, Subject
from mindport.inference import values as v
from mindport.source.called import last_name
from mindport.source.file import SourceFile

#: What shows how far a loop has come.
_BARS = ("tqdm", "trange", "enumerate", "track", "progress_bar", "iter")


def shuffling(subject: Subject, follower: Follower) -> Answer:
    """The row on the order of samples."""
    values, quotes = [], []
    for file, _, call in _of_training(subject):
        keywords = {k.arg: k.value for k in call.keywords if k.arg} | unpacked(subject, file, call)
        given = [f"{each}={_told(subject, follower, file, keywords[each])}" for each in ("shuffle", "sampler", "batch_sampler") if each in keywords]
        hidden = any(k.arg is None for k in call.keywords) and not unpacked(subject, file, call)
        if not given and len(call.args) > 2:
            given = [f"shuffle={follower.follow(file, call.args[2]).text}"]
        own = shuffles_itself(subject, follower, file, call) if given in ([], ["shuffle=False"]) else ""
        values.append(", ".join([*given, own] if own else given) or ("given through **" if hidden else own_order(subject, file, call) or "shuffle=False (default)"))
        quotes.append(subject.quote(file, call))
    shuffled = [each for each in drawn_orders(subject) if not values or each[0].endswith("on the data set")]
    if set(values) <= {"shuffle=False (default)", "shuffle=False"}:
        without = [] if values else [*drawn_samples(subject), *own_sets(subject)]
        for text, quote in [*shuffled, *drawn_items(subject), *(without or ([] if values or shuffled else drawn_batches(subject)))]:
            values.append(text)
            quotes.append(quote)
    advice = "MindSpore's GeneratorDataset shuffles by default: give shuffle=False or the sampler."
    return row("B2", "Shuffling", "数据打乱", "; ".join(unique(values)), quotes, advice)


def _of_training(subject: Subject) -> list[Found]:
    """Loaders of programs that train, and of what they import; all where there are none."""
    found = list(calls(subject, words.LOADERS))
    if own := list(_in_constructors(subject)):
        found = [each for each in found if each[1].startswith(words.LOADERS)] + own
    found = in_use(subject, found) or found
    chosen = [each for each in found if not file_evaluates(str(each[0].relative)) and not subject.programs.apart(each[0])]
    return chosen or found


def _in_constructors(subject: Subject) -> Iterator[Found]:
    """What classes that derive from a loader tell it: ``super().__init__(dataset, shuffle=True)``."""
    for file, known in subject.facts.items():
        for node in file.nodes if not subject.aside(file.relative) else ():
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "__init__"):
                continue
            made = known.value(node.func)
            if isinstance(made, v.Bound) and isinstance(made.function, v.Api) and made.function.name.startswith(words.LOADERS):
                yield file, made.function.name.rpartition(".")[0], node


def _told(subject: Subject, follower: Follower, file: SourceFile, node: ast.expr) -> str:
    """What a loader is told; the project's own samplers by name where their making cannot be shown."""
    text = follower.follow(file, node).text
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and (kinds := follower.follow(file, node.func)).text != node.func.id:
        text = f"{kinds.text} of {', '.join(ast.unparse(a) for a in node.args)}"  # (RandomSampler if alone else DistributedSampler)(data)
    made = [o.cls.scope.name for o in v.options(subject.facts[file].value(node)) if isinstance(o, v.ProjectInstance)]
    return " or ".join(dict.fromkeys(made)) if made and "…" in text else text


def batch_size(subject: Subject, follower: Follower, settings: Settings) -> Answer:
    """The row on the batch size: what training's loaders are given, and settings that are called so, or say so in their help."""
    parts, quotes = [], []
    found = _of_training(subject)
    training = [(file, name, call) for file, name, call in found if not _evaluating(subject, file, call)]
    for file, _, call in training or found:
        given = {k.arg: k.value for k in call.keywords if k.arg} | unpacked(subject, file, call)
        node = given.get("batch_size") or (call.args[1] if len(call.args) > 1 else None)
        if node is not None:
            followed = follower.follow(file, node)
            quotes += [subject.quote(file, call), *followed.quotes]
            if followed.known or followed.text != ast.unparse(node) and re.search(r"\d", followed.text):
                parts += followed.text.split(" or ")
    counts = _numbers_of_batches(subject)
    chosen = deciding([s for s in settings.matching(words.BATCH) if s.value != "0" and normal(s.name) not in counts]) or deciding(settings.telling("batch"))
    chosen = [s for s in chosen if not s.of_evaluation] if parts else chosen
    parts += [f"{s.name}={s.short}" for s in chosen]
    if not parts:
        for text, places in _computed(subject, follower):
            parts.append(text)
            quotes += places
    return row("B6", "Batch size", "批大小", ", ".join(unique(parts)[:10]), quotes + [s.quote for s in chosen])


def _numbers_of_batches(subject: Subject) -> frozenset[str]:
    """Names, in the form of `normal`, by which something is divided to give a batch size: ``batch_size = steps * workers // mini_batch``."""
    found = set()
    for file in subject.files:
        for node in file.nodes:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            name = target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""
            if isinstance(node, ast.Assign) and name and re.fullmatch(words.BATCH, normal(name)):
                for part in ast.walk(node.value):
                    if isinstance(part, ast.BinOp) and isinstance(part.op, (ast.Div, ast.FloorDiv)) and isinstance(by := part.right, (ast.Name, ast.Attribute)):
                        found.add(normal(by.id if isinstance(by, ast.Name) else by.attr))
    return frozenset(found)


def _computed(subject: Subject, follower: Follower) -> Iterator[tuple[str, list[Quote]]]:
    """Batch sizes that files that train compute: ``args.batch_size = int(args.num_envs * args.num_steps)``."""
    for file in subject.files:
        if subject.aside(file.relative) or not subject.programs.trains(file):
            continue
        for node in file.nodes:
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            name = target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""
            if isinstance(node, ast.Assign) and re.fullmatch(words.BATCH, normal(name)):
                followed = follower.follow(file, node.value)
                if followed.known:
                    yield f"{name}={followed.text}", [subject.quote(file, node), *followed.quotes[:2]]


def _evaluating(subject: Subject, file: SourceFile, call: ast.Call) -> bool:
    """Whether a loader is one of evaluation: by the function, branch and file that make it, and by the data that it is given."""
    function = subject.function_around(file, call)
    data = next((k.value for k in call.keywords if k.arg == "dataset"), call.args[0] if call.args else None)
    if file_evaluates(str(file.relative)) or function is not None and evaluates(function.name) or isinstance(data, ast.Name) and evaluates(data.id):
        return True
    told = [a.value for a in [*data.args, *(k.value for k in data.keywords)] if isinstance(a, ast.Constant) and isinstance(a.value, str)] if isinstance(data, ast.Call) else []
    holders = [t for n in ast.walk(function or file.tree) if isinstance(n, ast.Assign) and n.value is call for t in n.targets]
    names = [t.id if isinstance(t, ast.Name) else t.attr for t in holders if isinstance(t, (ast.Name, ast.Attribute))]
    return any(evaluates(text) for text in [*told, *names, *_branches(function or file.tree, call)]) or bool(names) and _only_looked_at(file, function if all(isinstance(t, ast.Name) for t in holders) else None, set(names))


def _only_looked_at(file: SourceFile, made_in: Function | None, names: set[str]) -> bool:
    """Whether every loop over a loader of that name stands under ``torch.no_grad()``: it fills a cache, labels, or measures."""
    loops = list(_loops_over(file, made_in or file.tree, names))
    without: list[ast.With | ast.FunctionDef] = [n for n in file.nodes if isinstance(n, ast.With) and any(_records_nothing(item.context_expr) for item in n.items)]
    without += [n for n in file.nodes if isinstance(n, ast.FunctionDef) and any(map(_records_nothing, n.decorator_list))]
    return bool(loops) and all(any(around.lineno <= loop.lineno <= (around.end_lineno or 0) for around in without) for loop in loops)


def _loops_over(file: SourceFile, made_in: ast.AST, names: set[str]) -> Iterator[ast.For]:
    """Loops over what a name holds, also behind ``bar = tqdm(loader)`` and in functions of the file that are given it."""
    functions = {n.name: n for n in file.nodes if isinstance(n, ast.FunctionDef)}
    waiting: list[tuple[ast.AST, str]] = [(made_in, name) for name in names]
    seen: set[tuple[ast.AST, str]] = set()
    while waiting:
        scope, name = waiting.pop()
        if (scope, name) in seen:
            continue
        seen.add((scope, name))
        inside = list(_where_it_is(scope, name))
        bars = {ast.unparse(n.targets[0]): n.lineno for n in inside if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call) and last_name(n.value.func) in _BARS and _mentions(n.value, name)}
        for node in inside:
            if isinstance(node, ast.For):
                held = [bar for bar, line in bars.items() if line < node.lineno and _mentions(node.iter, bar)]
                again = [n.lineno for n in inside if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) in held and bars[ast.unparse(n.targets[0])] < n.lineno < node.lineno]
                if _mentions(node.iter, name) or held and not again:
                    yield node
            elif isinstance(node, ast.Call) and (given := functions.get(last_name(node.func))) is not None:
                parameters = [a.arg for a in given.args.args if a.arg != "self"]
                passed = [*zip(parameters, node.args, strict=False), *((k.arg, k.value) for k in node.keywords if k.arg)]
                waiting += [(given, to) for to, value in passed if isinstance(value, (ast.Name, ast.Attribute)) and _mentions(value, name)]


def _where_it_is(scope: ast.AST, name: str) -> Iterator[ast.AST]:
    """What stands in a scope, without the functions inside of it that have a parameter of the name."""
    for child in ast.iter_child_nodes(scope):
        if not (isinstance(child, (ast.FunctionDef, ast.Lambda)) and any(a.arg == name for a in child.args.args)):
            yield child
            yield from _where_it_is(child, name)


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name or isinstance(n, ast.Attribute) and n.attr == name for n in ast.walk(node))


def _records_nothing(node: ast.expr) -> bool:
    return ast.unparse(node).partition("(")[0].rpartition(".")[2] in ("no_grad", "inference_mode")


def _branches(scope: ast.AST, call: ast.Call) -> list[str]:
    """The texts that branches around a call ask for: ``elif phase == "val":``."""
    return [
        part.value for node in ast.walk(scope) if isinstance(node, ast.If) and node.body[0].lineno <= call.lineno <= (node.body[-1].end_lineno or 0)
        and isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.Eq)
        for part in [node.test.left, *node.test.comparators] if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]  # fmt: skip
