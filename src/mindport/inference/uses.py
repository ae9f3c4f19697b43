"""Collects a file's uses of outside APIs, after its values are known.

A name counts as *direct* when an import statement binds it, here or in the project file that it comes
from: ``F.relu(x)``, ``relu(x)``. A call through a variable (``act = F.relu; act(x)``) is *indirect*:
the API is used where it is named, and `Facts.indirect` notes where it runs.

Code that is not reached has no values; its names are resolved all the same.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from mindport.findings import Certainty
from mindport.inference import torchfacts
from mindport.inference.attributes import attribute
from mindport.inference.configurations import asked_for_settings
from mindport.inference.containers import CONTAINERS
from mindport.inference.facts import Unresolved, Use, UseKind
from mindport.inference.fitting import fitting
from mindport.inference.members import member_uses
from mindport.inference.overlays.libraries import is_torch_based
from mindport.inference.overlays.private_bases import EAGER
from mindport.inference.reexports import is_imported
from mindport.inference.scopes import ClassScope, FunctionScope, ModuleScope
from mindport.inference.values import (
    Api,
    Bound,
    Builtin,
    Const,
    Partial,
    ProjectFunction,
    ProjectModule,
    Unknown,
    Value,
    options,
)
from mindport.source.walking import walk

if TYPE_CHECKING:
    from mindport.inference.project import Project

#: In the classes of these an unknown value with a tensor's method is a tensor, even where the file knows NumPy's arrays (``state["step"].dot(g)`` of an optimizer).
OF_TENSORS = frozenset(("torch.nn.Module", "torch.optim.Optimizer", "torch.autograd.Function"))


def _is_text(value: Value) -> bool:
    return value.kind is str if isinstance(value, Const) else isinstance(value, Builtin) and value.type == "str"


def _by_type(function: ast.AST) -> bool:
    """Whether a function is decorated as one that the type of its argument chooses."""
    named = [ast.unparse(decorator).rpartition(".")[2] for decorator in getattr(function, "decorator_list", ())]
    return "singledispatch" in named or "singledispatchmethod" in named


def collect(project: Project, module: ModuleScope) -> None:
    """Fill uses, unresolved places and class ancestors of a module's facts."""
    collector = _Collector(project, module)
    collector.body(module.file.tree.body)
    collector.numbering()


class _Collector:
    def __init__(self, project: Project, module: ModuleScope) -> None:
        self.project = project
        self.module = module
        self.facts = module.facts
        self.values = module.facts.values
        self.functions: list[FunctionScope] = []
        self.scope = ""
        self.in_module_class = False
        self.place: ast.expr | None = None  # inside a string annotation: the string

    def numbering(self) -> None:
        """Put uses into the order of the text."""
        self.facts.uses.sort(key=_position)
        self.facts.indirect.sort(key=_position)

    # -- what a name stands for --------------------------------------------------------------

    def resolve(self, node: ast.expr) -> tuple[Value, bool]:
        """The value of an expression, and whether it is written by an imported name."""
        value = self.values.get(id(node))
        if isinstance(node, ast.Name):
            direct, static = self._name(node.id)
            return (value if value is not None else static), direct
        if isinstance(node, ast.Attribute):
            base, direct = self.resolve(node.value)
            direct = direct or is_module(base)  # ``F = nn.functional`` names it as an import would
            if direct and isinstance(base, (Api, ProjectModule)):
                if isinstance(base, ProjectModule):
                    direct = node.attr not in base.scope.assigned or is_imported(base.scope, node.attr, self.project)
                if value is None or isinstance(value, Unknown) or isinstance(node.ctx, ast.Store):
                    value = attribute(self.project, base, node.attr)
                return value, direct
            return (value if value is not None else Unknown("the expression was not reached")), False
        return (value if value is not None else Unknown("the expression was not reached")), False

    def _name(self, name: str) -> tuple[bool, Value]:
        for function in reversed(self.functions):
            if name in function.imported:
                direct = name not in self.module.origins or is_imported(self.module, name, self.project)
                return direct, Unknown("the import was not reached")
            if name in function.assigned:
                return False, Unknown("the expression was not reached")
        return is_imported(self.module, name, self.project), self.project.global_name(self.module, name)

    # -- recording ---------------------------------------------------------------------------

    def use(self, node: ast.expr, name: str, kind: UseKind, certainty: Certainty = "certain") -> None:
        self.facts.uses.append(Use(self.place or node, name, kind, certainty, self.scope))

    def named(self, node: ast.expr, kind: UseKind) -> bool:
        """Record the outside names that an expression names directly; False where it does not."""
        value, direct = self.resolve(node)
        if not direct:
            return False
        found = False
        for option in options(value):
            if isinstance(option, Api):
                found = True
                if is_torch_based(option.name):
                    self.use(node if self.call is None else self.call, EAGER.get(option.name, option.name) if kind == "base" else option.name, kind)
        return found

    call: ast.Call | None = None

    # -- expressions ---------------------------------------------------------------------------

    def expression(self, node: ast.expr, kind: UseKind = "value") -> None:
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node, kind)
        elif not isinstance(node, ast.Constant):
            self.children(node)

    def children(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child, "check" if isinstance(node, ast.MatchClass) else "value")  # its only expression: the class
            elif isinstance(child, ast.stmt):
                self.statement(child)
            elif isinstance(child, ast.ExceptHandler):
                if child.type is not None:
                    self.expression(child.type, "check")
                self.body(child.body)
            else:
                self.children(child)

    def name(self, node: ast.Name, kind: UseKind) -> None:
        if isinstance(node.ctx, ast.Load):
            self.named(node, kind)

    def attribute(self, node: ast.Attribute, kind: UseKind) -> None:
        if isinstance(node.ctx, ast.Store) and self.extends_class(node):
            self.expression(node.value, "check")
            return
        if self.named(node, "store" if isinstance(node.ctx, ast.Store) else kind):
            return
        self.member(node, node, "store" if isinstance(node.ctx, ast.Store) else "attribute")
        self.expression(node.value)

    def extends_class(self, node: ast.Attribute) -> bool:
        """``torch.nn.Module.summary = f``: a class gets what it does not have."""
        base, direct = self.resolve(node.value)
        found = torchfacts.lookup(base.name) if direct and isinstance(base, Api) else None
        return found is not None and found.kind == "class" and torchfacts.member(found.name, node.attr) is None

    def member(self, node: ast.Attribute, place: ast.expr, kind: UseKind) -> None:
        """An attribute or method of an instance."""
        receiver, _ = self.resolve(node.value)
        if kind == "attribute" and place is node and isinstance(receiver, Unknown) and torchfacts.is_method(node.attr):
            return  # read without being called, and of something unknown: an option of that name (args.flip, args.mode)
        if node.attr == "data" and isinstance(receiver, Unknown) and self.functions and ast.unparse(node.value) in asked_for_settings(self.functions[-1].node):
            return
        names, why = member_uses(self.project, self.module, receiver, node, kind, self.in_module_class, place)
        if isinstance(place, ast.Call) and all(certainty == "likely" for _, certainty in names) and (self.must_be_text(node.attr, place) or self.takes_image_constant(place)):
            return
        for name, certainty in fitting(names, place):
            self.use(place, name, kind, certainty)
        if why is not None:
            candidates, reason = why
            self.facts.unresolved.append(Unresolved(self.place or place, f".{node.attr}", candidates, reason, self.scope))

    def takes_image_constant(self, call: ast.Call) -> bool:
        """``img.resize(size, Image.BILINEAR)``: no tensor's method takes Pillow's constants."""
        given = (option for value in (*call.args, *(k.value for k in call.keywords)) for option in options(self.resolve(value)[0]))
        return any(isinstance(option, Api) and option.name.startswith("PIL.") for option in given)

    def must_be_text(self, attr: str, call: ast.Call) -> bool:
        """``sentence.split()``, ``line.split(mark)``: what a loader hands on is assumed to be a tensor, and may be text."""
        if attr != "split" or call.keywords:
            return False
        return not call.args or all(_is_text(option) for option in options(self.resolve(call.args[0])[0]))

    def called(self, node: ast.Call, kind: UseKind) -> None:
        function = node.func
        wanted: UseKind = kind if kind in ("with", "decorator") else "call"
        value, direct = self.resolve(function)
        self.call = node
        direct = direct and self.named(function, wanted)
        self.call = None
        if not direct:
            if isinstance(function, ast.Attribute):
                self.member(function, node, "method")
                self.expression(function.value)
            elif not isinstance(function, ast.Name):
                self.expression(function)
            self._indirect(node, value)
        check = 1 if isinstance(value, Api) and value.name in ("builtins.isinstance", "builtins.issubclass") else 0 if self.dispatches(function) else None
        for i, argument in enumerate(node.args):
            self.expression(argument, "check" if i == check else "value")
        for keyword in node.keywords:
            self.expression(keyword.value)

    def dispatches(self, function: ast.expr) -> bool:
        """``cost.register(nn.Linear)`` of a `functools.singledispatch`: what has the class, or one below it, goes this way."""
        if not isinstance(function, ast.Attribute) or function.attr not in ("register", "dispatch"):
            return False
        several = options(self.resolve(function.value)[0])
        return bool(several) and all(isinstance(option, ProjectFunction) and _by_type(option.scope.node) for option in several)

    def _indirect(self, node: ast.Call, value: Value) -> None:
        several = options(value)
        for option in several:
            while isinstance(option, Partial):
                option = option.function
            if isinstance(option, Api) and is_torch_based(option.name):
                certainty: Certainty = "certain" if len(several) == 1 else "likely"
                self.facts.indirect.append(Use(node, option.name, "call", certainty, self.scope))
            elif isinstance(option, Bound) and isinstance(option.function, Api) and isinstance(node.func, ast.Name):
                self.facts.indirect.append(Use(node, option.function.name, "method", "likely", self.scope))

    def several(self, node: Any, kind: UseKind) -> None:
        for element in node.elts:
            self.expression(element, kind if kind == "check" else "value")

    def union(self, node: ast.BinOp, kind: UseKind) -> None:
        passed: UseKind = kind if kind in ("check", "type") else "value"
        self.expression(node.left, passed)
        self.expression(node.right, passed)

    def subscript(self, node: ast.Subscript, kind: UseKind) -> None:
        self.expression(node.value, kind if kind in ("base", "type") else "value")
        self.expression(node.slice)

    def lambda_(self, node: ast.Lambda, kind: UseKind) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.expression(default)
        scope = self.module.scopes.get(id(node))
        if isinstance(scope, FunctionScope):
            self.functions.append(scope)
        self.expression(node.body)
        if isinstance(scope, FunctionScope):
            self.functions.pop()

    # -- annotations ---------------------------------------------------------------------------

    def annotation(self, node: ast.expr | None) -> None:
        """Uses of kind "type" in an annotation, in strings too."""
        if node is None:
            return
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                parsed = self.module.strings.get(id(node)) or _parsed(node.value)
                if parsed is not None:
                    outer, self.place = self.place, self.place or node
                    self.annotation(parsed)
                    self.place = outer
            return
        if isinstance(node, (ast.Name, ast.Attribute)):
            self.named(node, "type")
            return
        if isinstance(node, ast.Subscript) and isinstance(node.value, (ast.Name, ast.Attribute)):
            written = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
            if written in ("Literal", "Annotated"):
                self.named(node.value, "type")
                if written == "Annotated" and isinstance(node.slice, ast.Tuple):
                    self.annotation(node.slice.elts[0])
                return
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.annotation(child)

    # -- statements ----------------------------------------------------------------------------

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.function(node)
        elif isinstance(node, ast.ClassDef):
            self.class_(node)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                self.expression(item.context_expr, "with")
                if item.optional_vars is not None:
                    self.expression(item.optional_vars)
            self.body(node.body)
        elif isinstance(node, ast.AnnAssign):
            self.expression(node.target)
            self.annotation(node.annotation)
            if node.value is not None:
                self.expression(node.value)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            return
        else:
            self.children(node)

    def function(self, node: Any) -> None:
        for decorator in node.decorator_list:
            self.expression(decorator, "decorator")
        arguments = node.args
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self.expression(default)
        for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if parameter is not None:
                self.annotation(parameter.annotation)
        self.annotation(node.returns)
        scope = self.module.scopes[id(node)]
        assert isinstance(scope, FunctionScope)
        outer, self.scope = self.scope, scope.qualname
        self.functions.append(scope)
        self.body(node.body)
        self.functions.pop()
        self.scope = outer

    def class_(self, node: ast.ClassDef) -> None:
        scope = self.module.scopes[id(node)]
        assert isinstance(scope, ClassScope)
        if scope.bases is None:  # not reached: its bases by name
            scope.bases = tuple(self.resolve(base)[0] for base in node.bases)
        self.facts.ancestors[node] = scope.ancestors
        if not scope.ancestors and scope.subclasses:
            self.facts.mixed_into[node] = frozenset(name for below in scope.all_subclasses() for name in below.ancestors)
        elif not scope.ancestors and scope.has_unknown_base() and _hands_forward_up(node):
            self.facts.mixed_into[node] = frozenset(("torch.nn.Module",))
        if CONTAINERS.intersection(scope.ancestors) and (held := self.project.held(scope)) is not None:
            self.facts.held[node] = held
        for decorator in node.decorator_list:
            self.expression(decorator, "decorator")
        for base in node.bases:
            self.expression(base, "base")
        for keyword in node.keywords:
            self.expression(keyword.value)
        outer, self.scope = self.scope, scope.qualname
        before, self.in_module_class = self.in_module_class, bool(OF_TENSORS.intersection(scope.ancestors))
        self.body(node.body)
        self.scope, self.in_module_class = outer, before


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def is_module(value: Value) -> bool:
    """Whether a value is a module of torch's, and nothing else from anywhere."""
    api = torchfacts.lookup(value.name) if isinstance(value, Api) else None
    return api is not None and api.kind == "module"


def _position(use: Use) -> tuple[int, int]:
    return use.node.lineno, use.node.col_offset


def _hands_forward_up(node: ast.ClassDef) -> bool:
    """``class Counted(kind)`` with a `forward` that calls ``super().forward``: of bases that nobody knows, those of networks have one."""
    methods = [method for method in node.body if isinstance(method, ast.FunctionDef) and method.name == "forward"]
    return any(isinstance(part, ast.Attribute) and part.attr == "forward" and ast.unparse(part.value) == "super()" for method in methods for part in walk(method))


_HANDLERS: dict[type, Any] = {
    ast.Name: _Collector.name, ast.Attribute: _Collector.attribute, ast.Call: _Collector.called, ast.Tuple: _Collector.several,
    ast.BinOp: _Collector.union, ast.Subscript: _Collector.subscript, ast.Lambda: _Collector.lambda_,
}  # fmt: skip
