"""Slices under `ms.vmap`: MindSpore's rule for them (`StridedSlice`, 2.7 to 2.10) asks for its four tensors where a slice has no batch's axis, and forgets the five masks.

``vmap(hessian(f))`` of an `f` that says ``x[0] * x[1]`` raises then ("the inputs number should be 9 but got 4"). The rule is put where MindSpore's own stands
(`vmap_rules_getters`: not documented), and calls it for slices that have the axis.
"""

from mindspore.ops import StridedSlice
from mindspore.ops._vmap.vmap_array_ops import get_stridedslice_vmap_rule
from mindspore.ops._vmap.vmap_base import vmap_rules_getters


def slice_rule(primitive, axis_size):
    """The members' slices; one slice for all where its tensor is not mapped."""
    of_mapped = get_stridedslice_vmap_rule(primitive, axis_size)

    def vmap_rule(x, begin, end, steps, *masks):
        if x[1] is None and begin[1] is None and end[1] is None and steps[1] is None:
            return primitive(x[0], begin[0], end[0], steps[0], *[mask[0] for mask in masks]), None
        return of_mapped(x, begin, end, steps, *masks)

    return vmap_rule


def register():
    """Puts the rule where MindSpore looks for it, in this process."""
    vmap_rules_getters.register(StridedSlice)(slice_rule)
    return True


MAPS_SLICES = register()
