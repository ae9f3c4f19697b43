"""Transforms of a project's own say by their domain and codomain how many axes an event has: the density of a batch was silently summed up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.convert.both_sides import printed_by_both

_PROGRAM = """import json
import torch
import torch.distributions as D


class Scaled(D.Transform):
    bijective, domain, codomain = True, D.constraints.real_vector, D.constraints.independent(D.constraints.real, 1)

    def __init__(self):
        super().__init__(cache_size=1)

    def _call(self, x):
        return x * 2

    def _inverse(self, y):
        return y / 2

    def log_abs_det_jacobian(self, x, y):
        return x.sum(-1)


class Each(Scaled):
    domain = codomain = D.constraints.real

    def log_abs_det_jacobian(self, x, y):
        return torch.full_like(x, 0.7)


x = torch.arange(6.0).reshape(2, 3) / 7
base = D.Normal(torch.zeros(2, 3), torch.ones(2, 3))
for d in (
    D.TransformedDistribution(D.Independent(base, 1), [Scaled(), D.ExpTransform()]),
    D.TransformedDistribution(base, [Scaled()]),
    D.TransformedDistribution(base, Scaled().inv),
    D.TransformedDistribution(base, [Each(), Scaled()]),
    D.TransformedDistribution(base, [Each()]),
):
    print(json.dumps([list(d.event_shape), list(d.batch_shape), d.log_prob(x + 1).tolist()]))
print(json.dumps(D.ComposeTransform([Each(), Scaled()]).log_abs_det_jacobian(x, x * 4).tolist()))
shared = [D.SigmoidTransform()]
print(json.dumps(D.kl_divergence(D.TransformedDistribution(base, shared), D.TransformedDistribution(D.Normal(x, x + 1), shared)).tolist()))
"""


@pytest.mark.frameworks
def test_domains_say_how_many_axes_an_event_has(tmp_path: Path) -> None:
    expected, actual = (text.splitlines() for text in printed_by_both(tmp_path, _PROGRAM))
    assert [_flat(json.loads(line)) for line in actual] == [pytest.approx(_flat(json.loads(line)), rel=1e-5, abs=1e-6) for line in expected]


def _flat(found: object) -> list[float]:
    return [e for part in found for e in _flat(part)] if isinstance(found, list) else [found]  # type: ignore[list-item]
