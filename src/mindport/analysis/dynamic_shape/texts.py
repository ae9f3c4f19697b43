"""Texts and tables: how many words a line has, and how many rows a selection, is another number for each sample.

A file's lines are texts; what is split, encoded or tokenized of one is a list of its own length. Only where data are prepared: a configuration is
read and split in the same way, and is the same in every step. Numbers that a line lists are as many in each line.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindport.analysis.dynamic_shape import apis
from mindport.analysis.dynamic_shape.abstract import Abstract, Level, Origin, container
from mindport.inference import values as v
from mindport.source.called import last_name
from mindport.source.defaults import defaults_of

if TYPE_CHECKING:
    from mindport.analysis.dynamic_shape.calls import Given
    from mindport.analysis.dynamic_shape.engine import Routine
    from mindport.analysis.dynamic_shape.statements import Frame

_PART = Abstract(Level.DATA, text=True)


def text(frame: Frame, node: ast.AST) -> Abstract:
    """One text of a sample, of its own length."""
    return Abstract(Level.DATA, length=Level.DATA, element=_PART, text=True, origin=Origin(frame.routine.file, node))


def is_text(routine: Routine, name: str, fact: v.Value) -> bool:
    """Whether a parameter is one text, by its name: as long as it is."""
    plain = all(isinstance(o, v.Unknown) or isinstance(o, v.Builtin) and o.type == "str" for o in v.options(fact))
    return plain and name.lower().rpartition("_")[2] in apis.ONE_TEXT and not routine.name.endswith("__init__") and name not in defaults_of(routine.node.args)  # type: ignore[union-attr]


def opened(frame: Frame, node: ast.Call) -> Abstract:
    """A file of texts: its lines are given one by one."""
    return Abstract(element=text(frame, node), added=None)


def text_method(frame: Frame, node: ast.Call, func: ast.Attribute, receiver: Abstract) -> Abstract | None:
    """A method of a file, of a text, or of something unknown that only a text has; None for any other."""
    if receiver.tensor or receiver.array or not frame.routine.prepares_data and not (receiver.text and receiver.origin is None):
        return None
    held = receiver.element
    if func.attr in ("readlines", "splitlines") and held is not None and held.text:
        return receiver
    if func.attr == "read" and held is not None and held.text:
        return receiver if not frame.routine.yields_batches else text(frame, node)
    if receiver.text and receiver.element is not None:
        if func.attr == "split":
            return Abstract(Level.DATA, element=text(frame, node), length=Level.DATA, origin=Origin(frame.routine.file, node), added=None)
        return receiver if func.attr in apis.OF_TEXTS else None
    words = func.attr == "split" and not node.args and not node.keywords and receiver.items is None and held is None
    cell = func.attr == "split" and isinstance(func.value, ast.Subscript) and isinstance(func.value.slice, ast.Constant) and isinstance(func.value.slice.value, str) and held is None
    if (words or cell) and frame.routine.yields_batches and frame.untyped(func.value):
        return Abstract(Level.DATA, element=text(frame, node), length=Level.DATA, origin=Origin(frame.routine.file, node), added=None)
    return None


def encoded(frame: Frame, node: ast.Call, given: Given) -> Abstract | None:
    """What a tokenizer that is not known makes of a text: as many numbers as the text has parts, unless it pads or cuts them."""
    name = last_name(node.func)
    if not frame.routine.prepares_data or not any(word in name.lower() for word in apis.ENCODING) or any(k.arg in apis.PADDING for k in node.keywords):
        return None
    first = given.positional[0] if given.positional else None
    if first is None or first.tensor:
        return None
    if (first.length < Level.DATA or not (first.text or first.element is not None and first.element.text)) and not (frame.routine.yields_batches and not frame.routine.collates and _called_a_text(frame, node.args[0])):
        return None
    return Abstract(Level.DATA, element=_PART, length=Level.DATA, origin=Origin(frame.routine.file, node), added=None)


def _called_a_text(frame: Frame, node: ast.expr) -> bool:
    """``self.texts[i]``, ``text`` of something unknown: a text by its name, or that of what a loop goes through."""
    if isinstance(node, ast.Name) and (loop := next((loop for loop in frame.loops if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and loop.target.id == node.id), None)) is not None and isinstance(loop.iter, (ast.Name, ast.Attribute)):
        node = loop.iter
    node = node.value if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice) else node
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name.lower().rpartition("_")[2] in apis.TEXT_WORDS - {"tokens"} and frame.untyped(node)


def tokenized(frame: Frame, node: ast.Call, given: Given) -> Abstract | None:
    """A tokenizer's call that pads to the longest text of the batch; the numbers of a text that a parameter holds; None for any other."""
    if pads_to_longest(frame, node):
        for value in given.all:
            frame.use(value)
        source = frame.engine.source("MP201", "input", frame.routine, node, "the texts of a batch are padded to the longest of them", "input")
        source.used = not source.in_data
        return Abstract(Level.DATA, shape=frozenset({source}), element=Abstract(Level.DATA, True, shape=frozenset({source})), added=None)
    if _of_one_text(frame, node, given):
        source = frame.engine.source("MP201", "input", frame.routine, node, "each text is as long as it is", "input")
        source.used = True
        return Abstract(Level.DATA, shape=frozenset({source}), element=Abstract(Level.DATA, True, shape=frozenset({source})), added=None)
    if _leaves_lengths(frame, node):
        ids = Abstract(Level.DATA, element=_PART, length=Level.DATA, origin=Origin(frame.routine.file, node), added=None)
        return Abstract(Level.DATA, element=ids, added=None)
    name = last_name(node.func)
    told = node.args[0] if node.args else None
    if name not in apis.ENCODERS or frame.routine.prepares_data or any(k.arg in apis.PADDING or k.arg == "return_tensors" for k in node.keywords):
        return None
    fact = frame.fact(node.func)
    of_a_step = bool(given.positional) and (given.positional[0].opaque or isinstance(fact, v.Unknown) and fact.origin.startswith(apis.TOKENIZERS) and bool(frame.loops) and given.positional[0].level > Level.CONSTANT)
    if not of_a_step and (not isinstance(told, ast.Name) or told.id.lower().rpartition("_")[2] not in apis.TEXT_WORDS) or not isinstance(frame.fact(node), v.Unknown):
        return None
    return Abstract(Level.DATA, element=Abstract(Level.DATA), length=Level.DATA, origin=Origin(frame.routine.file, node), added=None)


def _of_one_text(frame: Frame, node: ast.Call, given: Given) -> bool:
    """``tokenizer(text, return_tensors="pt")`` without padding, in a function that is given another text each time."""
    words = {keyword.arg for keyword in node.keywords}
    if "return_tensors" not in words or None in words or words & {"padding", "pad_to_max_length", "images"} or not node.args or frame.routine.prepares_data or frame.routine.runs_once and not frame.loops:
        return False
    told = node.args[0]
    named = isinstance(told, ast.Name) and told.id.lower().rpartition("_")[2] in apis.TEXT_WORDS
    return (named or given.positional[0].text or given.positional[0].level >= Level.RANDOM) and isinstance(frame.fact(node.func), v.Unknown)


def _leaves_lengths(frame: Frame, node: ast.Call) -> bool:
    """``self.tokenizer(text, truncation=True)["input_ids"]`` of one sample: as many numbers as the text has parts, where nothing pads."""
    fact = frame.fact(node.func)
    called = isinstance(node.func, (ast.Name, ast.Attribute)) and isinstance(fact, v.Unknown) and fact.origin.startswith(apis.TOKENIZERS)
    padded = any(k.arg is None or k.arg in ("padding", "pad_to_max_length", "return_tensors") for k in node.keywords)
    return called and not padded and frame.routine.yields_batches and not frame.routine.collates and bool(apis.TOKENIZER_WORDS & {k.arg for k in node.keywords})


def pads_to_longest(frame: Frame, node: ast.Call) -> bool:
    """A tokenizer's call that pads to the longest text of the batch."""
    words = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    padding = words.get("padding")
    if padding is None and isinstance(node.func, ast.Attribute) and node.func.attr == "pad" and "return_tensors" in words:
        return True  # a tokenizer's own way of putting samples together
    if not isinstance(padding, ast.Constant) or padding.value not in apis.LONGEST:
        return False
    fact = frame.fact(node.func)
    from_library = isinstance(fact, v.Unknown) and fact.origin.startswith(apis.TOKENIZERS)
    return from_library or bool(apis.TOKENIZER_WORDS & set(words))


def table_method(frame: Frame, node: ast.Call, func: ast.Attribute, receiver: Abstract, origin: Origin) -> Abstract | None:
    """A method of a table or an array that selects rows, or makes groups of them; None for any other."""
    if not receiver.array:
        return None
    if func.attr == "groupby":
        group = replace(receiver, length=Level.DATA, element=None, origin=origin)
        return replace(receiver, element=container((Abstract(Level.DATA), group)), length=Level.CONSTANT)
    if func.attr in apis.SELECTING_ROWS:
        return replace(receiver, length=Level.DATA, origin=origin)
    if func.attr in apis.APPLYING and node.args and isinstance(made := frame.fact(node.args[0]), v.Api) and made.name in apis.READING_LISTS:
        return replace(receiver, element=Abstract(Level.DATA, element=_PART, length=Level.DATA, origin=origin, added=None))
    if func.attr == "tolist":
        return replace(receiver, array=False, element=receiver.element or Abstract(Level.DATA), added=None)
    return None


def settled(value: Abstract) -> Abstract:
    """What is computed once, when an object is made: a number or a length of any kind is the same from then on; what it holds may differ among itself."""
    if value.tensor:
        return replace(value, shape=frozenset(), extent=frozenset())
    level = value.level if value.element is not None or value.array or value.text else min(value.level, Level.CONFIGURATION)
    return replace(value, level=level, length=min(value.length, Level.CONFIGURATION), extent=frozenset(), items=value.items if value.items is None else tuple(map(settled, value.items)))


