"""Scenarios for torchvision's mobile networks and the blocks that they are made of."""

from __future__ import annotations

from typing import Any

import torch

from mindport.evidence.own.vision_models import images, of_side
from mindport.evidence.scenarios import Side, scenario

OPS = "torchvision.ops."


def in_training(side: Side, given: torch.Tensor, *arguments: Any, **options: Any) -> list[Any]:
    """The names of what is stored, outputs and gradients in training mode, of what the API under test makes and torch's weights; an argument that is a
    name of torch's or torchvision's stands for a class.
    """

    def built(to: Side | None) -> Any:
        def meant(value: Any) -> Any:
            return of_side(to, value) if isinstance(value, str) and value.startswith("torch") else value

        return of_side(to, side.name)(*map(meant, arguments), **{key: meant(value) for key, value in options.items()})

    torch.manual_seed(7)
    module = theirs = built(None).train()
    if side.declared is not None:
        module = built(side)
        side.make("torch.nn.Module.load_state_dict", module, {key: side.value(value.detach()) for key, value in theirs.state_dict().items()})
        module.set_train()
    output = module(side.value(given))
    gradient = side.gradients(lambda x: module(x).sin(), given)[0]
    return [[name for name in side.state(module) if "num_batches" not in name], output, gradient]


@scenario(OPS + "Conv2dNormActivation", OPS + "misc.ConvNormActivation")
def a_convolution_with_its_normalisation(side: Side) -> Any:
    """By default; of a long kernel, dilated; without normalisation; without activation and with a bias."""
    return [
        in_training(side, images(12), 3, 8),
        in_training(side, images(12), 3, 6, (3, 5), 2, None, 3, dilation=(2, 1), activation_layer="torch.nn.SiLU"),
        in_training(side, images(12), 3, 4, 1, norm_layer=None, inplace=None),
        in_training(side, images(12), 3, 4, 5, 1, 1, activation_layer=None, bias=True),
    ]


@scenario(OPS + "Conv3dNormActivation")
def a_convolution_of_volumes(side: Side) -> Any:
    """By default; of other lengths along the axes; dilated along one."""
    given = torch.randn(2, 3, 5, 6, 7, generator=torch.Generator().manual_seed(0))
    return [
        in_training(side, given, 3, 4),
        in_training(side, given, 3, 4, (1, 3, 3), (1, 2, 2), norm_layer=None),
        in_training(side, given, 3, 4, dilation=(1, 2, 1), activation_layer=None),
    ]


@scenario(OPS + "SqueezeExcitation")
def a_factor_for_every_channel(side: Side) -> Any:
    """By default and with other functions."""
    return [
        in_training(side, images(6, channels=8), 8, 2),
        in_training(side, images(6, channels=8), 8, 3, activation="torch.nn.SiLU", scale_activation="torch.nn.Hardsigmoid"),
    ]


@scenario(OPS + "MLP")
def a_perceptron(side: Side) -> Any:
    """One layer; three with a normalisation; without biases, all of it in place."""
    given = torch.randn(4, 5, generator=torch.Generator().manual_seed(0))
    return [
        in_training(side, given, 5, [3]),
        in_training(side, given, 5, [6, 7, 2], "torch.nn.LayerNorm", "torch.nn.GELU"),
        in_training(side, given, 5, [6, 2], bias=False, inplace=True),
    ]
