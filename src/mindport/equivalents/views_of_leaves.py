"""Graphs that begin with views of a leaf, which several steps share: ``x, t = points[:, :1], points[:, 1:]``.

torch keeps nothing for the way back through a view, a sum or a product with a number, so it goes back through them as often as steps need it;
MindSpore's tape drops every node that it went back through.
"""

from mindspore import Parameter

#: Names of the tape's nodes for which torch saves no tensors.
SAVES_NOTHING = frozenset(
    "AddExt BroadcastTo Cast Concat Divs ExpandDims Muls Neg Reshape SelectView Slice Split Squeeze Stack StridedSlice SubExt SumExt Transpose TransposeExtView Unstack".split()
)


def begin_with_views(outputs, inputs):
    """Whether a tensor of `inputs` that is a leaf and no parameter went first into what saves nothing."""
    leaves = {tensor._grad_node._unique_id() for tensor in inputs if not isinstance(tensor, Parameter) and tensor._is_leaf and tensor._grad_node is not None}
    seen, pending = set(), [output._grad_node for output in outputs] if leaves else []
    while pending:
        node = pending.pop()
        if node is None or node._unique_id() in seen:
            continue
        seen.add(node._unique_id())
        following = [one[0] if isinstance(one, tuple) else one for one in node.next_functions]
        # The context of a project's Function is its node: `ctx.name = "relu"` stands in the method's place.
        if callable(node.name) and node.name() in SAVES_NOTHING and any(one is not None and one._unique_id() in leaves for one in following):
            return True
        pending += following
    return False
