"""Functions that return positions: torch does not say which of several equal elements they point to."""

from __future__ import annotations

from mindport.evidence.samples import distinct

for _name in ("sort", "argsort", "topk", "kthvalue", "median", "nanmedian", "mode"):
    distinct(f"torch.{_name}", f"torch.Tensor.{_name}")
