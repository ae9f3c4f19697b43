"""What a function's parameters hold when its body starts.

In order: the annotation (certain); the first parameter of a method; the default's type; what calls
pass (likely); what the docstring says (likely); how the body uses the name (likely); and that the
parameters of a module's ``forward`` are tensors (likely).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from mindport.inference.annotations import annotated
from mindport.inference.certainty import likely
from mindport.inference.docstrings import documented
from mindport.inference.frame import Frame
from mindport.inference.overlays.creation import dtype_of
from mindport.inference.scopes import FunctionScope
from mindport.inference.values import (
    NONE,
    Api,
    Bound,
    Const,
    Mapping,
    Partial,
    ProjectClass,
    ProjectFunction,
    ProjectInstance,
    Returning,
    Sequence,
    TensorValue,
    Unknown,
    Value,
    join,
    options,
    widen,
)
from mindport.source.walking import walk

_TYPE_COMMENT = re.compile(r"#\s*type:\s*\((.*)\)\s*->\s*(.+)$")
_CALLABLE = (Api, ProjectClass, ProjectFunction, Partial, Bound)
#: Ends of names that a forward pass gives a number as often as a tensor: ``block(x, drop_connect_rate=0.2 * i / n)``.
NAMES_OF_NUMBERS = frozenset({"prob", "probability", "rate", "ratio"})


def bind_parameters(frame: Frame, scope: FunctionScope) -> None:
    """Bind all parameters in the frame."""
    arguments = scope.node.args
    for i, parameter in enumerate(scope.positional):
        if i == 0 and scope.cls is not None and scope.kind != "static":
            frame.env[parameter.arg] = scope.cls.value if scope.kind == "class" else ProjectInstance(scope.cls.value)
        else:
            frame.env[parameter.arg] = parameter_value(frame, scope, parameter)
    for parameter in arguments.kwonlyargs:
        frame.env[parameter.arg] = parameter_value(frame, scope, parameter)
    if arguments.vararg is not None:
        star = arguments.vararg
        element = _annotation(frame, star) or _passed(scope, "*" + star.arg) or (
            TensorValue(likely=True) if _is_forward(scope) else Unknown("what * collects")
        )
        frame.env[star.arg] = Sequence("tuple", None, element)
    if arguments.kwarg is not None:
        named = ((name[2:], _passed(scope, name)) for name in scope.sites if name.startswith("**"))
        frame.env[arguments.kwarg.arg] = Mapping(None, _annotation(frame, arguments.kwarg) or Unknown("what ** collects"), tuple((name, value) for name, value in named if value is not None))


def type_comments(frame: Frame, scope: FunctionScope) -> dict[str, ast.expr]:
    """Annotations in a comment below the ``def`` line: ``# type: (Tensor, int) -> Tensor``.

    The key "return" holds what follows the arrow.
    """
    node = scope.node
    if isinstance(node, ast.Lambda) or not node.body:
        return {}
    for number in range(node.lineno, node.body[0].lineno + 1):
        match = _TYPE_COMMENT.search(frame.module.file.line(number))
        if match is None:
            continue
        try:
            written = ast.parse(f"({match[1]},), ({match[2]})" if match[1].strip() else f"(), ({match[2]})", mode="eval").body
        except SyntaxError:
            return {}
        assert isinstance(written, ast.Tuple) and isinstance(written.elts[0], ast.Tuple)
        types = written.elts[0].elts
        names = [p.arg for p in scope.positional]
        if len(types) == len(names) - 1:
            names = names[1:]
        frame.module.strings[id(node)] = written  # keeps the nodes alive: facts are stored by id
        return dict(zip(names, types, strict=False)) | {"return": written.elts[1]}
    return {}


def _comment_names(frame: Frame) -> Callable[[ast.expr], Value]:
    """Comments are not run, so the names in them need not be imported."""

    def look(node: ast.expr) -> Value:
        value = frame.evaluate(node)
        if isinstance(value, Unknown) and isinstance(node, ast.Name):
            return Api("torch.Tensor") if node.id == "Tensor" else Api(f"typing.{node.id}")
        return value

    return look


def _annotation(frame: Frame, parameter: ast.arg) -> Value | None:
    if parameter.annotation is None:
        return None
    value = annotated(parameter.annotation, frame.evaluate, frame.module.strings)
    if not isinstance(value, Unknown):
        return value
    # ``mask: torch.bool`` says which tensor it is, ``dtype: torch.float32`` which dtype
    return TensorValue(likely=True) if dtype_of(frame.evaluate(parameter.annotation)) and "type" not in parameter.arg.lower() else None


def parameter_value(frame: Frame, scope: FunctionScope, parameter: ast.arg) -> Value:
    """What one parameter holds."""
    name = parameter.arg
    default = scope.defaults.get(name)
    declared = _annotation(frame, parameter)
    if declared is not None:
        if any(isinstance(o, Returning) for o in options(declared)) and scope.sites.get(name):
            passed = [o for value in scope.sites[name].values() for o in options(value) if isinstance(o, _CALLABLE)]
            declared = join(declared, *passed)
        if default is None or default == NONE:
            return join(declared, NONE) if default is not None else declared
        extra = [o for o in options(default) if isinstance(o, _CALLABLE)]
        return join(declared, *extra) if extra else declared
    assumed = _assumed(frame, scope, name)
    if default is None:
        return assumed if assumed is not None else Unknown(f"parameter {name} has no annotation")
    if default == NONE:
        return join(assumed if assumed is not None else Unknown(f"parameter {name} has no annotation"), NONE)
    if isinstance(default, Const):
        return join(widen(default), assumed) if assumed is not None else widen(default)
    if isinstance(default, Sequence):
        default = Sequence(default.type, None, widen(join(*default.items)) if default.items else Unknown("an element"))
    return join(default, assumed if assumed is not None else Unknown(f"parameter {name} has no annotation"))


def _assumed(frame: Frame, scope: FunctionScope, name: str) -> Value | None:
    if scope.comments is None:
        scope.comments = type_comments(frame, scope) if "# type:" in frame.module.file.text else {}
    if name in scope.comments:
        return likely(annotated(scope.comments[name], _comment_names(frame), frame.module.strings))
    passed = _passed(scope, name)
    if passed is not None and not any(isinstance(o, Unknown) for o in options(passed)):
        return passed
    if scope.documented is None:
        scope.documented = documented(scope, frame)
    found = scope.documented.get(name)
    if found is None:
        found = scope.evidence.get(name)
    if found is not None:
        return found
    if passed is not None and any(not isinstance(o, Unknown) for o in options(passed)):
        return passed
    if _is_forward(scope) and name.rpartition("_")[2] not in NAMES_OF_NUMBERS and not _is_taken_apart(scope.node, name):
        return TensorValue(likely=True)
    return None


def _is_taken_apart(function: ast.AST, name: str) -> bool:
    """Whether a body takes a parameter as several values: ``keys, values = cache``. That is as often a tuple as a tensor."""
    return any(isinstance(n, ast.Assign) and isinstance(n.value, ast.Name) and n.value.id == name and isinstance(n.targets[0], (ast.Tuple, ast.List)) for n in walk(function))


def _passed(scope: FunctionScope, name: str) -> Value | None:
    sites = scope.sites.get(name)
    if not sites:
        return None
    return likely(widen(join(*sites.values())))


def _is_forward(scope: FunctionScope) -> bool:
    """Whether the function computes what calling a torch module gives."""
    return scope.name == "forward" and scope.cls is not None and "torch.nn.Module" in scope.cls.ancestors
