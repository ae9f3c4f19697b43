"""Sizes that are handed to an API: the table of `sized_apis` applied to a call's arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis import torch_names
from mindport.analysis.dynamic_shape import apis, sized_apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Cause, Level, Source
from mindport.analysis.dynamic_shape.calls import Given
from mindport.analysis.dynamic_shape.handed_in import is_parameter
from mindport.analysis.dynamic_shape.polynomials import definitions
from mindport.analysis.dynamic_shape.sized_apis import ANY, REST, SIZED, Sized
from mindport.inference import torchfacts
from mindport.inference import values as v
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.statements import Frame

#: What a number in a tensor can say where it is no list of sizes.
_OF_TENSORS = frozenset(("sections", "k", "end", "number of segments", "size", "length", "number of steps"))
#: The size of what integers are drawn for, before which the least one may be left out.
_DRAWN = "size of the draws"
#: Constructors and methods that take sizes, or what the tensor holds.
_EITHER = frozenset((*sized_apis.OF_NUMBERS, "new"))


def sized(frame: Frame, node: ast.Call, name: str, plain: str, given: Given) -> list[Source]:
    """The source where one of a call's sizes changes."""
    entry = SIZED.get(name) or SIZED.get(plain)
    if entry is None or any(word in given.keywords for word in entry.unless):
        return []
    changing: list[tuple[str, Abstract]] = []
    arguments = list(_arguments(node, entry, given))
    for word, value, written in arguments:
        if value.tensor and entry.what == "axis":
            continue
        frame.use(value)
        if plain.rpartition(".")[2] in _EITHER and word not in given.keywords and (_holds(value, len(arguments)) or len(arguments) == 1 and not _is_number(frame, node)):
            continue
        if entry.what == "sections" and not value.tensor and not frame.routine.prepares_data and _of_lengths(frame, written):
            changing.append((word, replace(value, level=Level.DATA)))  # as long as each of those given
            continue
        if value.level < Level.RANDOM or value.shape and not value.tensor and not (entry.what == "sections" and value.element is not None and value.element.level >= Level.DATA and not value.element.shape) or value.sample and not frame.routine.prepares_data:
            continue
        if plain in apis.TO_ONE_AXIS and all(_told_of_it(frame, size) for size in ([written] if written is not None else node.args)):
            continue
        if entry.what == "padding" and written is not None and fills_up(frame, node, written):
            continue
        if value.tensor and not (entry.what == "sections" and _of_a_batch(frame, written)) and (entry.what not in _OF_TENSORS or written is None or not _is_reduced(frame, written)):
            continue
        changing.append((word, value))
    if not changing and _by_turns(frame, node, entry, arguments):
        counter = next(value for _, value, _ in arguments if value.level == Level.TURN)
        return [frame.engine.source("MP204", "turn", frame.routine, node, f"{short(name)} has another length at every turn of the loop", entry.row, counter.origin)]
    if not changing or _moves_together(frame, node, entry) or entry in sized_apis.OF_WINDOWS and _keeps_the_length(changing, given):
        return []
    value = changing[0][1]
    how = "at random" if value.level == Level.RANDOM else "with the data"
    code = entry.random_code if value.level == Level.RANDOM else "MP204"
    cause: Cause = "axis" if entry.what == "axis" else "input" if code == "MP201" else "size"
    source = frame.engine.source(code, cause, frame.routine, node, f"the {entry.what} of {short(name)} changes {how}", entry.row, value.origin)
    if short(name).rpartition(".")[2] in sized_apis.LAYERS:
        source.used = not source.in_data  # what it makes is called
    return [source]


def _of_lengths(frame: Frame, written: ast.expr | None) -> bool:
    from mindport.analysis.dynamic_shape.python_calls import lengths_of_given

    return lengths_of_given(frame, written)


def _arguments(node: ast.Call, entry: Sized, given: Given) -> Iterator[tuple[str, Abstract, ast.expr | None]]:
    """The arguments that are sizes: under which name, what they hold, and how they are written."""
    words = {k.arg: k.value for k in node.keywords if k.arg}
    for word in given.keywords if entry.parameters == ANY else entry.parameters:
        if word in given.keywords:
            yield word, given.keywords[word], words.get(word)
    shift = len(given.positional) - len(node.args)  # a method's receiver
    first, last = (entry.first, len(given.positional)) if entry.position == REST else (entry.position, entry.position + 1)
    if entry.what == _DRAWN and len(given.positional) == entry.position and (given.positional[-1].items is not None or given.positional[-1].element is not None):
        first, last = first - 1, last - 1  # randint(high, size), without the least
    for place, value in enumerate(given.positional):
        if first <= place < last:
            word = entry.parameters[place - first] if place - first < len(entry.parameters) else ""
            yield word, value, node.args[place - shift] if not given.starred and 0 <= place - shift < len(node.args) else None


def fills_up(frame: Frame, node: ast.Call, written: ast.expr) -> bool:
    """``F.pad(x, (0, n - x.size(-1)))``: up to a number that is the same for all."""
    parts = list(_numbers(written))
    known = definitions(frame.routine.node)
    amounts = [_at_least_nothing(known.get(part.id, part) if isinstance(part, ast.Name) else part) for part in parts]
    open_ones = [part for part in amounts if not isinstance(part, ast.Constant)]
    measures = bool(node.args) and all(isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) and _up_to(frame, part, node.args[0]) for part in open_ones)
    return bool(open_ones) and measures


def _numbers(node: ast.expr) -> Iterator[ast.expr]:
    """The numbers of ``((0, n), (0, 0))``, however deep."""
    if isinstance(node, (ast.Tuple, ast.List)):
        for part in node.elts:
            yield from _numbers(part)
    else:
        yield node


def _at_least_nothing(node: ast.expr) -> ast.expr:
    """``n - x.size(1)`` of ``max(0, n - x.size(1))``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "max" and len(node.args) == 2:
        rest = [a for a in node.args if not (isinstance(a, ast.Constant) and a.value == 0)]
        return rest[0] if len(rest) == 1 else node
    return node


def _up_to(frame: Frame, node: ast.BinOp, padded: ast.expr) -> bool:
    """``n - x.size(1)``, or ``n - held`` of an `n` that does not change, where the length of what is padded does: that is what is subtracted."""
    from mindport.analysis.dynamic_shape.expressions import evaluate

    whole = padded.value if isinstance(padded, ast.Subscript) and isinstance(padded.slice, (ast.Slice, ast.Tuple)) else padded  # x[:, :n] of x
    total, lacking, what = evaluate(frame, node.left), evaluate(frame, node.right), ast.unparse(whole)
    return total.level <= Level.SHAPE and not total.shape and (what in [ast.unparse(n) for n in walk(node.right)] or lacking.level >= Level.DATA and bool(evaluate(frame, padded).shape))


def _of_a_batch(frame: Frame, node: ast.expr | None) -> bool:
    """``batch["sizes"]``: no tensor can say how long each part is, so the batch holds numbers there."""
    from mindport.analysis.dynamic_shape.expressions import evaluate

    return isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.value, ast.Name) and evaluate(frame, node.value).loader


def _of_an_object(frame: Frame, node: ast.Attribute) -> bool:
    """``graph.n_edges`` of what else could be a tensor, and is an object, as no tensor has such an attribute: each of a batch has its own number."""
    held = node.value
    named = isinstance(held, ast.Name) and not apis.SETTING_WORDS & set(held.id.lower().split("_"))
    supposed = all(isinstance(o, v.Unknown) or isinstance(o, v.TensorValue) and o.likely for o in v.options(frame.fact(held)))
    return named and supposed and node.attr not in torchfacts.members(torch_names.TENSOR)


def _by_turns(frame: Frame, node: ast.Call, entry: Sized, arguments: list[tuple[str, Abstract, ast.expr | None]]) -> bool:
    """``arange(i)``, ``topk(n - i)`` in a loop over `i`: another number at every turn; in a loop that trains any size."""
    from mindport.analysis.dynamic_shape.subscripts import counts_training, trains

    by_turn = [written for _, value, written in arguments if value.level == Level.TURN and not value.shape and not value.tensor]
    return (entry.what in ("end", "k") or any(trains(loop) for loop in frame.loops) or any(value.level == Level.TURN and counts_training(value) for _, value, _ in arguments)) and entry.what != "axis" and bool(by_turn) and None not in by_turn and not frame.routine.prepares_data and not _moves_together(frame, node, entry)


def _told_of_it(frame: Frame, written: ast.expr) -> bool:
    """Sizes of a view that follow from the tensor's own: what an unknown function has told of a tensor, ``lead, t, b, shape = leading_dims(x)``, and parts of what is called a size."""
    names = [n for n in walk(written) if isinstance(n, ast.Name)]
    return bool(names) and all(_is_a_size(n.id) and is_parameter(frame, n) or _told_by_a_call(frame, n.id) for n in names)


def _is_a_size(name: str) -> bool:
    return name.lower().rpartition("_")[2] in ("size", "shape", "dims")


def _told_by_a_call(frame: Frame, name: str) -> bool:
    from mindport.analysis.dynamic_shape.expressions import evaluate

    for statement in frame.routine.nodes:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call) and isinstance(statement.targets[0], ast.Tuple) and any(isinstance(part, ast.Name) and part.id == name for part in statement.targets[0].elts):
            call = statement.value
            outside = all(isinstance(o, v.Unknown) or isinstance(o, v.Api) and not o.name.startswith(torch_names.TENSOR_LIBRARIES) for o in v.options(frame.fact(call.func)))
            return outside and any(evaluate(frame, argument).tensor for argument in call.args)
    return False


def _is_reduced(frame: Frame, node: ast.expr) -> bool:
    """Whether a tensor as a size is known to be one: by its type, or because it is what ``lengths.max()`` gives. A function of many uses gives tensors, too."""
    known = frame.fact(node)
    if isinstance(known, v.TensorValue) and not known.likely or isinstance(node, ast.Attribute) and _of_an_object(frame, node):
        return True
    if isinstance(node, ast.Name):
        node = definitions(frame.routine.node).get(node.id, node)
    if isinstance(node, ast.BinOp):
        return any(_is_reduced(frame, part) for part in (node.left, node.right) if not isinstance(part, ast.Constant))
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        if apis.FUNCTION + node.func.attr in apis.REDUCING:
            return True
        node = node.func.value  # lengths.float().mean().long()
        if isinstance(node, ast.BinOp):
            return _is_reduced(frame, node)  # (mask.sum() * share).int()
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in apis.READING_VALUES


def _moves_together(frame: Frame, node: ast.Call, entry: Sized) -> bool:
    """``arange(i, i + n)``: both ends move, their distance does not."""
    if entry.what != "end" or len(node.args) < 2 or entry.parameters[0] != "start":
        return False
    from mindport.analysis.dynamic_shape.subscripts import keeps_width

    return keeps_width(frame, node.args[0], node.args[1])


def _keeps_the_length(changing: list[tuple[str, Abstract]], given: Given) -> bool:
    """A window that is padded by as much as it is wide: ``max_pool1d(x, n, stride=1, padding=n // 2)``."""
    names = {word for word, _ in changing}
    wide = bool(names & {"kernel_size", "dilation"}) or len(given.positional) > 1 and bool(given.positional[1].shape)
    return "padding" in names and wide and "stride" not in names


def _is_number(frame: Frame, node: ast.Call) -> bool:
    """Whether the only argument is known to be a number: what is not known is what the tensor holds."""
    return bool(node.args) and all(isinstance(o, v.Builtin) and o.type == "int" or isinstance(o, v.Const) for o in v.options(frame.fact(node.args[0])))


def _holds(value: Abstract, given: int) -> bool:
    """Whether a constructor's argument is what the tensor holds, not one of its sizes."""
    return value.tensor or value.array or value.element is not None or value.items is not None or value.sample and given == 1


def from_sizes(plain: str, given: Given) -> frozenset[Source]:
    """The sources behind the arguments that are sizes."""
    entry = SIZED.get(plain) or SIZED.get(apis.METHOD + plain.removeprefix(apis.FUNCTION))
    if entry is None:
        return frozenset()
    values = [given.keywords[p] for p in entry.parameters if p in given.keywords]
    values += given.positional[entry.first :] if entry.position == REST else given.positional[entry.position : entry.position + 1] if entry.position >= 0 else []
    return frozenset(s for value in values for s in value.shape)


def short(name: str) -> str:
    """A name as a message shows it."""
    return name.removeprefix(torch_names.FUNCTIONAL).removeprefix(apis.METHOD).removeprefix(apis.FUNCTION)
