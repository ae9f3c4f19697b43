"""Which leaves a derivative is computed from. What is only added takes no part in it: in torch nothing leads back to it (the last bias of a critic, by a penalty on slopes).

The names are those of MindSpore's operators, as its graph tells them.
"""

from mindport.equivalents.kept_gradients import given_to

#: Operators whose gradient takes nothing of what they are given but its shape.
ADDING = frozenset((
    "Add", "AddExt", "BiasAdd", "BroadcastTo", "Cast", "Concat", "Contiguous", "ExpandDims", "Gather", "GatherNd", "MeanExt", "Neg", "ReduceMean", "ReduceSum",
    "Reshape", "ReverseV2", "Select", "SelectView", "Split", "Squeeze", "Stack", "StridedSlice", "Sub", "SubExt", "SumExt", "Tile", "Transpose",
    "TransposeExtView", "Unstack",
))  # fmt: skip
#: Products, whose gradient by one factor takes the others.
MULTIPLYING = frozenset(("BatchMatMul", "Conv2D", "Conv2DTranspose", "Conv3D", "Dense", "Divs", "MatMul", "MatMulExt", "Mul", "Muls"))
#: At which place others take what they only add.
ADDED_AT = {"BatchNorm": 2, "Dense": 2, "GroupNorm": 3, "LayerNorm": 2}


def leading_to(outputs, inputs):
    """The ids of the graph's nodes through which `outputs` were computed from `inputs`."""
    leading = {value._grad_node._unique_id() for value in inputs if value._grad_node is not None}
    known, pending = set(leading), [(output._grad_node, False) for output in outputs]
    while pending:
        node, is_done = pending.pop()
        if node is None or not is_done and node._unique_id() in known:
            continue
        given = [one for one in given_to(node) if one is not None]
        if is_done:
            if any(one._unique_id() in leading for one in given):
                leading.add(node._unique_id())
        else:
            known.add(node._unique_id())
            pending += [(node, True), *((one, False) for one in given)]
    return leading


def leaves_that_enter(outputs, inputs):
    """The ids of the parameters and leaves that the derivative of `outputs` by `inputs` is computed from, while the graph is there."""
    leading = leading_to(outputs, inputs)
    found, seen = set(), set()
    pending = [(output._grad_node, False) for output in outputs]
    while pending:
        node, enters = pending.pop()
        if node is None or (node._unique_id(), enters) in seen or (node._unique_id(), True) in seen:
            continue
        seen.add((node._unique_id(), enters))
        if enters and node.is_leaf():
            found.add(node._unique_id())
        given, name = given_to(node), node.name()
        leads = [one is not None and one._unique_id() in leading for one in given]
        for place, one in enumerate(given):
            if name in ADDING or place == ADDED_AT.get(name):
                pending.append((one, enters))
            elif name in MULTIPLYING:
                pending.append((one, enters or any(leads[:place] + leads[place + 1 :])))
            else:
                pending.append((one, enters or any(leads)))
    return found
