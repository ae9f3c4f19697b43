"""Products under `ms.vmap`: MindSpore's rule for ``a @ b`` (`MatMulExt`, 2.10) multiplies the batches as if they were the members' own axes.

What `ms.vmap`, `ms.jacrev` and `ms.jacfwd` compute of products of vectors is then another number or shape, often without an error. The rule is put
where MindSpore's own stands (`vmap_rules_getters`: not documented).
"""

from mindspore.ops._vmap.vmap_base import _bdim_at_front, vmap_general_preprocess, vmap_rules_getters
from mindspore.ops.auto_generate import MatMulExt

PRODUCT = MatMulExt()


def product_rule(primitive, axis_size):
    """The members' products: a vector is a row or a column, and fewer axes are filled up behind the batch's."""

    def vmap_rule(a_and_axis, b_and_axis):
        unmapped, result = vmap_general_preprocess(primitive, a_and_axis, b_and_axis)
        if unmapped:
            return result
        a = _bdim_at_front(a_and_axis[0], a_and_axis[1], axis_size)
        b = _bdim_at_front(b_and_axis[0], b_and_axis[1], axis_size)
        row, column = a.ndim == 2, b.ndim == 2
        if row:
            a = a.expand_dims(1)
        if column:
            b = b.expand_dims(-1)
        if a.ndim < b.ndim:
            a = a.reshape(a.shape[:1] + (1,) * (b.ndim - a.ndim) + a.shape[1:])
        if b.ndim < a.ndim:
            b = b.reshape(b.shape[:1] + (1,) * (a.ndim - b.ndim) + b.shape[1:])
        out = PRODUCT(a, b)
        if row:
            out = out.squeeze(-2)
        if column:
            out = out.squeeze(-1)
        return out, 0

    return vmap_rule


def register():
    """Puts the rule where MindSpore looks for it, in this process."""
    vmap_rules_getters.register(MatMulExt)(product_rule)
    return True


MAPS_PRODUCTS = register()
