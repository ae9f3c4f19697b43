"""What ``ms.jit`` cannot compile of Python: a linter over everything that a network's forward pass reaches.

The rules were measured against MindSpore 2.10.0's compiler (jit, capture_mode="ast"); some are silent (docs/differences/graphs.md). tests/analysis/test_graph_syntax.py
compiles an example of every rule, and of what only looks like one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

#: Rule → (sentence, what to write instead).
RULES: dict[str, tuple[str, str]] = {
    "try": ("a try statement cannot be compiled", "test the condition with if, or catch the error outside of construct"),
    "import": ("an import inside the function cannot be compiled", "import at the top of the file"),
    "walrus": ("an assignment expression := cannot be compiled", "assign in a statement of its own"),
    "while else": ("while … else cannot be compiled", "set a flag in the loop and test it after"),
    "set": ("a set literal cannot be compiled", "use a tuple"),
    "del": ("del cannot be compiled", "leave the name, or assign None"),
    "match": ("match cannot be compiled", "write if and elif"),
    "with": ("a with statement over this context cannot be compiled", "enter the context outside of construct"),
    "async": ("async code cannot be compiled", "call it outside of construct"),
    "for else": ("for … else cannot be compiled", "set a flag in the loop and test it after"),
    "yield": ("a generator function cannot be compiled", "return a list"),
    "nonlocal": ("nonlocal cannot be compiled", "return the value and assign it outside"),
    "class": ("a class inside the function cannot be compiled", "define it at the top of the file"),
    "dictionary pop": ("pop of a dictionary gives another value when compiled, without an error", "read the entry, and leave it in"),
    "reversed": ("reversed is run outside of the graph: gradients through it are 0, without an error unless compiled with fullgraph=True", "write x[::-1]"),
    "dict": ("dict(…) of tensors is run outside of the graph: gradients through it are 0, without an error unless compiled with fullgraph=True", "write {name: value for name, value in …}"),
    "sorted": ("sorted is run outside of the graph: gradients through it are 0, without an error unless compiled with fullgraph=True", "sort outside of construct, or sort a tensor"),
    "map": ("map and filter over a function that uses local names cannot be compiled", "write a list comprehension"),
    "default": ("a parameter's default that is computed inside the function cannot be compiled", "give it as an argument"),
    "self": ("the first parameter of construct has to be called self", "rename it to self"),
}


@dataclass(frozen=True)
class Stop:
    """A place that graph mode stops at."""

    rule: str
    node: ast.AST


def stops(function: ast.FunctionDef | ast.AsyncFunctionDef, is_method: bool = False) -> Iterator[Stop]:
    """Every place of a function that stops the compiler; functions inside it are part of it."""
    if is_method and function.args.args and function.args.args[0].arg != "self" and not _static(function):
        yield Stop("self", function)
    for node in _reached(function):
        rule = _rule(node)
        if rule is not None:
            yield Stop(rule, node)


def _static(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id in ("staticmethod", "classmethod") for d in function.decorator_list)


def _rule(node: ast.AST) -> str | None:
    match node:
        case ast.Try():
            return "try"
        case ast.Import() | ast.ImportFrom():
            return "import"
        case ast.NamedExpr():
            return "walrus"
        case ast.While(orelse=[_, *_]):
            return "while else"
        case ast.For(orelse=[_, *_]):
            return "for else"
        case ast.Set() | ast.SetComp():
            return "set"
        case ast.Yield() | ast.YieldFrom():
            return "yield"
        case ast.Nonlocal():
            return "nonlocal"
        case ast.ClassDef():
            return "class"
        case ast.Call(func=ast.Attribute(attr="pop"), args=[ast.Constant(value=str()), *_]):
            return "dictionary pop"
        case ast.Call(func=ast.Name(id="map" | "filter"), args=[ast.Lambda() as function, *_]) if _free(function):
            return "map"
        case ast.Call(func=ast.Name(id="reversed"), args=[given]) if not _is_range(given):
            return "reversed"
        case ast.Call(func=ast.Name(id="dict"), args=given, keywords=named) if given or named:
            return "dict"
        case ast.Call(func=ast.Name(id="sorted"), args=[given, *_]) if not isinstance(given, ast.Constant):
            return "sorted"
        case ast.FunctionDef(args=ast.arguments(defaults=given, kw_defaults=named)) if any(_computed(d) for d in [*given, *named]):
            return "default"
        case ast.Delete():
            return "del"
        case ast.Match():
            return "match"
        case ast.With():
            return "with"
        case ast.AsyncFor() | ast.AsyncWith() | ast.Await() | ast.AsyncFunctionDef():
            return "async"
    return None


def _is_range(given: ast.expr) -> bool:
    return isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id in ("range", "enumerate")


def _free(function: ast.Lambda) -> bool:
    """Whether a lambda reads names that are not its own; a capital letter or a module's name is no local, as a rule."""
    own = {a.arg for a in function.args.args}
    called = {n.func.id for n in ast.walk(function.body) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    through = {n.value.id for n in ast.walk(function.body) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
    return any(isinstance(n, ast.Name) and n.id not in own | called | through and not n.id[:1].isupper() for n in ast.walk(function.body))


def _computed(default: ast.expr | None) -> bool:
    return default is not None and any(isinstance(n, (ast.Name, ast.Call)) and not (isinstance(n, ast.Name) and n.id[:1].isupper()) for n in ast.walk(default))


def _reached(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run: what a test on a constant or on scripting excludes does not."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.arguments):
            continue
        yield child
        yield from _reached(child)
