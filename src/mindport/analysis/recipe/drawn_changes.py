"""Augmentation that is written out: ``if random.random() < 0.5: img = img.transpose(FLIP_LEFT_RIGHT)``, crops at drawn places."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator

from mindport.analysis.answers import Quote
from mindport.analysis.recipe.evaluation import file_evaluates
from mindport.analysis.subject import Function, Subject
from mindport.inference import values as v
from mindport.inference.facts import Facts
from mindport.source.called import last_name
from mindport.source.file import SourceFile

_DRAWS = ("random.", "numpy.random.", "torch.rand", "torch.bernoulli", "torch.Tensor.uniform_")
_PAD = "pad"
#: What a call changes, by the last part of its name.
_CHANGES: dict[str, str] = {
    **dict.fromkeys(("mirror", "fliplr", "flipud", "flip", "hflip", "vflip"), "flip"),
    **dict.fromkeys(("crop", "center_crop", "resized_crop"), "crop"),
    **dict.fromkeys(("resize", "imresize", "rescale", "zoom"), "resize"),
    **dict.fromkeys(("rotate", "rot90", "warpAffine", "getRotationMatrix2D", "warp_affine"), "rotation"),
    **dict.fromkeys(("GaussianBlur", "gaussian_blur", "gaussian_filter"), "blur"),
    **dict.fromkeys(("enhance", "adjust_brightness", "adjust_contrast", "adjust_hue", "adjust_saturation", "adjust_gamma"), "colour"),
    **dict.fromkeys(("roll", _PAD), "shift"),
}  # fmt: skip
#: What is random by being done or not; the others by the number that they are given.
_YES_OR_NO = ("flip", "blur")
_TRANSPOSE, _FLIPS = "transpose", "FLIP"
_GIVES_ITEMS = "__getitem__"
#: What a transform is called by, and the functions that are operators.
_APPLIES = "__call__"
_OPERATORS = {"mul": "scale", "multiply": "scale", "add": "shift", "sub": "shift"}
#: A function that makes samples, by its name.
_LOADS = re.compile(r"(^|_)(load|read|fetch|augment|preprocess|collate|get_(item|sample|batch|image))|data_?(set)?_(load|item)|_load(er)?$")
_ARITHMETIC = ("int", "float", "round", "min", "max", "abs", "len")


def drawn_changes(subject: Subject) -> Iterator[tuple[str, Quote]]:
    """("flip, crop drawn in _sync_transform", place) of functions that change an image or a recording by what they draw."""
    written = subject.written_names
    sets = {scope.partition(".")[0] for file in subject.files for _, scope, serves in _functions(file.tree) if serves}
    unmade = sets - written if written is not None and sets & written else set()  # beside others that somebody makes
    elsewhere = _called_elsewhere(subject)
    for file, facts in subject.facts.items():
        if subject.aside(file.relative):
            continue
        for function, scope, serves in _functions(file.tree):
            if scope.partition(".")[0] in unmade:
                continue
            region = subject.regions.of(file, scope)
            if region == "network":
                continue
            cls = scope.partition(".")[0]
            if cls in elsewhere:
                continue
            applies = function.name == _APPLIES and (written is None or cls in written)
            data = serves or region == "data" or applies or bool(_LOADS.search(function.name.lower()))
            changed = list(dict.fromkeys([*_changed(facts, function, data), *(_in_helpers(subject, file, function) if data else ())]))
            if changed and data or len(changed) > 1:
                yield f"{', '.join(changed)} drawn in {cls if applies else function.name}", _place(subject, file, facts, function)


def _called_elsewhere(subject: Subject) -> frozenset[str]:
    """Last names of what only evaluation and self-tests call."""
    called: dict[bool, set[str]] = {True: set(), False: set()}
    for file in subject.files:
        aside = file_evaluates(str(file.relative)) or subject.aside(file.relative)
        for node in file.nodes:
            if isinstance(node, ast.Call) and isinstance(f := node.func, (ast.Attribute, ast.Name)):
                called[aside or subject.in_self_test(file, node)].add(f.attr if isinstance(f, ast.Attribute) else f.id)
    return frozenset(called[True] - called[False])


def _functions(tree: ast.AST, scope: str = "", serves: bool = False) -> Iterator[tuple[ast.FunctionDef, str, bool]]:
    """(function, its scope, whether its class gives the items of a data set)."""
    for node in ast.iter_child_nodes(tree):
        name = f"{scope}.{getattr(node, 'name', '')}".strip(".")
        if isinstance(node, ast.FunctionDef):
            yield node, name, serves
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, name, any(isinstance(inner, ast.FunctionDef) and inner.name == _GIVES_ITEMS for inner in node.body))


def _is_draw(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and any(isinstance(o, v.Api) and o.name.startswith(_DRAWS) for o in v.options(facts.value(node.func)))


def _place(subject: Subject, file: SourceFile, facts: Facts, function: ast.FunctionDef) -> Quote:
    return subject.quote(file, next((n for n in ast.walk(function) if _is_draw(facts, n)), function))


def _in_helpers(subject: Subject, file: SourceFile, function: ast.FunctionDef) -> Iterator[str]:
    """What functions of the project change by drawn numbers that they are given: ``load(path, area=area, flip=random.randint(0, 1))``."""
    facts = subject.facts[file]
    drawn = _drawn_names(facts, function)
    for call in (n for n in ast.walk(function) if isinstance(n, ast.Call)):
        for helper in (o.scope.node for o in v.options(facts.value(call.func)) if isinstance(o, v.ProjectFunction)):
            home = next((f for f in subject.files if helper in f.tree.body), None)
            if home is None or not isinstance(helper, ast.FunctionDef) or helper is function:
                continue
            named = [a.arg for a in [*helper.args.posonlyargs, *helper.args.args]]
            given = [*zip(named, call.args, strict=False), *((k.arg, k.value) for k in call.keywords if k.arg)]
            chosen = {name for name, value in given if any(isinstance(n, ast.Name) and n.id in drawn or _is_draw(facts, n) for n in ast.walk(value))}
            if chosen:
                yield from _changed(subject.facts[home], helper, False, chosen)


def _changed(facts: Facts, function: ast.FunctionDef, data: bool, given_drawn: Iterable[str] = ()) -> Iterator[str]:
    drawn = _drawn_names(facts, function) | set(given_drawn)

    def hangs(node: ast.AST) -> bool:
        return any(isinstance(n, ast.Name) and n.id in drawn or _is_draw(facts, n) for n in ast.walk(node))

    if not hangs(function):
        return
    decided = {
        id(inner) for node in ast.walk(function) if isinstance(node, (ast.If, ast.IfExp)) and hangs(node.test)
        for part in ((*node.body, *node.orelse) if isinstance(node, ast.If) else (node.body, node.orelse)) for inner in ast.walk(part)
    }  # fmt: skip
    arrays = {ast.unparse(n.value) for n in ast.walk(function) if isinstance(n, (ast.Subscript, ast.Attribute))} if data else set()
    mixed = {name: sum_ for sum_ in ast.walk(function) if isinstance(sum_, ast.BinOp) and isinstance(sum_.op, ast.Add) for name in _mixed_in(sum_, hangs) if name in arrays}
    for node in sorted(ast.walk(function), key=lambda n: (getattr(n, "lineno", 0), getattr(n, "col_offset", 0))):
        if node in mixed.values():
            yield "noise"
        elif isinstance(node, (ast.BinOp, ast.Call)) and function.name == _APPLIES and (changed := _arithmetic(node, function, hangs)):
            yield changed
        elif isinstance(node, ast.Call):
            last = last_name(node.func)
            what = "flip" if last == _TRANSPOSE and any(_FLIPS in ast.unparse(a) for a in node.args) else _CHANGES.get(last)
            handed = [*node.args, *(k.value for k in node.keywords)]
            given = any(hangs(a) for a in (map(_first, handed[1:]) if last == _PAD else handed))
            if what is not None and (id(node) in decided and what in _YES_OR_NO or given):
                yield what
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and data:
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if isinstance(node.value, ast.Name) and node.value.id in mixed:
                continue  # a part of the noise, not of the sample
            if id(node) in decided and any(isinstance(p, ast.Slice) and p.step is not None and ast.unparse(p.step) == "-1" for p in parts):
                yield "flip"
            elif any(isinstance(p, ast.Slice) and p.lower is not None and p.upper is not None and hangs(p.lower) for p in parts):
                yield "crop"


def _first(amount: ast.expr) -> ast.expr:
    """What is added before: what only stands behind fills up."""
    return _first(amount.elts[0]) if isinstance(amount, (ast.Tuple, ast.List)) and amount.elts else amount


def _arithmetic(node: ast.BinOp | ast.Call, function: Function, hangs: Callable[[ast.AST], bool]) -> str:
    """How a transform changes what it is given by drawn numbers: ``points * scale + offset``, ``torch.mul(points, scale)``."""
    given = {a.arg for a in function.args.args[1:]}
    if isinstance(node, ast.BinOp):
        what, sides = {ast.Mult: "scale", ast.Add: "shift", ast.Sub: "shift"}.get(type(node.op), ""), [node.left, node.right]
    else:
        what, sides = _OPERATORS.get(node.func.attr, "") if isinstance(node.func, ast.Attribute) else "", node.args
    if not what or len(sides) != 2:
        return ""
    of_given = [any(isinstance(n, ast.Name) and n.id in given for n in ast.walk(side)) for side in sides]
    return what if any(of_given[i] and hangs(sides[1 - i]) and not of_given[1 - i] for i in (0, 1)) else ""


def _mixed_in(node: ast.BinOp, hangs: Callable[[ast.AST], bool]) -> Iterator[str]:
    """The arrays that one side of a sum scales by a drawn number, the other being what they are mixed into: ``amount * noise + data``."""
    for scaled, other in ((node.left, node.right), (node.right, node.left)):
        if isinstance(scaled, ast.BinOp) and isinstance(scaled.op, ast.Mult) and isinstance(other, ast.Name) and not hangs(other):
            for number, array in ((scaled.left, scaled.right), (scaled.right, scaled.left)):
                if hangs(number) and isinstance(array, ast.Name):
                    yield array.id


def _drawn_names(facts: Facts, function: Function) -> set[str]:
    """Names that hold what is drawn, or a number that is computed from it."""
    drawn: set[str] = set()
    assigned = [n for n in ast.walk(function) if isinstance(n, (ast.Assign, ast.AugAssign, ast.NamedExpr))]
    for _ in range(3):
        for node in assigned:
            numbers = any(isinstance(n, ast.Name) and n.id in drawn for n in ast.walk(node.value))
            if _is_number(facts, node.value) and (numbers or any(_is_draw(facts, n) for n in ast.walk(node.value))):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                drawn |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return drawn


def _is_number(facts: Facts, node: ast.expr) -> bool:
    """Arithmetic of names and draws: no call but those, a cast, a bound or a rounding, and no slice; an image is none."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Slice):
            return False
        if isinstance(inner, ast.Call) and not _is_draw(facts, inner) and not (isinstance(inner.func, ast.Name) and inner.func.id in _ARITHMETIC):
            return False
    return True
