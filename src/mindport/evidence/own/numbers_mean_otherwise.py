"""A number that stands first in ``Tensor.to`` is a device."""

from __future__ import annotations

from mindport.evidence.samples import no_numbers

no_numbers("torch.Tensor.to")
