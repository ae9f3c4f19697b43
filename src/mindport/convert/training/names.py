"""Which names a statement reads and binds.

A *key* is a name or a dotted chain that starts at one: ``loss``, ``self.fake``. Stores to attributes and
items, and method calls that stand alone (``losses.append(x)``), are *weak*: they change what a key holds
and leave the rest of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mindport.source.walking import children

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


#: Methods that put their arguments into what they are asked of.
PUTTING = frozenset(("append", "appendleft", "extend", "insert", "add", "update", "setdefault", "put"))


@dataclass
class Names:
    """Names by what happens to them."""

    reads: dict[str, ast.AST] = field(default_factory=dict)  # with the first place, in order of appearance
    stores: dict[str, ast.AST] = field(default_factory=dict)
    weak: dict[str, ast.AST] = field(default_factory=dict)  # keys


def key(node: ast.AST) -> str | None:
    """``self.fake`` of an attribute chain that starts at a name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = key(node.value)
        return None if inner is None else f"{inner}.{node.attr}"
    return None


def root(node: ast.AST) -> ast.AST:
    """The innermost object of a chain of attributes, items and calls."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call, ast.Starred)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node


def names(nodes: ast.AST | Iterable[ast.AST]) -> Names:
    """All names that the nodes read and bind in their own scope; functions inside read what they do not bind."""
    found = Names()
    for node in [nodes] if isinstance(nodes, ast.AST) else nodes:
        _visit(node, found, frozenset())
    return found


def _visit(node: ast.AST, found: Names, hidden: frozenset[str]) -> None:
    match node:
        case ast.Name(id=name):
            if name not in hidden:
                (found.reads if isinstance(node.ctx, ast.Load) else found.stores).setdefault(name, node)
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            _function(node, found, hidden)
            return
        case ast.ClassDef(name=name):
            found.stores.setdefault(name, node)
            inner = names(node.body)
            for part in (*node.bases, *node.keywords, *node.decorator_list):
                _visit(part, found, hidden)
            _free(inner, found, hidden)
            return
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            own = frozenset(n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name))
            for child in ast.iter_child_nodes(node):
                _visit(child, found, hidden | own)
            return
        case ast.ExceptHandler(name=name) if name:
            found.stores.setdefault(name, node)
        case ast.alias():
            found.stores.setdefault((node.asname or node.name).partition(".")[0], node)
        case ast.AugAssign(target=target):
            _visit(node.value, found, hidden)
            if isinstance(target, ast.Name):
                if target.id not in hidden:
                    found.reads.setdefault(target.id, target)
                    found.stores.setdefault(target.id, target)
            else:
                _weak(target, found)
                _visit(target, found, hidden)
            return
        case ast.Attribute() | ast.Subscript() if not isinstance(node.ctx, ast.Load):
            _weak(node, found)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=receiver))):
            _weak_key(receiver, found)
        case ast.Call(func=ast.Attribute(value=receiver, attr=method)) if method in PUTTING:  # ``[rows.append(net(x)) for x in images]``
            _weak_key(receiver, found)
        case ast.Call() if (place := set_by_name(node)) is not None:
            found.weak.setdefault(place, node)
        case ast.Delete(targets=targets):
            for deleted in targets:
                if isinstance(deleted, ast.Name):
                    found.reads.setdefault(deleted.id, deleted)  # it must be there
        case ast.MatchAs(name=name) | ast.MatchStar(name=name) if name:
            found.stores.setdefault(name, node)
    for child in ordered(node):
        _visit(child, found, hidden)


def set_by_name(call: ast.Call) -> str | None:
    """The key that ``setattr(self, "h", y)`` changes."""
    match call:
        case ast.Call(func=ast.Name(id="setattr"), args=[holder, ast.Constant(value=str(attribute)), _]) if (owner := key(holder)) is not None:
            return f"{owner}.{attribute}"
    return None


def ordered(node: ast.AST) -> Iterator[ast.AST]:
    """Children in the order in which they run: a value before its targets."""
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        if node.value is not None:
            yield node.value
        yield from node.targets if isinstance(node, ast.Assign) else [node.target]
    elif isinstance(node, (ast.For, ast.AsyncFor)):
        yield node.iter
        yield node.target
        yield from node.body
        yield from node.orelse
    else:
        yield from ast.iter_child_nodes(node)


def _weak(target: ast.expr, found: Names) -> None:
    """``a.b = …`` changes a.b, ``a.b[0] = …`` changes what a.b holds."""
    _weak_key(target.value if isinstance(target, ast.Subscript) else target, found)


def _weak_key(node: ast.expr, found: Names) -> None:
    name = held_by(node)
    if name is not None:
        found.weak.setdefault(name, node)


def held_by(node: ast.expr) -> str | None:
    """The key of the container that an expression takes something out of: `rows` of ``rows[k]`` and ``rows.setdefault(k, [])``."""
    current: ast.AST = node
    while (name := key(current)) is None:
        match current:
            case ast.Subscript(value=inner) | ast.Attribute(value=inner) | ast.Call(func=ast.Attribute(value=inner)) | ast.Call(func=inner) | ast.Starred(value=inner):
                current = inner
            case _:
                return None
    return name


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, found: Names, hidden: frozenset[str]) -> None:
    arguments = node.args
    for default in (*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)):
        _visit(default, found, hidden)
    if not isinstance(node, ast.Lambda):
        for decorator in node.decorator_list:
            _visit(decorator, found, hidden)
        found.stores.setdefault(node.name, node)
    inner = inside(node)
    _free(inner, found, hidden)
    if isinstance(node, ast.Lambda):  # it may run where it stands
        found.weak |= {name: place for name, place in inner.weak.items() if name.partition(".")[0] not in {*inner.stores, *hidden, *found.weak}}


def _free(inner: Names, found: Names, hidden: frozenset[str]) -> None:
    for name, place in inner.reads.items():
        if name not in inner.stores and name not in hidden:
            found.reads.setdefault(name, place)


def inside(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> Names:
    """The names of a function's body; its parameters count as bound."""
    body = names(node.body if isinstance(node.body, list) else [node.body])
    outer = {n for part in own_nodes(node) if isinstance(part, (ast.Global, ast.Nonlocal)) for n in part.names}
    for argument in parameters(node):
        body.stores.setdefault(argument, node)
    for name in outer:
        body.stores.pop(name, None)
    return body


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[str]:
    """The names of a function's parameters."""
    arguments = node.args
    extra = [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
    return [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra)]


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes inside, those of functions and classes inside left out."""
    pending = children(node)
    while pending:
        part = pending.pop()
        yield part
        if not isinstance(part, (*FUNCTIONS, ast.ClassDef)):
            pending += children(part)


def reads(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that are read, and attributes, with a point before them."""
    found: set[str] = set()
    for part in (part for node in nodes for part in ast.walk(node)):
        if isinstance(part, (ast.Name, ast.Attribute)) and isinstance(part.ctx, ast.Load):
            found.add(part.id if isinstance(part, ast.Name) else f".{part.attr}")
    return found


def keys_read(nodes: ast.AST | Iterable[ast.AST]) -> set[str]:
    """Every key that is read, names and dotted chains with all their beginnings."""
    found: set[str] = set()
    for node in [nodes] if isinstance(nodes, ast.AST) else nodes:
        for part in ast.walk(node):
            if isinstance(part, (ast.Name, ast.Attribute)):
                name = key(part)
                if name is not None and isinstance(part.ctx, ast.Load):
                    found.add(name)
            elif isinstance(part, ast.AugAssign):
                name = key(part.target)
                if name is not None:
                    found.add(name)
    return found


def changed_parts(nodes: ast.AST | Iterable[ast.AST]) -> set[str]:
    """``held.y`` of ``held.y = f(x)``, ``rows`` of ``rows[0] = f(x)`` and ``rows.append(f(x))``: what statements store into."""
    return set(names(nodes).weak)


def read_parts(nodes: Iterable[ast.AST], parts: set[str]) -> set[str]:
    """Those of the parts that the nodes read, or of whose objects they read the whole."""
    return {part for part in parts if any(read == part or part.startswith(f"{read}.") or read.startswith(f"{part}.") for read in read_keys(nodes))}


def read_keys(nodes: Iterable[ast.AST]) -> set[str]:
    """The chains of attributes that the nodes read, each as long as it is in the text; a method reads all of its object."""
    found, pending = set[str](), list(nodes)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            pending += [node.func.value, *node.args, *node.keywords]
            continue
        text = key(node) if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) else None
        if text is not None:
            found.add(text)
        else:
            pending += ast.iter_child_nodes(node)
    return found


def first_reads(statements: Iterable[ast.stmt]) -> dict[str, ast.AST]:
    """Names that the statements may read before they bind them."""
    bound: set[str] = set()
    found: dict[str, ast.AST] = {}
    for statement in statements:
        own = names(statement)
        early = _read_early(statement) if own.stores else None
        for name, place in own.reads.items():
            if name not in bound and not (name in own.stores and early is not None and name not in early):
                found.setdefault(name, place)
        bound |= sure(statement)
    return found


def _read_early(statement: ast.stmt) -> set[str] | None:
    """The names that a compound statement may read before it binds them, on some way; None for a plain statement."""
    match statement:
        case ast.With() | ast.AsyncWith():
            heads = names([*(i.context_expr for i in statement.items)])
            targets = {n for i in statement.items if i.optional_vars is not None for n in names(i.optional_vars).stores}
            return set(heads.reads) | (set(first_reads(statement.body)) - targets)
        case ast.If():
            return {*names(statement.test).reads, *first_reads(statement.body), *first_reads(statement.orelse)}
        case ast.For() | ast.AsyncFor():
            # after no round at all, the name is read from before: only in the else block
            inside = set(first_reads(statement.body)) - set(names(statement.target).stores)
            return {*names(statement.iter).reads, *first_reads(statement.orelse)} | inside
        case ast.Try():
            blocks = [statement.body, statement.orelse, statement.finalbody, *(h.body for h in statement.handlers)]
            return {name for block in blocks for name in first_reads(block)}
        case ast.While():
            return {*names(statement.test).reads, *first_reads(statement.body)}
    return None


def sure(statement: ast.stmt) -> set[str]:
    """Names that are bound once the statement has run to its end."""
    match statement:
        case ast.If():
            if not statement.orelse:
                return set()
            return _all(statement.body) & _all(statement.orelse)
        case ast.With() | ast.AsyncWith():
            targets = {n for i in statement.items if i.optional_vars is not None for n in names(i.optional_vars).stores}
            return targets | _all(statement.body)
        case ast.Try():
            if statement.handlers:
                return _all(statement.finalbody)
            return _all(statement.body) | _all(statement.finalbody)
        case ast.For() | ast.AsyncFor() | ast.While() | ast.Match():
            return set()
    return set(names(statement).stores)


def _all(block: list[ast.stmt]) -> set[str]:
    return {name for statement in block for name in sure(statement)}
