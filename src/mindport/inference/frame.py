"""The state of one body under evaluation: names bound here, the names around it, what it returns.

Flow: `env` maps names to values at the current point. A branch copies it, a join unions it
(`join_environments`). Keys with a dot (``self.conv``) are attributes whose value is known here,
from a test or an assignment; they are dropped where branches disagree.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mindport.inference import torchfacts
from mindport.inference.public import is_public
from mindport.inference.scopes import ClassScope, FunctionScope, ModuleScope
from mindport.inference.values import Api, Unknown, Value, join

if TYPE_CHECKING:
    from mindport.inference.project import Project

Environment = dict[str, Value]

#: Evaluators by node type; `evaluate` fills the first, `statements` the second.
EXPRESSIONS: dict[type, Callable[[Any, Any], Value]] = {}
STATEMENTS: dict[type, Callable[[Any, Any], bool]] = {}

_BUILTINS = frozenset(dir(builtins))


class Frame:
    """One module, class or function body under evaluation."""

    __slots__ = (
        "project", "module", "function", "cls", "env", "values", "outer", "returns", "yields", "loops", "globals", "nonlocals", "depth",
    )  # fmt: skip

    def __init__(
        self,
        project: Project,
        module: ModuleScope,
        function: FunctionScope | None = None,
        cls: ClassScope | None = None,
        outer: Callable[[str], Value | None] | None = None,
    ) -> None:
        self.project = project
        self.module = module
        self.function = function
        self.cls = cls
        self.env: Environment = {}
        self.values = module.facts.values
        self.outer = outer
        self.returns: list[Value] = []
        self.yields: list[Value] = []
        self.loops: list[tuple[list[Environment], list[Environment]]] = []  # (continues, breaks)
        self.globals: set[str] = set()
        self.nonlocals: dict[str, FunctionScope] = {}  # with the function whose names they are
        self.depth = 0

    def evaluate(self, node: ast.expr) -> Value:
        """What the expression is here; noted in the file's facts."""
        evaluator = EXPRESSIONS.get(type(node))
        value = evaluator(self, node) if evaluator is not None else Unknown("this syntax is not followed")
        self.values[id(node)] = value
        return value

    def lookup(self, name: str) -> Value:
        """What a name is bound to here."""
        found = self.env.get(name)
        if found is not None:
            rebound = self.function.rebound.get(name) if self.function is not None else None
            return found if rebound is None else join(found, rebound)
        if self.outer is not None:
            found = self.outer(name)
            if found is not None:
                return found
        return self.project.global_name(self.module, name)

    def closure(self) -> Callable[[str], Value | None]:
        """Lookup for the functions defined here.

        They see what is bound now, joined with what the names they use may be rebound to later.
        """
        now = self.env.copy()
        outer = self.outer
        frame = self

        def look(name: str) -> Value | None:
            before, after = now.get(name), frame.env.get(name)
            if after is not None and frame.function is not None and name in frame.function.rebound:
                after = join(after, frame.function.rebound[name])
            if before is not None:
                return before if after is None or after is before else join(before, after)
            if after is not None:
                return after
            return outer(name) if outer is not None else None

        return look

    def bind(self, name: str, value: Value) -> None:
        """Bind a name; attributes known of what it held before are forgotten."""
        self.env[name] = value
        if name in self.globals:
            env = self.module.env
            env[name] = join(env[name], value) if name in env else value
        if name in self.nonlocals and self.nonlocals[name].rebind(name, value):
            self.project.again(self.nonlocals[name])
        prefix = f"{name}."
        stale = [key for key in self.env if key.startswith(prefix)]
        for key in stale:
            del self.env[key]


def global_builtin(name: str) -> Value | None:
    """A builtin by its name."""
    return Api(f"builtins.{name}") if name in _BUILTINS else None


def star_name(module: ModuleScope, name: str) -> Value | None:
    """A name that ``from torch.x import *`` brought, or that of another library whose public names are known."""
    for source in module.stars:
        canonical = torchfacts.canonical(f"{source}.{name}")
        if torchfacts.lookup(canonical) is not None or is_public(canonical):
            return Api(canonical)
    return None


def join_environments(first: Environment | None, second: Environment | None) -> Environment | None:
    """Where two paths meet; None is a path that ended."""
    if first is None:
        return second
    if second is None or first is second:
        return first
    result: Environment = {}
    for name, value in first.items():
        other = second.get(name)
        if other is value:
            result[name] = value
        elif other is not None:
            result[name] = join(value, other)
        elif "." not in name:
            result[name] = value
    for name, value in second.items():
        if name not in first and "." not in name:
            result[name] = value
    return result


def run(frame: Frame, body: list[ast.stmt]) -> bool:
    """Run statements in order; False where the end is not reached."""
    for statement in body:
        execute = STATEMENTS.get(type(statement))
        if execute is not None and not execute(frame, statement):
            return False
    return True


def path_of(node: ast.expr) -> str | None:
    """``x`` or ``self.conv.weight`` as a key of the environment; None for other expressions."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = path_of(node.value)
        return None if head is None else f"{head}.{node.attr}"
    return None
