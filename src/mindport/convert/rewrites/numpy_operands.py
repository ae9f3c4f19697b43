"""NumPy's numbers and arrays as operands and indices of tensors: ``x[perm]`` becomes ``x[as_index(perm)]``; arguments: `number_arguments`.

PyTorch's tensors take them. MindSpore's raise for an index that is NumPy's, compare as unequal to an array, and
turn into arrays, without a gradient, behind a NumPy number (``np.sqrt(2.0) * x``). What inference knows to be NumPy's is
written so that MindSpore takes it; so is, outside of layers and in files that import numpy, an index, or what is compared
with a tensor, of which nothing is known. ``y.numpy()`` makes arrays in files that never name numpy. Where neither what is indexed nor the index is
known (``batch[rows]``, ``x[labels == c]``), the text stays: in a project that makes such arrays the vendored module has MindSpore's tensors take them.
So it does where an array stands behind something unknown (``batch * mask``).
"""

from __future__ import annotations

import ast
import re

from mindport.convert.context import Context, Files
from mindport.inference import values as v
from mindport.inference.containers import CONTAINERS
from mindport.inference.facts import Use
from mindport.inference.overlays.arrays import UNIVERSAL, WRAPPED

KNOWLEDGE = "mindport.equivalents.numpy_operands"
INDEX, OPERAND, OPERATORS, ANY_INDEX, ANY_EQUALITY, ANY_OPERATOR = "as_index", "as_operand", "NUMPY_GIVES_WAY", "TAKES_ARRAYS", "COMPARES_ARRAYS", "COMPUTES_WITH_ARRAYS"
#: What gives indices: arrays of places, and numbers.
_PLACES = re.compile(r"\b(?:np|numpy)\.(?:random|arange|where|(?:flat)?nonzero|arg\w+|unique|searchsorted|tri[lu]_indices)\b")
#: NumPy's types of numbers.
_TYPES = re.compile(r"(?:float|int|uint|complex|bool)_?\d*")
_NUMPY = v.Api("numpy")


def rewrite(context: Context, uses: dict[tuple[int, bool], list[Use]]) -> None:
    """Plan the edits of a file that imports numpy, or makes arrays of tensors."""
    if KNOWLEDGE not in context.shared.catalog.modules:
        return
    if _indexes_unknown(context) and context.once(_mentions_places):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], ANY_INDEX)
    if _compares_unknown(context) and context.once(_mentions_places):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], ANY_EQUALITY)
    if not _imports_numpy(context):
        _arrays_of_tensors(context)
        return
    layers = _layers(context)
    for node in context.file.nodes:
        match node:
            case ast.Subscript(value=base, slice=index) if v.is_tensor(context.facts.value(base)):
                _index(context, index, known=id(node) in layers)
            case ast.Subscript(value=base, slice=index) if _is_unknown(context, base):
                _bounds(context, index)
            case ast.Subscript(value=base, slice=index) if _is_list_of_modules(context, base) and _is_array(context, index):
                wrap_in(context, index, "int")
            case ast.Call(func=ast.Attribute() as function) if _is_one_of(context, function, WRAPPED) and any(_is_tensor(context, a, _is_one_of(context, function, UNIVERSAL)) for a in node.args):
                _as_tensor(context, node)
            case ast.BinOp(left=left, right=right):
                _operator(context, left, right)
                if _is_array(context, right) and not _is_number(context, right) and _may_be_tensor(context, left):
                    context.runs(context.shared.catalog.modules[KNOWLEDGE], ANY_OPERATOR)
            case ast.AugAssign(target=left, value=right) if _is_array(context, right):
                _operator(context, left, right)
            case ast.Compare(left=left, comparators=[right], ops=[op]) if not isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn):
                _operator(context, left, right, equality=isinstance(op, ast.Eq | ast.NotEq) and id(node) not in layers)


def _is_list_of_modules(context: Context, node: ast.expr) -> bool:
    """Whether it is one of torch's lists of modules: MindSpore's take Python's numbers alone."""
    return all(isinstance(option, v.Instance) and option.cls in CONTAINERS for option in v.options(context.facts.value(node)))


def _mentions_places(project: Files) -> bool:
    return any(_PLACES.search(file.text) for file, _ in project)


def _indexes_unknown(context: Context) -> bool:
    """Whether a file indexes something of which nothing is known by something of which nothing is known, or by an array.

    A file that does not name numpy gets its numbers from others: there what is known to be a tensor is asked, too, and the bounds of slices are.
    """
    named = _imports_numpy(context)
    for node in context.file.nodes:
        if isinstance(node, ast.Subscript) and (_is_unknown(context, node.value) or not named and v.is_tensor(context.facts.value(node.value))):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            bounds = [] if named else [bound for part in parts if isinstance(part, ast.Slice) for bound in (part.lower, part.upper)]
            for part in (*parts, *bounds):
                if part is None or not isinstance(_masking(part), ast.Name | ast.Attribute | ast.Subscript | ast.Call):
                    continue
                if _is_unknown(context, part) or _is_array(context, part) or _holds_arrays(context, part, known=False):
                    return True
    return False


def _compares_unknown(context: Context) -> bool:
    """Whether a file uses as a tensor whether elements equal something of which nothing is known: as an index (``x[labels == c]``), or by a member (``(labels == c).sum()``)."""
    used = (node.value if isinstance(node, ast.Attribute) else node.slice for node in context.file.nodes if isinstance(node, ast.Attribute | ast.Subscript))
    parts = (part for value in used if isinstance(value, ast.Compare | ast.BinOp | ast.UnaryOp | ast.Tuple) for part in ast.walk(value) if isinstance(part, ast.Compare))
    return any(isinstance(p.ops[0], ast.Eq | ast.NotEq) and _is_unknown(context, p.comparators[0]) for p in parts)


def _arrays_of_tensors(context: Context) -> None:
    """Plan the edits of a file that does not import numpy: operands and indices that inference knows to be arrays."""
    nodes = list(context.file.nodes)
    if not any(isinstance(node, ast.Attribute) and node.attr == "numpy" for node in nodes):
        return
    for node in nodes:
        match node:
            case ast.Subscript(value=base, slice=index) if v.is_tensor(context.facts.value(base)):
                _index(context, index, known=True)
            case ast.BinOp(left=left, right=right) if _is_array(context, left) or _is_array(context, right):
                _operator(context, left, right)
            case ast.AugAssign(target=left, value=right) if _is_array(context, right):
                _operator(context, left, right)
            case ast.Compare(left=left, comparators=[right], ops=[op]) if not isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn):
                _operator(context, left, right)


def _imports_numpy(context: Context) -> bool:
    """Whether a file names numpy: by an import of its own, or by ``from helpers import *`` of a file that has one."""
    everything = False
    for node in context.file.nodes:
        if isinstance(node, ast.Import) and any(alias.name.partition(".")[0] == "numpy" for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom):
            if not node.level and (node.module or "").partition(".")[0] == "numpy":
                return True
            everything |= any(alias.name == "*" for alias in node.names)
    return everything and any(isinstance(node, ast.Name) and context.facts.value(node) == _NUMPY for node in context.file.nodes)


def _layers(context: Context) -> set[int]:
    """The nodes inside classes with a base: their methods may be compiled, and their indices are seldom NumPy's."""
    classes = [node for node, above in context.facts.ancestors.items() if "torch.nn.Module" in above]
    return {id(part) for node in classes for part in ast.walk(node)}


def _is_array(context: Context, node: ast.expr) -> bool:
    """Whether a value is NumPy's wherever anything is known about it."""
    options = [o for o in v.options(context.facts.value(node)) if not isinstance(o, v.Unknown)]
    return bool(options) and all(v.is_array(o) for o in options)


def _may_be_array(context: Context, node: ast.expr) -> bool:
    """Whether a value is NumPy's, or NumPy's from one caller and a tensor from another."""
    kinds = v.options(context.facts.value(node))
    both = all(isinstance(o, v.TensorValue) or v.is_array(o) for o in kinds) and any(isinstance(o, v.Instance) for o in kinds)
    return both or _is_array(context, node)


def _is_unknown(context: Context, node: ast.expr) -> bool:
    return any(isinstance(o, v.Unknown) for o in v.options(context.facts.value(node)))


# -- indices -----------------------------------------------------------------------------


def _index(context: Context, index: ast.expr, known: bool) -> None:
    _bounds(context, index)
    for part in index.elts if isinstance(index, ast.Tuple) else [index]:
        if isinstance(part, ast.Slice | ast.Constant | ast.Starred):
            continue
        array = any(_may_be_array(context, item) for item in (part.elts if isinstance(part, ast.List) else [part]))
        unknown = not known and isinstance(_masking(part), ast.Name | ast.Attribute | ast.Subscript) and _is_unknown(context, part)
        if array or unknown or _holds_arrays(context, part, known):
            wrap_in(context, part, INDEX)


def _masking(part: ast.expr) -> ast.expr:
    """What ``~chosen`` inverts; anything else itself."""
    return part.operand if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Invert) else part


def _holds_arrays(context: Context, part: ast.expr, known: bool) -> bool:
    """Whether a tuple of indices that is not written out (``tuple(places[0])``) holds NumPy's numbers, or something unknown."""
    kinds = [o for o in v.options(context.facts.value(part)) if isinstance(o, v.Sequence) and o.type == "tuple"]
    held = [o for kind in kinds for item in (kind.items or (kind.element,)) for o in v.options(item)]
    return any(v.is_array(o) or isinstance(o, v.Unknown) and not known for o in held)


def _bounds(context: Context, index: ast.expr) -> None:
    """NumPy's numbers as bounds of a slice, of what may be a tensor: a Python int means the same to all that have slices."""
    for part in index.elts if isinstance(index, ast.Tuple) else [index]:
        for place in [part.lower, part.upper, part.step] if isinstance(part, ast.Slice) else []:
            if place is not None and _is_bound_of_numpys(context, place):
                wrap_in(context, place, "int")


def _is_bound_of_numpys(context: Context, place: ast.expr) -> bool:
    """Whether a bound is NumPy's number, also one that a turn before was Python's (``offset = 0``, then ``offset += np.prod(p.size())``)."""
    others = [kind for kind in v.options(context.facts.value(place)) if not v.is_array(kind)]
    return _is_array(context, place) or bool(others) and len(others) < len(v.options(context.facts.value(place))) and all(_is_whole(kind) for kind in others)


def _is_whole(value: v.Value) -> bool:
    return isinstance(value, v.Const) and value.kind is int or isinstance(value, v.Instance) and value.cls == "builtins.int"


# -- operators ---------------------------------------------------------------------------


def _operator(context: Context, left: ast.expr, right: ast.expr, equality: bool = False) -> None:
    """NumPy on the left gives way by a setting; an array on the right is made a tensor, a number may stay.

    MindSpore raises for an array beside a tensor, except for `equality`, where it answers False: so there what may be one, too.
    """
    of_left, of_right = (v.options(context.facts.value(side)) for side in (left, right))
    tensor = any(isinstance(o, v.TensorValue) for o in of_right)
    some = any(v.is_array(o) for o in of_left)  # ``[1] * n if weights is None else weights``
    if (some and (tensor or _is_unknown(context, right))) or (tensor and _is_unknown(context, left)):
        context.runs(context.shared.catalog.modules[KNOWLEDGE], OPERATORS)
    array = _is_array(context, right) and (equality or not _is_number(context, right)) or (equality and _is_unknown(context, right))
    if of_left and all(isinstance(o, v.TensorValue) for o in of_left) and array:
        _as_operand(context, right)


def _as_operand(context: Context, right: ast.expr) -> None:
    """``hot * (1 - share)`` becomes ``hot * as_operand(1 - share)``: the parentheses that only the operator wanted are the call's."""
    start, end = context.editing.span(right)
    text = context.file.text
    if text[start - 1 : start] != "(" or text[end : end + 1] != ")":
        wrap_in(context, right, OPERAND)
        return

    def work() -> None:
        if not context.editing.inserts_at(start - 1):
            context.editing.insert(start - 1, context.definition(KNOWLEDGE, OPERAND))

    context.plan(right, work, last=True)


def _may_be_tensor(context: Context, left: ast.expr) -> bool:
    """Whether a value may be a tensor or something else, in a file that uses the library: the array beside it stays one."""
    options = v.options(context.facts.value(left))
    unsure = any(isinstance(o, v.Unknown) for o in options) or any(isinstance(o, v.TensorValue) for o in options) and not all(isinstance(o, v.TensorValue) for o in options)
    return unsure and any(use.name.startswith("torch.") for use in context.facts.uses)


def _is_number(context: Context, node: ast.expr) -> bool:
    """Whether an expression of NumPy's is a number by its text: a universal function or a type of constants. ``np.ones(3)`` and ``np.array(2.0)`` are none."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr=name) as function, args=args, keywords=[]):
            return bool(args) and all(isinstance(a, ast.Constant) for a in args) and (_is_one_of(context, function, UNIVERSAL) or _TYPES.fullmatch(name) is not None)
    return isinstance(node, ast.Constant)


def _is_one_of(context: Context, function: ast.Attribute, names: frozenset[str]) -> bool:
    value = context.facts.value(function)
    return isinstance(value, v.Api) and value.name.startswith("numpy.") and value.name.removeprefix("numpy.") in names


def _is_tensor(context: Context, node: ast.expr, likely: bool = True) -> bool:
    """Whether a value is a tensor, also one that is taken for one where it may be `likely`."""
    return all(v.is_tensor(o) and (likely or not (isinstance(o, v.TensorValue) and o.likely)) for o in v.options(context.facts.value(node)))


def _as_tensor(context: Context, value: ast.expr) -> None:
    """``np.sin(x)`` of a tensor is a tensor in PyTorch, which wraps what NumPy's universal functions and some others (`WRAPPED`) give; here an array."""

    def work() -> None:
        context.editing.wrap(value, context.imports.local("mindspore", "Tensor", "Tensor"))

    context.plan(value, work, last=True)


def wrap_in(context: Context, node: ast.expr, name: str) -> None:
    """Plan a call of a function of the knowledge, or of Python's own, around an expression."""

    def work() -> None:
        known = name in context.shared.catalog.modules[KNOWLEDGE].definitions
        context.editing.wrap(node, context.definition(KNOWLEDGE, name) if known else name)

    context.plan(node, work, last=True)
