"""Functions that leave open what their result holds."""

from __future__ import annotations

from mindport.evidence.samples import uninitialized

uninitialized("torch.empty_strided", "torch.empty_permuted", "torch.Tensor.new_empty_strided")
