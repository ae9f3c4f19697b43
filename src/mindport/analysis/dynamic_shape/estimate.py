"""How many shapes a source gives, and what each costs where the network is compiled."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mindport.analysis.dynamic_shape.abstract import Source
from mindport.inference import values as v
from mindport.inference.facts import Facts

#: Seconds that `ms.jit` took to compile a small network (nine convolutions) for one more shape: MindSpore 2.10, CPU.
SECONDS_EACH = 0.25
#: Draws of one of several: the argument's length counts. Of a range: first and last argument.
_CHOICES = frozenset(("random.choice", "numpy.random.choice"))
_CLOSED_RANGES = frozenset(("random.randint",))
_OPEN_RANGES = frozenset(("numpy.random.randint", "random.randrange", "builtins.range"))


@dataclass(frozen=True)
class Shapes:
    """How many shapes: a number where the text says so, always a phrase."""

    text: str
    number: int | None = None

    @property
    def cost(self) -> str:
        """What compiling for each of them comes to."""
        if self.number is None:
            return f"one compilation ({SECONDS_EACH} s and more) per new shape"
        return f"{self.number} compilations, {self.number * SECONDS_EACH:g} s and more"


def shapes_of(source: Source, facts: Facts) -> Shapes:
    """The estimate for one source; where nothing bounds it, a phrase about what does."""
    if source.cause == "batch":
        return Shapes("2: full batches and the last one", 2)
    if source.cause == "branch":
        return Shapes("2: one for each branch", 2)
    drawn = _drawn(source, facts)
    if drawn is not None:
        return Shapes(f"{drawn}: the values that are drawn or counted", drawn)
    match source.cause:
        case "input":
            return Shapes("up to one for each size that occurs in the data")
        case "values":
            return Shapes("up to n + 1 for n elements")
        case "turn" | "growth":
            return Shapes("one for each turn of the loop, the same in every step")
        case "axis":
            return Shapes("up to one for each axis")
        case "loop":
            return Shapes("one graph for each number of turns, where the loop is unrolled")
    return Shapes("up to one for each value that occurs")


def _drawn(source: Source, facts: Facts) -> int | None:
    origin = source.origin.node if source.origin is not None else None
    if not isinstance(origin, ast.Call):
        return None
    callee = facts.value(origin.func)
    name = callee.name if isinstance(callee, v.Api) else ""
    numbers = [_integer(facts, argument) for argument in origin.args]
    if name in _CHOICES and origin.args:
        return _length(origin.args[0], facts)
    if name in _CLOSED_RANGES and len(numbers) == 2 and numbers[0] is not None and numbers[1] is not None:
        return numbers[1] - numbers[0] + 1
    if name in _OPEN_RANGES:
        return _range(origin, facts)
    return None


def _range(node: ast.Call, facts: Facts) -> int | None:
    numbers = [_integer(facts, argument) for argument in node.args]
    known = [number for number in numbers if number is not None]
    if not known or len(known) != len(numbers) or len(known) > 3 or (len(known) == 3 and not known[2]):
        return None
    return len(range(*known))


def _length(node: ast.expr, facts: Facts) -> int | None:
    if isinstance(node, (ast.List, ast.Tuple)):
        return len(node.elts)
    if isinstance(node, ast.Call):
        callee = facts.value(node.func)
        if isinstance(callee, v.Api) and callee.name == "builtins.range":
            return _range(node, facts)
        return _length(node.args[0], facts) if len(node.args) == 1 else None
    value = facts.value(node)
    return len(value.items) if isinstance(value, v.Sequence) and value.items is not None else None


def _integer(facts: Facts, node: ast.expr) -> int | None:
    value = facts.value(node)
    return value.value if isinstance(value, v.Const) and isinstance(value.value, int) else None
