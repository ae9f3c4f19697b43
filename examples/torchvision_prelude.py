"""Lets torchvision's Python part be imported next to a torch that its compiled part was not made for.

On import torchvision tells torch the result's shape of two of its own operators, which fails where
they do not exist. Declaring them, without a kernel, is enough for the models: none of the
classification models calls one. The signatures are those in torchvision 0.28's _meta_registrations.py.
"""

import torch

#: Kept by whoever runs this file: the declarations end with it.
LIBRARY = torch.library.Library("torchvision", "FRAGMENT")
for name in ("nms", "qnms"):
    if not hasattr(torch.ops.torchvision, name):
        LIBRARY.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
