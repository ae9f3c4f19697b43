"""``out = torch.cat((out, y))`` where `out` began as ``torch.empty(0)``: ``ops.cat(without_empty((out, y)))``.

torch leaves an empty tensor with one axis out of what it joins, whatever the shapes of the others; MindSpore raises.
Only where a member of a list that is written out is bound to such a tensor somewhere in the same file, is an element of a table that begins
its elements as one (``defaultdict(torch.Tensor)``), what some file of the project puts under the same key (``options["x"] = torch.Tensor()``), or a
parameter that some call of the project gives one; or where the list has a name that is given one (``parts = [torch.empty(0)]``, ``parts.append(empty)``).
A tensor of a list that began empty and grows on a condition alone (``if word in known: rows.append(vector)``, ``torch.FloatTensor(np.asarray(rows))``) is one, too.
"""

from __future__ import annotations

import ast

from mindport.convert.context import Context, Files
from mindport.convert.training.callers import arguments_of, scopes_in
from mindport.convert.training.names import key, parameters
from mindport.inference import values as v
from mindport.inference.facts import Facts, Use
from mindport.source.file import SourceFile

KNOWLEDGE = "mindport.equivalents.promotion_of_empty"
WITHOUT = "without_empty"
_JOINING = frozenset(("torch.cat", "torch.concat", "torch.concatenate"))
_FILLED = frozenset(("empty", "zeros", "ones", "rand", "randn"))
_OF_DATA = frozenset(("tensor", "Tensor", "FloatTensor", "LongTensor", "DoubleTensor", "IntTensor", "BoolTensor", "HalfTensor"))
_OF_ARRAYS = frozenset(("from_numpy", "as_tensor"))
_AFTER = frozenset(("to", "cuda", "cpu", "float", "long", "double", "int", "half", "bool", "type", "type_as", "detach", "clone", "requires_grad_"))


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the omission of empty members in every such list."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    made = {u.node: u.name for same in uses.values() for u in same if u.kind == "call" and isinstance(u.node, ast.Call)}
    empty, tables = _begun_empty(context.file, made), _tables(context, made)
    if not empty and not tables and not context.once(_emptied):
        return
    lists = _lists(context, made, empty)
    for call, name in made.items():
        joined = call.args[0] if call.args else None
        if name not in _JOINING or joined is None:
            continue
        if isinstance(joined, (ast.List, ast.Tuple)):
            found = any(
                _is_empty(item, made) or key(item) in empty or isinstance(item, ast.Subscript) and key(item.value) in tables or _is_kept(context, item) or _is_handed(context, call, item)
                for item in joined.elts
            )
        else:
            found = key(joined) in lists
        if found:
            context.plan(joined, lambda j=joined: _write(context, j), last=True)  # type: ignore[misc]


def _made(facts: Facts) -> dict[ast.Call, str]:
    return {u.node: u.name for u in facts.uses if u.kind == "call" and isinstance(u.node, ast.Call)}


def _emptied(project: Files) -> tuple[dict[ast.Call, str], set[str | None]] | None:
    """The calls of all files by name, and what they bind to an empty tensor; None where no file makes one."""
    every: dict[ast.Call, str] = {}
    for _, facts in project:
        every |= _made(facts)
    if not any(_is_empty(call, every) for call in every):
        return None
    return every, set().union(*(_begun_empty(file, every) for file, _ in project))


def _is_handed(context: Context, call: ast.Call, item: ast.expr) -> bool:
    """Whether a member is a parameter that some call gives an empty tensor."""
    emptied = context.once(_emptied)
    if emptied is None or not isinstance(item, ast.Name):
        return False
    made, empty = emptied
    for scope in scopes_in(context.file, call):
        if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) and item.id in parameters(scope):
            return any(_is_empty(given, made) or key(given) in empty for given, _ in arguments_of(context.files, scope, item.id))
    return False


def _is_kept(context: Context, item: ast.expr) -> bool:
    """Whether a member is read by a key under which some file of the project puts an empty tensor."""
    emptied = context.once(_emptied)
    if emptied is None or not isinstance(item, ast.Subscript) or not isinstance(item.slice, ast.Constant) or not isinstance(item.slice.value, str):
        return False
    return item.slice.value in context.once(_kept)


def _kept(project: Files) -> set[str]:
    """The texts under which dictionaries get empty tensors."""
    every = {call: name for _, facts in project for call, name in _made(facts).items()}
    found: set[str] = set()
    for node in (node for file, _ in project for node in file.nodes):
        match node:
            case ast.Assign(targets=targets, value=value) if _is_empty(value, every):
                found |= {t.slice.value for t in targets if isinstance(t, ast.Subscript) and isinstance(t.slice, ast.Constant) and isinstance(t.slice.value, str)}
            case ast.Dict(keys=keys, values=values):
                found |= {k.value for k, value in zip(keys, values, strict=True) if isinstance(k, ast.Constant) and isinstance(k.value, str) and _is_empty(value, every)}
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                found |= {k.arg for k in keywords if k.arg and _is_empty(k.value, every)}
    return found


def _lists(context: Context, made: dict[ast.Call, str], empty: set[str | None]) -> set[str | None]:
    """Names of lists that hold an empty tensor."""

    def holds(value: ast.expr) -> bool:
        return _is_empty(value, made) or (key(value) is not None and key(value) in empty)

    found: set[str | None] = set()
    for node in context.file.nodes:
        match node:
            case ast.Assign(targets=targets, value=ast.List(elts=items)) if any(holds(item) for item in items):
                found |= {key(target) for target in targets}
            case ast.Call(func=ast.Attribute(attr="append", value=owner), args=[given]) if holds(given):
                found.add(key(owner))
    return found - {None}


def _tables(context: Context, made: dict[ast.Call, str]) -> set[str | None]:
    """Names and attributes of tables whose elements begin as empty tensors."""
    found: set[str | None] = set()
    for node in context.file.nodes:
        match node:
            case ast.Assign(targets=targets, value=ast.Call(func=ast.Name(id="defaultdict") | ast.Attribute(attr="defaultdict"), args=[first, *_])):
                if isinstance(first, ast.Lambda) and _is_empty(first.body, made) or _is_class(context, first):
                    found |= {key(target) for target in targets}
    return found - {None}


def _is_class(context: Context, node: ast.expr) -> bool:
    options = v.options(context.facts.value(node))
    return bool(options) and all(isinstance(o, v.Api) and o.name.partition(".")[0] == "torch" and o.name.rpartition(".")[2] in _OF_DATA - {"tensor"} for o in options)


def _begun_empty(file: SourceFile, made: dict[ast.Call, str]) -> set[str | None]:
    """Names and attributes that some assignment of the file gives an empty tensor with one axis."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    for node in file.nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) and len(target.elts) == len(node.value.elts):
                    pairs += zip(target.elts, node.value.elts, strict=True)
                else:
                    pairs.append((target, node.value))
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            pairs.append((node.target, node.value))
    grown = _grown_on_condition(file)
    found = {key(target) for target, value in pairs if _is_empty(value, made) or grown and _is_of_list(value, made, grown)} - {None}
    while more := {key(target) for target, value in pairs if key(value) in found} - found - {None}:  # ``rows = empty``
        found |= more
    return found


def _grown_on_condition(file: SourceFile) -> set[str | None]:
    """Names and attributes of lists that begin empty and grow below an ``if`` alone."""
    begun = {key(t) for node in file.nodes if isinstance(node, ast.Assign) and ast.unparse(node.value) in ("[]", "list()") for t in node.targets} - {None}
    always: set[str | None] = set()
    chosen: set[str | None] = set()

    def visit(node: ast.AST, below: bool) -> None:
        match node:
            case ast.Call(func=ast.Attribute(attr="append" | "extend" | "insert", value=owner)):
                (chosen if below else always).add(key(owner))
            case ast.AugAssign(target=owner):
                always.add(key(owner))
        below = (below or isinstance(node, ast.If)) and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for child in ast.iter_child_nodes(node):
            visit(child, below)

    if begun:
        visit(file.tree, below=False)
    return begun & chosen - always


def _is_of_list(value: ast.expr, made: dict[ast.Call, str], lists: set[str | None]) -> bool:
    """``torch.FloatTensor(np.asarray(rows))``: a tensor of one of these lists."""
    if not isinstance(value, ast.Call) or not value.args or made.get(value, "").rpartition(".")[2] not in _OF_DATA | _OF_ARRAYS:
        return False
    data = value.args[0]
    if isinstance(data, ast.Call) and isinstance(data.func, ast.Attribute) and data.func.attr in ("array", "asarray") and data.args:
        data = data.args[0]
    return key(data) in lists


def _is_empty(value: ast.expr, made: dict[ast.Call, str]) -> bool:
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _AFTER and made.get(value, "").removeprefix("torch.") not in _FILLED | _OF_DATA:
        value = value.func.value
    if not isinstance(value, ast.Call):
        return False
    if made.get(value) == "torch.autograd.Variable" and value.args:
        return _is_empty(value.args[0], made)
    name = made.get(value, "").removeprefix("torch.")
    first = value.args[0] if value.args else None
    if name in _FILLED:
        return len(value.args) == 1 and isinstance(first, ast.Constant) and first.value == 0 or (
            isinstance(first, (ast.Tuple, ast.List)) and len(first.elts) == 1 and isinstance(first.elts[0], ast.Constant) and first.elts[0].value == 0
        )
    if name.rpartition(".")[2] in _OF_DATA:
        return first is None and not value.keywords or (isinstance(first, (ast.List, ast.Tuple)) and not first.elts)
    return False


def _write(context: Context, joined: ast.expr) -> None:
    context.editing.wrap(joined, context.definition(KNOWLEDGE, WITHOUT))
