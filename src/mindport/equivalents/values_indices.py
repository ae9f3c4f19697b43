"""The pair that torch's searches and sorts return, and the reading of its fields."""

from typing import NamedTuple

from mindspore import Tensor

from mindport.declare import attribute


class ValuesIndices(NamedTuple):
    """Values and their int64 positions, as torch.return_types.sort and its kin."""

    values: Tensor
    indices: Tensor


@attribute(
    "torch.return_types.max.values",
    "torch.return_types.min.values",
    "torch.return_types.median.values",
    "torch.return_types.mode.values",
    "torch.return_types.sort.values",
    "torch.return_types.topk.values",
    "torch.return_types.kthvalue.values",
    "torch.return_types.cummax.values",
    "torch.return_types.cummin.values",
)
def pair_values(self):
    """The values."""
    return self[0]


@attribute(
    "torch.return_types.max.indices",
    "torch.return_types.min.indices",
    "torch.return_types.median.indices",
    "torch.return_types.mode.indices",
    "torch.return_types.sort.indices",
    "torch.return_types.topk.indices",
    "torch.return_types.kthvalue.indices",
    "torch.return_types.cummax.indices",
    "torch.return_types.cummin.indices",
)
def pair_indices(self):
    """The positions, int64."""
    return self[1]


@attribute(
    "torch.return_types.aminmax.min", "torch.return_types.slogdet.sign", "torch.return_types.frexp.mantissa", "torch.return_types.histogram.hist",
    "torch.return_types.histogramdd.hist", "torch.return_types.qr.Q", "torch.return_types.svd.U", "torch.return_types.lu_unpack.P",
    "torch.return_types.triangular_solve.solution", "torch.return_types.geqrf.a", "torch.return_types.nanmedian.values",
    "torch.return_types.linalg_svd.U", "torch.return_types.linalg_qr.Q", "torch.return_types.linalg_eigh.eigenvalues",
    "torch.return_types.linalg_slogdet.sign", "torch.return_types.linalg_lu.P", "torch.return_types.linalg_lu_factor.LU",
    "torch.return_types.linalg_lu_factor_ex.LU", "torch.return_types.linalg_inv_ex.inverse", "torch.return_types.linalg_cholesky_ex.L",
    "torch.return_types.linalg_solve_ex.result", "torch.return_types.linalg_lstsq.solution", "torch.return_types.linalg_eig.eigenvalues",
    "torch.return_types.linalg_ldl_factor.LD", "torch.return_types.linalg_ldl_factor_ex.LD",
)  # fmt: skip
def first_field(self):
    """The first field of a named result."""
    return self[0]


@attribute(
    "torch.return_types.aminmax.max", "torch.return_types.slogdet.logabsdet", "torch.return_types.frexp.exponent",
    "torch.return_types.histogram.bin_edges", "torch.return_types.histogramdd.bin_edges", "torch.return_types.qr.R", "torch.return_types.svd.S",
    "torch.return_types.lu_unpack.L", "torch.return_types.triangular_solve.cloned_coefficient", "torch.return_types.geqrf.tau",
    "torch.return_types.nanmedian.indices", "torch.return_types.linalg_svd.S", "torch.return_types.linalg_qr.R",
    "torch.return_types.linalg_eigh.eigenvectors", "torch.return_types.linalg_slogdet.logabsdet", "torch.return_types.linalg_lu.L",
    "torch.return_types.linalg_lu_factor.pivots", "torch.return_types.linalg_lu_factor_ex.pivots", "torch.return_types.linalg_inv_ex.info",
    "torch.return_types.linalg_cholesky_ex.info", "torch.return_types.linalg_solve_ex.info", "torch.return_types.linalg_lstsq.residuals", "torch.return_types.linalg_eig.eigenvectors",
    "torch.return_types.linalg_ldl_factor.pivots", "torch.return_types.linalg_ldl_factor_ex.pivots",
)  # fmt: skip
def second_field(self):
    """The second field of a named result."""
    return self[1]


@attribute(
    "torch.return_types.svd.V", "torch.return_types.lu_unpack.U", "torch.return_types.linalg_svd.Vh", "torch.return_types.linalg_lu.U",
    "torch.return_types.linalg_lu_factor_ex.info", "torch.return_types.linalg_lstsq.rank", "torch.return_types.linalg_ldl_factor_ex.info",
)  # fmt: skip
def third_field(self):
    """The third field of a named result."""
    return self[2]


@attribute("torch.return_types.linalg_lstsq.singular_values")
def fourth_field(self):
    """The fourth field of a named result."""
    return self[3]
