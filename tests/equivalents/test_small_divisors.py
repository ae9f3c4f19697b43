"""`addcdiv` by numbers near zero, as Adam divides by ``sqrt(v) + 1e-8``: MindSpore's own gives infinity or NaN."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.frameworks


@pytest.mark.parametrize(("above", "below", "factor"), [(1e-9, 1e-10, 1.0), (0.0, 1e-8, -0.1), (1.0, -1e-9, 1e-9), (2.0, 1e-30, 1e-30), (3.0, 2.0, 0.5)])
def test_as_torch(above: float, below: float, factor: float) -> None:
    import mindspore as ms
    import numpy as np
    import torch

    from mindport.equivalents.arithmetic import addcdiv
    from mindport.equivalents.former_orders import addcdiv_scaled_
    from mindport.equivalents.inplace import addcdiv_

    parts = [np.array([1.0, -2.0], np.float32), np.full(2, above, np.float32), np.full(2, below, np.float32)]
    expected = torch.addcdiv(*map(torch.tensor, parts), value=factor).numpy()
    ours = [
        addcdiv(*map(ms.Tensor, parts), value=factor),
        addcdiv_(*map(ms.Tensor, parts), value=factor),
        addcdiv_scaled_(ms.Tensor(parts[0]), factor, *map(ms.Tensor, parts[1:])),
    ]
    for made in ours:
        np.testing.assert_allclose(made.asnumpy(), expected, rtol=1e-6)
