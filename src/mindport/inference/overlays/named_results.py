"""The fields of the named tuples that `torch.linalg`'s factorisations give; torch's stubs say nothing of them."""

from __future__ import annotations

from mindport.inference.values import Sequence, TensorValue

#: Function of `torch.linalg` → the fields of its result, in order.
FIELDS = {
    "svd": ("U", "S", "Vh"), "qr": ("Q", "R"), "eig": ("eigenvalues", "eigenvectors"), "eigh": ("eigenvalues", "eigenvectors"),
    "slogdet": ("sign", "logabsdet"), "lu": ("P", "L", "U"), "lu_factor": ("LU", "pivots"), "lu_factor_ex": ("LU", "pivots", "info"),
    "inv_ex": ("inverse", "info"), "cholesky_ex": ("L", "info"), "solve_ex": ("result", "info"),
    "lstsq": ("solution", "residuals", "rank", "singular_values"), "ldl_factor": ("LD", "pivots"), "ldl_factor_ex": ("LD", "pivots", "info"),
}  # fmt: skip
_TYPE = "torch.return_types.linalg_"


def result(function: str) -> Sequence:
    """What ``torch.linalg.<function>`` gives."""
    return Sequence(f"{_TYPE}{function}", (TensorValue(),) * len(FIELDS[function]))


def fields(type_: str) -> tuple[str, ...]:
    """The fields of a result type of `torch.linalg`; empty for other types."""
    return FIELDS.get(type_.removeprefix(_TYPE), ()) if type_.startswith(_TYPE) else ()
