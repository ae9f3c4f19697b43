"""What a training script needs from its side: the same initial weights, the same data, a place for its losses."""

from __future__ import annotations

import numpy as np

LOSSES: list[float] = []
MODELS: list[object] = []


def trained(model: object) -> list[object]:
    """The trainable parameters of a model of either framework, in the order of their definition."""
    if hasattr(model, "trainable_params"):
        return [p for p in model.get_parameters() if "moving_" not in p.name and "running_" not in p.name]
    return list(model.parameters())  # type: ignore[attr-defined]


def start(model: object, seed: int = 0) -> None:
    """Give a model its initial weights."""
    rng = np.random.default_rng(seed)
    for p in trained(model):
        if len(p.shape) < 2:  # type: ignore[attr-defined]
            value = np.ones(p.shape) if p.shape and "norm" in str(type(model)).lower() else rng.normal(0.5, 0.2, p.shape)  # type: ignore[attr-defined]
        else:
            value = rng.normal(0, 0.4, p.shape)  # type: ignore[attr-defined]
        _put(p, value.astype(np.float32))


def _put(parameter: object, value: np.ndarray) -> None:
    if hasattr(parameter, "set_data"):
        import mindspore

        parameter.set_data(mindspore.Tensor(value))
    else:
        import torch

        with torch.no_grad():
            parameter.copy_(torch.from_numpy(value))  # type: ignore[attr-defined]


def arrays(count: int, *shape: int, classes: int = 0, seed: int = 1) -> list[np.ndarray]:
    """`count` arrays of normal numbers, or of class labels."""
    rng = np.random.default_rng(seed)
    if classes:
        return [rng.integers(0, classes, shape).astype(np.int64) for _ in range(count)]
    return [rng.normal(size=shape).astype(np.float32) for _ in range(count)]


def record(*values: object) -> None:
    """Note losses and other numbers."""
    for value in values:
        LOSSES.append(float(value.item() if hasattr(value, "item") else value))  # type: ignore[arg-type]


def finish(*models: object) -> None:
    """Note the models whose final parameters are compared."""
    MODELS.extend(models)


def collected() -> dict[str, np.ndarray]:
    """What a script noted, and forget it."""
    result = {"losses": np.array(LOSSES)}
    for number, model in enumerate(MODELS):
        for index, p in enumerate(trained(model)):
            value = p.asnumpy() if hasattr(p, "asnumpy") else p.detach().numpy()  # type: ignore[attr-defined]
            result[f"{number}.{index}"] = value.copy()
    LOSSES.clear()
    MODELS.clear()
    return result
