"""Partially evaluates an entry's body for one call: what is left is one expression, a refusal, or neither.

The body language (docs/architecture.md): guards, ``raise Refused``, locals, one ``return`` per
path; a layer's ``__init__`` ends in ``super().__init__(…)`` and leaves the base class's
constructor call. Guards that the call decides disappear; a guard that it does not decide, or a
statement outside the language, makes the call *undecided*, and undecided means vendored.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import dataclass

from mindport.catalog import Entry, KnowledgeModule, literal
from mindport.convert.bind import Binding
from mindport.convert.guards import Fact, Known, Look, Typed, decide

#: Marks, in a specialised expression, the place of a user's argument: Name(id=PREFIX + parameter).
PREFIX = "__argument_"

#: A folded number longer than this reads worse than the arithmetic it came from.
_READABLE = 8


@dataclass(frozen=True)
class Expression:
    """What the call becomes. User arguments stand as Names with PREFIX; `starred` spliced."""

    node: ast.expr


@dataclass(frozen=True)
class Refusal:
    """The entry raises `Refused` on the path that this call takes."""

    sentence: str


@dataclass(frozen=True)
class Undecided:
    """The call does not decide what the body does; the vendored function decides at run time."""

    why: str


Outcome = Expression | Refusal | Undecided


class _Stop(Exception):
    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome


def specialise(entry: Entry, binding: Binding, look_up: Look) -> Outcome:
    """Evaluate `entry` for `binding`; `look_up` gives the fact about a user's expression."""
    function = entry.callable
    if function is None:
        if isinstance(entry.node, ast.ClassDef) and not own_methods(entry.node):
            return Undecided("the class has no __init__ to specialise")
        return Undecided("the class adds behaviour of its own")
    if isinstance(entry.node, ast.ClassDef) and not entry.base_suffices and own_methods(entry.node):
        return Undecided("the class adds behaviour of its own")
    body = _Body(entry, binding, look_up)
    try:
        body.run(function.body)
    except _Stop as stop:
        return stop.outcome
    return Expression(ast.Constant(None)) if entry.kind != "layer" else Undecided("no super().__init__ is reached")


def refusal_text(module: KnowledgeModule, node: ast.expr) -> str:
    """The text of a refusal; what depends on values is shown as the argument's text."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else ast.unparse(part).strip("f'\"") for part in node.values)
    return str(literal(module, node))


def own_methods(node: ast.ClassDef) -> bool:
    """Whether the class is more than a constructor and alias properties."""
    for statement in node.body:
        match statement:
            case ast.FunctionDef(name="__init__") | ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.FunctionDef(decorator_list=decorators) if any("property" in ast.unparse(d) or ".setter" in ast.unparse(d) for d in decorators):
                continue
        return True
    return False


class _Body:
    """One evaluation: parameters and locals to expressions."""

    def __init__(self, entry: Entry, binding: Binding, look_up: Look) -> None:
        self.entry = entry
        self.binding = binding
        self.look_up = look_up
        self.locals: dict[str, ast.expr] = {}
        self.used: set[str] = set()
        arguments = entry.arguments
        assert arguments is not None
        self.variadic = arguments.vararg.arg if arguments.vararg else None
        self.keywords = arguments.kwarg.arg if arguments.kwarg else None

    def run(self, statements: list[ast.stmt]) -> None:
        for place, statement in enumerate(statements):
            if self.entry.base_suffices and statements[place + 1:] and "super().__init__(" in ast.unparse(statement) and isinstance(statement, ast.Expr):
                raise _Stop(Undecided("the class sets more than its base does"))  # as that its scale is no parameter of torch's
            self.step(statement)

    def step(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return
            case ast.If(test=test, body=body, orelse=orelse):
                truth = decide(test, self.look)
                if truth is None:
                    raise _Stop(Undecided(f"`{ast.unparse(test)}` is not known here"))
                self.run(body if truth else orelse)
            case ast.Return(value=value):
                made = self.substitute(value or ast.Constant(None))
                if any(isinstance(part, ast.JoinedStr) for part in ast.walk(made)):
                    raise _Stop(Undecided("the body formats text"))  # an argument's quotes could end the f-string
                raise _Stop(Expression(made))
            case ast.Raise(exc=ast.Call(func=ast.Name(id="Refused"), args=[sentence])):
                raise _Stop(Refusal(refusal_text(self.entry.module, sentence)))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.locals[name] = self.substitute(value)
                self.used.discard(name)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__")) as call):
                raise _Stop(Expression(self.constructor(call)))
            case _:
                raise _Stop(Undecided(f"the body holds a {type(statement).__name__.lower()} statement"))

    def constructor(self, call: ast.Call) -> ast.expr:
        assert isinstance(self.entry.node, ast.ClassDef)
        if not self.entry.node.bases:
            raise _Stop(Undecided("the class has no base to construct"))
        return self.substitute(ast.Call(self.entry.node.bases[0], call.args, call.keywords))

    # -- facts ---------------------------------------------------------------------------

    def look(self, node: ast.expr) -> Fact:
        """The fact about a name (parameter, local), ``len(size)`` or ``size[0]`` of a body."""
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if name == self.variadic:
                items = self.binding.extra[name]
                return None if any(isinstance(i, ast.Starred) for i in items) else Known(len(items))
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(index))) if name == self.variadic:
                items = self.binding.extra[name]
                if any(isinstance(i, ast.Starred) for i in items[: index + 1]) or not -len(items) <= index < len(items):
                    return None
                return self.look_up(items[index])
            case ast.Name(id=name):
                return self._name(name)
        return None

    def _name(self, name: str) -> Fact:
        if name in self.locals:
            node = self.locals[name]
            if isinstance(node, ast.Name) and node.id.startswith(PREFIX):
                return self.look_up(self.binding.given[node.id[len(PREFIX):]])
            try:
                return Known(_frozen(ast.literal_eval(node)))
            except (ValueError, TypeError):
                return None
        if name in self.binding.given:
            return self.look_up(self.binding.given[name])
        if name in self.binding.defaults:
            try:
                return Known(_frozen(ast.literal_eval(self.binding.defaults[name])))
            except (ValueError, TypeError):
                return None
        if name == self.variadic:
            items = self.binding.extra[name]
            if not items:
                return Known(())
            return Typed(frozenset(("tuple",)))
        if name == self.keywords:
            return Known(()) if not self.binding.keywords[name] else Typed(frozenset(("dict",)))
        return None

    def is_tuple(self, node: ast.expr) -> bool:
        """Whether a name, or ``size[0]``, is a tuple: displayed as one in the call (a list of the same numbers has the same fact), or known to be one."""
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(index))) if name == self.variadic and self.look(node) is not None:
                given: ast.expr | None = self.binding.extra[name][index]
            case ast.Name(id=name):
                given = None if name in self.locals else self.binding.given.get(name)
            case _:
                return False
        fact = self.look(node)
        return isinstance(given, ast.Tuple) or isinstance(fact, Typed) and fact.names == {"tuple"}

    # -- substitution --------------------------------------------------------------------

    def literal(self, node: ast.expr) -> object:
        """The number or tuple of numbers that a parameter, default or constant is by its own text; else None."""
        if isinstance(node, ast.Name):
            given = self.binding.given.get(node.id) or self.binding.defaults.get(node.id)
            if node.id in self.locals or given is None:
                return None
            node = given
        try:
            value = ast.literal_eval(node)
        except (ValueError, TypeError):
            return None
        parts = value if isinstance(value, tuple) else (value,)
        return value if all(type(part) in (int, float) for part in parts) else None

    def substitute(self, node: ast.expr) -> ast.expr:
        """A copy of `node` with parameters, locals and decided conditions replaced."""
        return _Substitution(self).visit(copy.deepcopy(node))


def _frozen(value: object) -> object:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value


class _Substitution(ast.NodeTransformer):
    def __init__(self, body: _Body) -> None:
        self.body = body

    def visit_Name(self, node: ast.Name) -> ast.expr:
        body, name = self.body, node.id
        if name in body.locals:
            value = body.locals[name]
            if name in body.used and not isinstance(value, (ast.Name, ast.Constant)):
                raise _Stop(Undecided(f"the body uses its local {name} more than once"))
            body.used.add(name)
            return copy.deepcopy(value)
        if name in body.binding.given:
            return ast.Name(PREFIX + name, ast.Load())
        if name in body.binding.defaults:
            return copy.deepcopy(body.binding.defaults[name])
        if name == body.variadic:
            return ast.Tuple([_item(name, i, e) for i, e in enumerate(body.binding.extra[name])], ast.Load())
        if name == body.keywords:
            raise _Stop(Undecided(f"**{name} is used as a value"))
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(index))) if name == self.body.variadic:
                items = self.body.binding.extra[name]
                if any(isinstance(i, ast.Starred) for i in items) or not -len(items) <= index < len(items):
                    raise _Stop(Undecided(f"`{name}[{index}]` is not known here"))
                return ast.Name(f"{PREFIX}{name}@{index % len(items)}", ast.Load())
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(index))):
                literal = self.body.literal(ast.Name(name, ast.Load()))
                if isinstance(literal, tuple) and -len(literal) <= index < len(literal):
                    return ast.Constant(literal[index])
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Arithmetic on the call's literals is done here: ``1 - 0.1`` reads as 0.9."""
        left, right = self.body.literal(node.left), self.body.literal(node.right)
        if isinstance(left, (int, float)) and isinstance(right, (int, float)) and isinstance(node.op, (ast.Add, ast.Sub)):
            value = left + right if isinstance(node.op, ast.Add) else left - right
            if isinstance(value, int) or len(repr(value)) <= _READABLE:
                return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """``-decimals`` of a literal -3 reads as 3."""
        value = self.body.literal(node.operand) if isinstance(node.op, ast.USub) else None
        if isinstance(value, (int, float)) and value < 0:
            return ast.Constant(-value)
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Starred(self, node: ast.Starred) -> ast.expr:
        return ast.Starred(self.visit(node.value), node.ctx)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="bool"), args=[argument], keywords=[]) if isinstance(truth := self.body.literal(argument), int):
                return ast.Constant(bool(truth))
            case ast.Call(func=ast.Name(id="bool"), args=[ast.Name(id=name)], keywords=[]) if self.body.look(node.args[0]) == Known(None) and name not in self.body.locals:
                return ast.Constant(False)
            case ast.Call(func=ast.Attribute(value=ast.Name() as cast, attr="bool"), args=[], keywords=[]) if isinstance(fact := self.body.look(cast), Typed) and fact.dtype == "torch.bool":
                return self.visit(cast)  # truth values already
            case ast.Call(func=ast.Name(id="tuple"), args=[argument], keywords=[]) if self.body.is_tuple(argument):
                return self.visit(argument)
        node.func = self.visit(node.func)
        args: list[ast.expr] = []
        for argument in node.args:
            new = self.visit(argument)
            if isinstance(new, ast.Starred) and isinstance(new.value, ast.Tuple):
                args.extend(new.value.elts)
            else:
                args.append(new)
        keywords: list[ast.keyword] = []
        for keyword in node.keywords:
            if keyword.arg is None and isinstance(keyword.value, ast.Name) and keyword.value.id == self.body.keywords:
                for index, given in enumerate(self.body.binding.keywords[keyword.value.id]):
                    keywords.append(ast.keyword(given.arg, ast.Name(f"{PREFIX}{keyword.value.id}@{index}", ast.Load())))
            else:
                keywords.append(ast.keyword(keyword.arg, self.visit(keyword.value)))
        node.args, node.keywords = args, keywords
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        truth = decide(node.test, self.body.look)
        if truth is None:
            raise _Stop(Undecided(f"`{ast.unparse(node.test)}` is not known here"))
        return self.visit(node.body if truth else node.orelse)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        raise _Stop(Undecided("the body evaluates an operand on a condition"))

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        raise _Stop(Undecided("the body holds a lambda"))

    def visit_ListComp(self, node: ast.expr) -> ast.expr:
        raise _Stop(Undecided("the body holds a comprehension"))

    visit_GeneratorExp = visit_SetComp = visit_DictComp = visit_NamedExpr = visit_ListComp  # type: ignore[assignment]


def _item(name: str, index: int, expression: ast.expr) -> ast.expr:
    mark: ast.expr = ast.Name(f"{PREFIX}{name}@{index}", ast.Load())
    return ast.Starred(mark, ast.Load()) if isinstance(expression, ast.Starred) else mark


def argument(binding: Binding, mark: str) -> ast.expr:
    """The user's expression behind a mark made by `specialise` (a starred item: what is starred)."""
    name, _, index = mark[len(PREFIX):].partition("@")
    if not index:
        return binding.given[name]
    if name in binding.keywords:
        return binding.keywords[name][int(index)].value
    item = binding.extra[name][int(index)]
    return item.value if isinstance(item, ast.Starred) else item
