"""Turns a call into another call by the smallest edits: name, keywords, added and dropped arguments.

The user's arguments stay where they are and as they are, so layout, comments and evaluation
order survive by construction. Where the new call cannot be had that way, `None` says so and
`inline.py` prints the whole expression instead.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from mindport.convert.editing import Editing
from mindport.convert.effects import effect
from mindport.convert.guards import same
from mindport.convert.printing import marks
from mindport.convert.specialise import PREFIX
from mindport.targets import TargetApi


@dataclass(frozen=True)
class Item:
    """One argument of the new call: at a position, or under a keyword, or both where the signature tells."""

    position: int | None
    keyword: str | None
    node: ast.expr

    @property
    def mark(self) -> str | None:
        """The user's argument that this item is made from; None where it is made from none."""
        found = marks(self.node)
        return found[0] if len(found) == 1 else None


def items(call: ast.Call, api: TargetApi | None, skip: int) -> list[Item] | None:
    """The new call's arguments, defaults of the target left out; None where a shape is not simple.

    `skip`: how many leading parameters of the target's signature the receiver takes.
    """
    names = _positional_names(api, skip)
    result: list[Item] = []
    for position, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred) or (names is not None and position >= len(names)):
            result.append(Item(position, None, argument))  # collected by *parameters
        else:
            result.append(Item(position, names[position] if names else None, argument))
    for keyword in call.keywords:
        if keyword.arg is None:
            return None
        at = names.index(keyword.arg) if names and keyword.arg in names else None
        result.append(Item(at, keyword.arg, keyword.value))
    defaults = _defaults(api)
    kept = [item for item in result if not (item.keyword and not marks(item.node) and _is_default(item, defaults))]
    return kept


def _positional_names(api: TargetApi | None, skip: int) -> list[str] | None:
    if api is None or api.parameters is None:
        return None
    names = []
    for parameter in api.parameters:
        if parameter.kind not in ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD"):
            break
        names.append(parameter.name)
    return names[skip:]


def _defaults(api: TargetApi | None) -> dict[str, str]:
    if api is None or api.parameters is None:
        return {}
    return {p.name: p.default_text for p in api.parameters if p.default_text is not None}


def _is_default(item: Item, defaults: dict[str, str]) -> bool:
    if item.keyword not in defaults:
        return False
    try:
        return same(ast.literal_eval(item.node), ast.literal_eval(defaults[item.keyword]))
    except (ValueError, SyntaxError):
        return ast.unparse(item.node) == defaults[item.keyword]


@dataclass(frozen=True)
class Given:
    """One argument as the user wrote it: its mark, its value, the keyword it was given under."""

    mark: str
    value: ast.expr
    keyword: ast.keyword | None


def arrange(given: list[Given], new: list[Item]) -> list[tuple[Given | None, Item | None, str | None]] | None:
    """Pairs the user's arguments, in their order, with the new ones; (given, item, keyword to write).

    item None: dropped. given None: added. keyword None: positional. None where the order cannot be kept.
    """
    by_mark: dict[str, Item] = {}
    for item in new:
        found = marks(item.node)
        if len(found) > 1 or (found and found[0] in by_mark):
            return None
        if found:
            by_mark[found[0]] = item
    if {g.mark for g in given} < set(by_mark):
        return None
    plan: list[tuple[Given | None, Item | None, str | None]] = []
    place, open_positions = 0, True
    for argument in given:
        target = by_mark.get(argument.mark)
        if target is None:
            if effect(argument.value) == "effect":
                return None
            plan.append((argument, None, None))
            continue
        fits = open_positions and target.position == place
        if fits and (argument.keyword is None or target.keyword is None):
            plan.append((argument, target, None))
            place += 1
        elif target.keyword is not None:
            plan.append((argument, target, target.keyword))
            open_positions = False
        else:
            return None
    return _with_added(plan, [item for item in new if item.mark is None], new, place, open_positions)


def _with_added(
    plan: list[tuple[Given | None, Item | None, str | None]], added: list[Item], new: list[Item],
    place: int, open_positions: bool,
) -> list[tuple[Given | None, Item | None, str | None]] | None:  # fmt: skip
    rank = {id(item): index for index, item in enumerate(new)}
    for item in added:
        if item.keyword is None or (open_positions and item.position == place and len(added) == 1 and item.position == len(new) - 1 and item.keyword is None):
            if not (open_positions and item.position == place):
                return None
            plan.append((None, item, None))
            place += 1
            continue
        later = [
            index for index, (_, other, keyword) in enumerate(plan)
            if other is not None and keyword is not None and rank[id(other)] > rank[id(item)]
        ]  # fmt: skip
        plan.insert(later[0] if later else len(plan), (None, item, item.keyword))
        open_positions = False
    return plan


class Parentheses:
    """The argument list of a call, in offsets: where it opens and closes, where each argument stands."""

    def __init__(self, editing: Editing, call: ast.Call) -> None:
        self.editing = editing
        text = editing.text
        at = editing.span(call.func)[1]
        while text[at] != "(":  # white space and the callee's own closing parentheses
            at += 1
        self.open = at
        self.close = editing.span(call)[1] - 1

    def extent(self, node: ast.expr, keyword: ast.keyword | None) -> tuple[int, int]:
        """The argument's offsets, with its keyword and the parentheses around it."""
        text = self.editing.text
        start, end = self.editing.span(node)
        while True:
            left, right = start - 1, end
            while left > self.open and text[left].isspace():
                left -= 1
            while right < self.close and text[right].isspace():
                right += 1
            if left > self.open and right < self.close and text[left] == "(" and text[right] == ")":
                start, end = left, right + 1
            else:
                break
        if keyword is not None:
            start = self.editing.span(keyword)[0]
        return start, end


def edit_arguments(
    editing: Editing, call: ast.Call, plan: list[tuple[Given | None, Item | None, str | None]], write: dict[int, str]
) -> bool:
    """Plan the edits of an argument list; `write` holds the text of items that are not the user's as they stand.

    False where the text has a shape that edits cannot keep: a lone generator without parentheses, a
    comment beside an argument that goes.
    """
    where = Parentheses(editing, call)
    extents: list[tuple[int, int] | None] = []
    for given, _, _ in plan:
        if given is None:
            extents.append(None)
            continue
        if isinstance(given.value, ast.GeneratorExp) and editing.span(given.value)[0] <= where.open:
            return False
        extents.append(where.extent(given.value, given.keyword))
    dropped = _dropped(where, plan, extents)
    if any("#" in editing.text[start:end] for start, end in dropped):
        return False
    for start, end in dropped:
        editing.replace(start, end, "")
    _add(editing, where, plan, extents, write)  # before keywords: both insert at an argument's start
    for index, (given, item, keyword) in enumerate(plan):
        extent = extents[index]
        if given is None or item is None or extent is None:
            continue
        value_start = editing.span(given.value)[0] if given.keyword is None else extent[0]
        if given.keyword is not None:
            equals = editing.text.index("=", extent[0])
            if keyword is None:
                after = equals + 1
                while editing.text[after].isspace():
                    after += 1
                editing.replace(extent[0], after, "")
            elif keyword != given.keyword.arg:
                name_end = extent[0] + len(given.keyword.arg or "")
                editing.replace(extent[0], name_end, keyword)
            value_start = equals + 1
        elif keyword is not None:
            editing.insert(extent[0], f"{keyword}=")
        if id(item) in write:
            while editing.text[value_start].isspace():
                value_start += 1
            start = value_start if given.keyword is not None else extent[0]
            editing.replace(start, extent[1], write[id(item)])
    return True


def _dropped(
    where: Parentheses, plan: list[tuple[Given | None, Item | None, str | None]],
    extents: list[tuple[int, int] | None],
) -> list[tuple[int, int]]:  # fmt: skip
    """The ranges of text that go with the arguments that are dropped: each with one comma."""
    ranges = []
    users = [i for i, (given, _, _) in enumerate(plan) if given is not None]
    for order, index in enumerate(users):
        if plan[index][1] is not None:
            continue
        start, end = extents[index] or (0, 0)
        earlier_kept = any(plan[i][1] is not None for i in users[:order])
        if earlier_kept:
            ranges.append(((extents[users[order - 1]] or (0, 0))[1], end))
        elif order + 1 < len(users):
            ranges.append((start, (extents[users[order + 1]] or (0, 0))[0]))
        else:
            comma = where.editing.text.find(",", end, where.close)
            ranges.append((start, comma + 1 if comma >= 0 else end))
    return ranges


def _add(
    editing: Editing, where: Parentheses, plan: list[tuple[Given | None, Item | None, str | None]],
    extents: list[tuple[int, int] | None], write: dict[int, str],
) -> None:  # fmt: skip
    kept = [i for i, (given, item, _) in enumerate(plan) if given is not None and item is not None]
    texts: dict[int, list[str]] = {}
    for index, (given, item, keyword) in enumerate(plan):
        if given is None and item is not None:
            following = next((i for i in kept if i > index), -1)
            texts.setdefault(following, []).append((f"{keyword}=" if keyword else "") + write[id(item)])
    for following, new in texts.items():
        if following >= 0:
            editing.insert((extents[following] or (0, 0))[0], ", ".join(new) + ", ")
        elif kept:
            _append(editing, where, (extents[kept[-1]] or (0, 0)), new)
        else:
            editing.insert(where.open + 1, ", ".join(new))


def _append(editing: Editing, where: Parentheses, last: tuple[int, int], new: list[str]) -> None:
    """Add arguments after the last one, on lines of their own where the user writes one argument a line."""
    text, (start, end) = editing.text, last
    line_end = editing.line_end(end)
    own_line = not text[editing.line_start(start) : start].strip() and line_end <= where.close
    comma = text.startswith(",", end)
    if own_line and comma and not text[line_end : where.close].strip():
        indent = editing.indent(start)
        editing.insert(line_end, "".join(f"{indent}{argument},\n" for argument in new))
    else:
        editing.insert(end, ", " + ", ".join(new))


def direct(item: Item) -> bool:
    """Whether the item is a user's argument as it stands."""
    node = item.node.value if isinstance(item.node, ast.Starred) else item.node
    return isinstance(node, ast.Name) and node.id.startswith(PREFIX)
