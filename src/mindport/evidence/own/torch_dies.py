"""What torch itself does not survive, and what cannot be compared therefore."""

from __future__ import annotations

from mindport.evidence.samples import finite, not_empty

# torch 2.13 reads as many pivots as the matrix has rows: `torch.lu_unpack(torch.randn(3, 5), torch.tensor([], dtype=torch.int32))`.
not_empty("torch.lu_unpack")

# oneMKL's balancing of a matrix that is not finite: `torch.linalg.eigvals(torch.tensor([[float("nan"), 1.0], [1.0, 1.0]]))` is a SIGSEGV.
finite("torch.linalg.eigvals")
