"""LDL factorisations of symmetric and Hermitian matrices: LAPACK's sytrf, hetrf, sytrs and hetrs by way of SciPy.

As in torch, the factors have no gradient; a solution has one in its right sides.
https://docs.pytorch.org/docs/2.13/generated/torch.linalg.ldl_factor.html
"""

import numpy as np
from mindspore import Tensor, ops
from scipy.linalg import lapack

from mindport.declare import Refused, difference, equivalent
from mindport.equivalents.factorizations import OUT, change


def routine(dtype, hermitian, ending):
    """LAPACK's function for a NumPy dtype."""
    kind = "he" if hermitian and dtype.kind == "c" else "sy"
    return getattr(lapack, {"f": "s", "d": "d", "F": "c", "D": "z"}[dtype.char] + kind + ending)


def factored(A, hermitian):
    """The packed factors, the pivots and LAPACK's codes of a batch of matrices, from their lower triangles."""
    host = A.asnumpy()
    packed, pivots = np.zeros_like(host), np.zeros(host.shape[:-1], np.int32)
    codes = np.zeros(host.shape[:-2], np.int32)
    for place in np.ndindex(host.shape[:-2]) if host.size else ():
        found, rows, codes[place] = routine(host.dtype, hermitian, "trf")(host[place], lower=1)
        packed[place], pivots[place] = np.tril(found), rows
    return Tensor(packed), Tensor(pivots), codes


@equivalent("torch.linalg.ldl_factor", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(A).all()", zh="输入含 NaN 或无穷时结果不同")])
def ldl_factor(A, *, hermitian=False, out=None):
    """(LD, pivots): the unit lower factor below the block diagonal of one- and two-row blocks, int32 rows."""
    if out is not None:
        raise Refused(OUT)
    packed, pivots, codes = factored(A, hermitian)
    if codes.any():
        raise RuntimeError(f"linalg.ldl_factor: the diagonal block {codes[codes != 0][0]} of the factorisation is zero")
    return packed, pivots


@equivalent("torch.linalg.ldl_factor_ex", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(A).all()", zh="输入含 NaN 或无穷时结果不同")])
def ldl_factor_ex(A, *, hermitian=False, check_errors=False, out=None):
    """(LD, pivots, info): info is the int32 number of a diagonal block that is zero, or 0."""
    if out is not None:
        raise Refused(OUT)
    packed, pivots, codes = factored(A, hermitian)
    if check_errors and codes.any():
        raise RuntimeError(f"linalg.ldl_factor_ex: the diagonal block {codes[codes != 0][0]} of the factorisation is zero")
    return packed, pivots, Tensor(codes)


@equivalent("torch.linalg.ldl_solve", differs=[difference("NaN or infinity in the input gives another result on CPU", when="not ms.isfinite(LD).all() or not ms.isfinite(B).all()", zh="输入含 NaN 或无穷时结果不同")])
def ldl_solve(LD, pivots, B, *, hermitian=False, out=None):
    """X with A X = B, from A's factors; differentiable in B."""
    if out is not None:
        raise Refused(OUT)
    host, sides = LD.asnumpy(), B.asnumpy()
    batch = np.broadcast_shapes(host.shape[:-2], sides.shape[:-2])
    sides = np.broadcast_to(sides, batch + sides.shape[-2:])
    found = np.zeros(sides.shape, host.dtype)
    inverse = np.zeros(batch + host.shape[-2:], host.dtype)
    rows = np.broadcast_to(pivots.asnumpy(), batch + host.shape[-1:])
    host = np.broadcast_to(host, inverse.shape)
    solve = routine(host.dtype, hermitian, "trs")
    for place in np.ndindex(batch) if found.size else ():
        found[place] = solve(host[place], rows[place], sides[place], lower=1)[0]
        inverse[place] = solve(host[place], rows[place], np.eye(host.shape[-1], dtype=host.dtype), lower=1)[0]
    if B.is_complex() or found.size == 0:
        return Tensor(found)
    # of a singular matrix torch gives infinities; the zero change leaves them
    return Tensor(found) + ops.matmul(Tensor(np.where(np.isfinite(inverse), inverse, 0)), change(B))
