"""Scenarios of torch.distributions over shares and matrices, and of the transforms that lead there."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.distributions import FACTOR, LOC, POSITIVE, UNIT, attempted, plain
from mindport.evidence.own.transforms import NUMBERS, made_by, told
from mindport.evidence.scenarios import Side, scenario

NAME = "torch.distributions."
SQUARES = torch.linspace(-1.5, 1.5, 36).reshape(4, 3, 3).sin()
CORRELATIONS = torch.stack([torch.distributions.CorrCholeskyTransform()(row) for row in torch.linspace(-1, 1, 12).reshape(4, 3)])


@scenario(NAME + "StickBreakingTransform", NAME + "SoftmaxTransform", NAME + "CorrCholeskyTransform")
def of_vectors(side: Side) -> Any:
    """values, inverses, derivatives, shapes; larger numbers do not come back in torch's float32 either"""
    made = side.call()
    return [*told(side, made, side.value(NUMBERS / 5)), made(side.value(NUMBERS)), tuple(made.forward_shape((5, 3))), attempted(lambda: tuple(made.inverse_shape((5, 4, 4))))]


@scenario(NAME + "LowerCholeskyTransform", NAME + "PositiveDefiniteTransform")
def of_matrices(side: Side) -> Any:
    """values and inverses"""
    made, value = side.call(), side.value(SQUARES)
    y = made(value)
    return [y, made.inv(y), made.bijective, tuple(made.forward_shape((4, 3, 3)))]


@scenario(NAME + "StickBreakingTransform", NAME + "CorrCholeskyTransform", NAME + "SoftmaxTransform")
def cached(side: Side) -> Any:
    """with a cache the inverse of a result is the value itself"""
    made, value = side.call(cache_size=1), side.value(NUMBERS / 2)
    return made.inv(made(value)) is value


@scenario(NAME + "ReshapeTransform")
def reshaped(side: Side) -> Any:
    """vectors to matrices and back; shapes that do not fit"""
    made, value = side.call((6,), (2, 3)), side.value(NUMBERS.reshape(4, 6))
    y = made(value)
    found = [y, made.inv(y), made.log_abs_det_jacobian(value, y), tuple(made.forward_shape((4, 6))), tuple(made.inverse_shape((7, 2, 3))), made.bijective]
    for shape in ((), (4, 5)):
        try:
            made.forward_shape(shape)
        except ValueError:
            found.append("does not fit")
    return found


@scenario(NAME + "CatTransform", NAME + "StackTransform")
def side_by_side(side: Side) -> Any:
    """several transforms along each axis"""
    found: list[Any] = []
    for dim in (0, 1, -1):
        count = NUMBERS.shape[dim]
        parts = [made_by(side, "ExpTransform"), made_by(side, "AffineTransform", 1.0, -2.0), made_by(side, "SigmoidTransform"), made_by(side, "ExpTransform")][:count]
        made, value = side.call(parts, dim), side.value(NUMBERS / 3)
        y = made(value)
        found += [y, made.inv(y), made.log_abs_det_jacobian(value, y), made.bijective]
    if side.name.endswith("CatTransform"):
        made, value = side.call([made_by(side, "ExpTransform"), made_by(side, "TanhTransform")], 0, [1, 3]), side.value(NUMBERS / 3)
        found += [made(value), made.length, made.log_abs_det_jacobian(value, made(value))]
    return found


@scenario(NAME + "CumulativeDistributionTransform")
def of_a_distribution(side: Side) -> Any:
    """the normal distribution's function"""
    made, value = side.call(made_by(side, "Normal", LOC, POSITIVE)), side.value(NUMBERS / 6)
    y = made(value)
    return [y, made.inv(y), made.log_abs_det_jacobian(value, y), made.bijective]


@scenario(NAME + "TransformedDistribution", NAME + "ComposeTransform")
def to_other_axes(side: Side) -> Any:
    """events with more axes behind a transform than before it"""
    corr, exp = made_by(side, "CorrCholeskyTransform"), made_by(side, "ExpTransform")
    whole = side.call([made_by(side, "AffineTransform", 0.5, 0.3), corr]) if side.name.endswith("ComposeTransform") else None
    if whole is not None:
        value = side.value(NUMBERS / 3)
        return [*told(side, whole, value), tuple(whole.inverse_shape((5, 3, 3)))]
    made = side.call(made_by(side, "Normal", LOC, POSITIVE), [corr])
    found = [tuple(made.batch_shape), tuple(made.event_shape), made.log_prob(side.value(CORRELATIONS)), tuple(made.sample((2,)).shape)]
    rows = side.call(made_by(side, "Normal", LOC, POSITIVE), [exp, made_by(side, "StickBreakingTransform")])
    shares = torch.distributions.StickBreakingTransform()(UNIT[:2] + 0.2)
    return [*found, tuple(rows.batch_shape), tuple(rows.event_shape), rows.log_prob(side.value(shares)), tuple(rows.expand((5,)).sample((2,)).shape)]


@scenario(NAME + "LogisticNormal")
def shares(side: Side) -> Any:
    """densities, shapes, the medians of samples"""
    made = side.call(side.value(LOC), side.value(POSITIVE))
    alone = side.call(side.value(torch.tensor(0.3)), side.value(torch.tensor(0.7)))
    rows = torch.softmax(torch.arange(8.0).reshape(2, 4) / 3, -1)
    found = [tuple(made.batch_shape), tuple(made.event_shape), made.has_rsample, made.log_prob(side.value(rows)), made.loc, made.scale, tuple(alone.event_shape)]
    drawn = plain(side, made.sample((20000,)))
    middle = torch.distributions.StickBreakingTransform()(LOC)[0]
    near = bool((drawn[:, 0].median() - middle).abs() < 0.02)
    return [*found, tuple(drawn.shape), near, bool(((drawn.sum(-1) - 1).abs() < 1e-5).all()), tuple(made.expand((5,)).batch_shape), tuple(made.rsample((2,)).shape)]


@scenario(NAME + "LKJCholesky")
def correlations(side: Side) -> Any:
    """densities, shapes, rows of length 1, how far the correlations of samples spread"""
    found: list[Any] = []
    for concentration in (1.0, torch.tensor(0.7), torch.tensor([0.5, 1.0, 2.0, 5.0])):
        made = side.call(3, side.value(concentration))
        found += [tuple(made.batch_shape), tuple(made.event_shape), made.log_prob(side.value(CORRELATIONS)), made.has_rsample]
        drawn = plain(side, made.sample((20000,))).double()
        whole = drawn @ drawn.mT
        spread = 1 / (2 * plain(side, made.concentration).double() + 2)  # the variance of a correlation of three variables: 1 / (2 c + 2)
        found += [tuple(drawn.shape), bool(((whole.diagonal(0, -2, -1) - 1).abs() < 1e-4).all()), bool((whole[..., 1, 0].mean(0).abs() < 0.03).all())]
        found += [bool((((whole[..., 2, 1] ** 2).mean(0) / spread - 1).abs() < 0.06).all()), bool(drawn.triu(1).abs().max() == 0)]
        found.append(tuple(made.expand((2, 4)).batch_shape))
    return found


@scenario(NAME + "Wishart")
def covariances(side: Side) -> Any:
    """by factor, covariance and precision; moments, densities, the mean and spread of samples"""
    found: list[Any] = []
    values = SQUARES @ SQUARES.mT + 2 * torch.eye(3)
    for df, named in (
        (4.5, {"scale_tril": FACTOR}), (torch.tensor([2.5, 5.0, 7.0, 9.0]), {"covariance_matrix": FACTOR @ FACTOR.T}),
        (6.0, {"precision_matrix": FACTOR @ FACTOR.T}),
    ):  # fmt: skip
        made = side.call(side.value(torch.as_tensor(df)), **side.value(named))
        found += [tuple(made.batch_shape), tuple(made.event_shape), made.mean, made.mode, made.variance, made.entropy()]
        found += [made.log_prob(side.value(values)), made.covariance_matrix, made.precision_matrix, made.scale_tril]
        drawn, centre, width = plain(side, made.sample((20000,))).double(), plain(side, made.mean).double(), plain(side, made.variance).double().sqrt()
        found += [tuple(drawn.shape), bool(((drawn.mean(0) - centre).abs() < 6 * width / 20000**0.5).all()), bool(((drawn.std(0) / width - 1).abs() < 0.1).all())]
        found.append(tuple(made.expand((2, 4)).batch_shape))
    return found


@scenario(NAME + "CorrCholeskyTransform", NAME + "StickBreakingTransform")
def far_out(side: Side) -> Any:
    """numbers whose sigmoid or tanh is 0 or 1 in float32"""
    value = side.value(UNIT[:, :3] * 0 + torch.tensor([30.0, -30.0, 3.0]))
    return side.call()(value)
