"""Writes a region as a local function and the call that returns its results with the gradients."""

from __future__ import annotations

import ast
import keyword

from mindport.convert.context import Context, Reading
from mindport.convert.training.holding import is_called
from mindport.convert.training.leaves import leaves
from mindport.convert.training.names import FUNCTIONS, key, names, parameters
from mindport.convert.training.region import Obstacle, Region, bound_before, elsewhere
from mindport.inference import values as v

_STEP = "    "


def check_lines(at: Reading, statements: list[ast.stmt]) -> None:
    """Statements that share a line with others cannot be written anew. Raises Obstacle."""
    text = at.file.text
    crowded = []
    for statement in statements:
        start, end = at.file.offsets(statement)
        head = text[text.rfind("\n", 0, start) + 1 : start].strip()
        rest = text[end : (text.find("\n", end) + 1) or len(text)].strip()
        if head or (rest and not rest.startswith("#")):
            crowded.append(statement)
            at.crowd(statement)
    if crowded:
        raise Obstacle("several statements stand on one line", crowded[0])


def lines_of(context: Context, statements: list[ast.stmt]) -> tuple[int, int]:
    """The whole lines of a run of statements, as offsets."""
    first = statements[0]
    decorators = getattr(first, "decorator_list", None)
    start = context.editing.span(decorators[0] if decorators else first)[0]
    return context.editing.line_start(start), context.editing.line_end(context.editing.span(statements[-1])[1])


def moved_text(context: Context, statements: list[ast.stmt]) -> str:
    """The converted text of the statements, one step further in; comments that were to stand above them included."""
    first, last = lines_of(context, statements)
    for place in sorted(p for p in context.marks if first <= p < last):
        indent = context.editing.indent(place)
        lines = "".join(f"{indent}{c}\n" for c in context.marks.pop(place))
        if place == first:
            head = lines
            break
        context.editing.insert(place, lines)
    else:
        head = ""
    for place in sorted(p for p in context.marks if first < p < last):
        indent = context.editing.indent(place)
        context.editing.insert(place, "".join(f"{indent}{c}\n" for c in context.marks.pop(place)))
    text = head + context.editing.current(first, last)
    if not text.endswith("\n"):
        text += "\n"
    return indented(text)


def lifted(context: Context, statements: list[ast.stmt]) -> str:
    """The converted text of statements that stay outside of the function: they are taken out of the run that moves into it."""
    text = ""
    for statement in statements:
        start, end = context.editing.span(statement)
        text += f"{context.editing.indent(start)}{context.editing.current(start, end)}\n"
        context.remove(statement)
    return text


def indented(text: str) -> str:
    """Every line one step further in, but those that stand inside a string; of blank lines in a row one stays, as inside of functions."""
    inside = _inside_strings(text)
    lines = list(enumerate(text.split("\n"), 1))
    step = "\t" if any(line.startswith("\t") for n, line in lines if n not in inside) else _STEP  # as the user indents
    blank = {n for n, line in lines if not line.strip() and n not in inside}
    return "\n".join(step + line if line.strip() and n not in inside else line for n, line in lines if not (n in blank and n - 1 in blank))


def dedented(text: str, width: int) -> str:
    """Every line `width` characters further out, but those that stand inside a string."""
    inside = _inside_strings(text)
    lines = text.split("\n")
    return "\n".join(line[width:] if n not in inside and not line[:width].strip() else line for n, line in enumerate(lines, 1))


def reindented(text: str, indent: str) -> str:
    """Statements with another white space before the first of them, lines inside strings as they are."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    width = len(first) - len(first.lstrip())
    if first[:width] == indent:
        return text
    inside = _inside_strings(text)
    return "\n".join(indent + line[width:] if line.strip() and n not in inside else line for n, line in enumerate(text.split("\n"), 1))


def _inside_strings(text: str) -> set[int]:
    """Numbers of the lines that begin inside a string."""
    inside: set[int] = set()
    first = text.lstrip("\n")[:1]  # a blank line may stand above the first statement
    block = "if True:\n" + text if first and first in " \t" else text
    shift = 1 if block is not text else 0
    for node in ast.walk(ast.parse(block)):
        string = isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))
        if string and node.end_lineno is not None and node.end_lineno > node.lineno:  # type: ignore[attr-defined]
            inside.update(range(node.lineno + 1 - shift, node.end_lineno + 1 - shift))  # type: ignore[attr-defined]
    return inside


def arguments(context: Context, region: Region, loops: list[ast.stmt], compiled: bool) -> list[str]:
    """The names that the function takes: what it binds itself, and what changes from call to call."""
    changing: set[str] = set()
    for loop in loops:
        changing |= set(names(loop).stores)
    result = []
    for name in region.inputs:
        if name in region.stored:
            if bound_before(context, region, name):
                result.append(name)
            elif any(not isinstance(n.ctx, ast.Load) for n in elsewhere(region, name)):
                raise Obstacle(f"`{name}` may not be bound where the forward pass starts", region.block[region.start])
        elif not compiled and not _is_read_anyway(region, name) and not bound_before(context, region, name):
            continue  # read from around the function, by a branch that asks for it: ``if step: loss += old(kept)``
        elif name in changing or (not loops and _is_data(context, region, name)) or (compiled and _is_fixed_tensor(context, region, name)):
            result.append(name)
    return result


def _is_read_anyway(region: Region, name: str) -> bool:
    """Whether the region reads a name on every way through it, and not in a branch or loop alone: then it is bound there."""
    heads: list[ast.AST] = [*region.losses]
    for statement in region.moved:
        match statement:
            case ast.If(test=head) | ast.While(test=head) | ast.For(iter=head):
                heads.append(head)
            case ast.Try():
                pass
            case _:
                heads.append(statement)
    return any(name in names(head).reads for head in heads)


def _is_data(context: Context, region: Region, name: str) -> bool:
    """Whether a name of the function is used as data: handed to calls, never called itself."""
    local = isinstance(region.scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and (
        name in parameters(region.scope) or any(name in names(s).stores for s in region.scope.body if not isinstance(s, (*FUNCTIONS, ast.Import, ast.ImportFrom)))
    )
    if not local:
        return False
    uses = _uses(region, name)
    if any(isinstance(o, v.TensorValue) for n in uses for o in v.options(context.facts.value(n))):
        return True
    if any(not isinstance(o, (v.Unknown, v.Sequence, v.Mapping)) for n in uses for o in v.options(context.facts.value(n))):
        return False
    for use in uses:
        parent = context.parents.get(id(use))
        if (isinstance(parent, ast.Call) and parent.func is use) or (isinstance(parent, ast.Attribute) and key(parent) is not None):
            return False
    return True


def stands_for_functions(context: Context, region: Region, name: str) -> bool:
    """Whether a name stands for what is called, or for a list of such: MindSpore's `value_and_grad` parses functions that come in or go out, and takes no other objects that can be called."""
    uses = _uses(region, name)
    if any(isinstance(parent := context.parents.get(id(use)), ast.Call) and parent.func is use for use in uses):
        return True
    kinds = [o for use in uses for o in v.options(context.facts.value(use))]
    return any(is_called(one) for kind in kinds for one in [kind, *_elements(kind)])


def _elements(value: v.Value) -> tuple[v.Value, ...]:
    match value:
        case v.Sequence(items=items, element=element):
            return items or v.options(element)
        case v.Mapping(items=items, element=element):
            return tuple(one for _, one in items) if items else v.options(element)
    return ()


def _is_fixed_tensor(context: Context, region: Region, name: str) -> bool:
    """Whether a name stands for a tensor that nobody trains. What a graph takes for constant it does not differentiate by: fixed points of a differential equation."""
    options = [o for n in _uses(region, name) for o in v.options(context.facts.value(n))]
    return bool(options) and all(isinstance(o, v.TensorValue) and not o.parameter for o in options) and all(leaf.name != name for leaf in leaves(region.scope))


def _uses(region: Region, name: str) -> list[ast.Name]:
    return [n for s in [*region.moved, region.loss] for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == name]


def returned(context: Context, region: Region, body: str) -> str:
    """The function's body with its last line: ``return loss, outputs``."""
    around = context.editing.indent(context.editing.span(region.block[region.start])[0])
    indent = around + ("\t" if around.startswith("\t") or body.startswith("\t") else _STEP)
    texts = [context.editing.current(*context.editing.span(part)) for part in region.losses]
    loss = " + ".join(texts)
    if region.weight is not None:
        given = context.editing.current(*context.editing.span(region.weight))
        loss = f"({loss} * {given if isinstance(region.weight, (ast.Name, ast.Call, ast.Attribute)) else f'({given})'}).sum()"
    if region.test is not None:
        test = context.editing.current(*context.editing.span(region.test))
        loss = f"{texts[0]} if {test} else {texts[1]}"
    last = region.moved[-1] if region.moved else None
    if isinstance(last, ast.Assign) and _is_result(context, last, region):
        rest, region.outputs[:] = "", [e.id for e in last.targets[0].elts[1:]]  # type: ignore[attr-defined]
        start, end = context.editing.span(last)
        whole, value = context.editing.current(start, end), context.editing.current(*context.editing.span(last.value))
        at = body.rindex(whole) if "\n" not in whole else -1
        if at >= 0:
            return f"{body[:at]}return {value}{body[at + len(whole):]}"
    rest = "".join(f", {name}" for name in region.outputs)
    if isinstance(last, ast.Assign) and region.loss_name and _only_the_loss(last, region):
        start, end = context.editing.span(last.value)
        value = context.editing.current(start, end)
        tail = body.rstrip("\n").rsplit("\n", 1)
        statement = f"{indent}{region.loss_name} = {value}"
        if "\n" not in value and tail[-1].startswith(statement) and (not tail[-1][len(statement) :].strip() or tail[-1][len(statement) :].lstrip().startswith("#")):
            head = tail[0] + "\n" if len(tail) > 1 else ""
            return f"{head}{indent}return {value}{rest}{tail[-1][len(statement):]}\n"
    text = f"({loss})" if "\n" in loss else loss
    return f"{body}{indent}return {text}{rest}\n"


def _is_result(context: Context, last: ast.Assign, region: Region) -> bool:
    """Whether the last statement unpacks a tuple of the loss and all other results."""
    target = last.targets[0]
    if len(last.targets) != 1 or not isinstance(target, ast.Tuple) or not all(isinstance(e, ast.Name) for e in target.elts):
        return False
    bound = [e.id for e in target.elts if isinstance(e, ast.Name)]
    tuples = all(isinstance(o, v.Sequence) and o.type == "tuple" for o in v.options(context.facts.value(last.value)))
    return tuples and isinstance(last.value, ast.Call) and bound[0] == region.loss_name and sorted(bound[1:]) == sorted(region.outputs) and bool(region.outputs)


def _only_the_loss(last: ast.Assign, region: Region) -> bool:
    return (
        len(last.targets) == 1 and isinstance(last.targets[0], ast.Name) and last.targets[0].id == region.loss_name
        and not isinstance(last.value, (ast.Tuple, ast.Lambda, ast.Yield, ast.NamedExpr, ast.Starred))
    )  # fmt: skip


def fresh_name(context: Context, scope: ast.AST, wanted: str) -> str:
    """A name for `scope` that the file does not use."""
    owners = (scope, context.file.tree) if scope is not context.file.tree else ()
    made = [context.own_names.get(id(owner), set()) for owner in owners] or list(context.own_names.values())
    used: set[str] = set(context.imports.wanted.values()).union(*made)
    for node in context.file.nodes:
        if isinstance(node, ast.Name):
            used.add(node.id)
        elif isinstance(node, ast.arg):
            used.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            if not isinstance(context.parents.get(id(node)), ast.ClassDef):  # a method is no name of its own
                used.add(node.name)
        elif isinstance(node, ast.alias):
            used.add((node.asname or node.name).partition(".")[0])
    name, number = wanted, 2
    while name in used or keyword.iskeyword(name):
        name, number = f"{wanted}_{number}", number + 1
    context.own_names.setdefault(id(scope), set()).add(name)
    context.imports.bound.add(name)
    return name


def blank_before(context: Context, place: int, indent: str) -> str:
    """The empty lines that a definition wants above it."""
    if context.editing.inserts_at(place):  # a definition of ours, with an empty line below
        return "" if indent else "\n"
    above = context.editing.current(0, place).rstrip(" ")
    if not above or above.rstrip("\n").endswith(":") or above.endswith("\n\n\n"):
        return ""
    wanted = 1 if indent else 2
    return "\n" * max(0, wanted - (len(above) - len(above.rstrip("\n")) - 1))
