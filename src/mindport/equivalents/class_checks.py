"""Checks of classes that came from elsewhere. These have no torch name."""

from __future__ import annotations

from mindspore import nn


def instance_of(value, classes):
    """`isinstance`, where a layer may be MindSpore's own class or the vendored one that derives from it: both are that layer."""
    if isinstance(value, classes):
        return True
    for one in classes if isinstance(classes, tuple) else (classes,):
        if isinstance(one, tuple):
            if instance_of(value, one):
                return True
        elif isinstance(one, type) and one.__base__ is type(value) and type(value) is not nn.Cell and type(value).__module__.startswith("mindspore."):
            return True
    return False
