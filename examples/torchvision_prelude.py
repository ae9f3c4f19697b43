"""Lets torchvision's Python part be imported next to a torch that its compiled part was not made for.

On import torchvision tells torch the result's shape of two of its own operators, which fails where
they do not exist: they are declared here. The signatures are those in torchvision 0.28's
_meta_registrations.py. `nms` also gets a kernel, by its definition, for the detection models.
"""

import torch

#: Kept by whoever runs this file: the declarations end with it.
LIBRARY = torch.library.Library("torchvision", "FRAGMENT")
for name in ("nms", "qnms"):
    if not hasattr(torch.ops.torchvision, name):
        LIBRARY.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")


def nms(dets, scores, iou_threshold):
    """Greedy: the best box stays, those that overlap it by more than the threshold go, and so on."""
    order = torch.argsort(scores, descending=True, stable=True)
    areas = (dets[:, 2] - dets[:, 0]) * (dets[:, 3] - dets[:, 1])
    kept = []
    while len(order):
        best, order = order[0], order[1:]
        kept.append(best)
        low, high = torch.maximum(dets[best, :2], dets[order, :2]), torch.minimum(dets[best, 2:], dets[order, 2:])
        shared = (high - low).clamp(min=0).prod(1)
        order = order[~(shared / (areas[best] + areas[order] - shared) > iou_threshold)]
    return torch.stack(kept) if kept else torch.empty(0, dtype=torch.int64)


if not torch._C._dispatch_has_kernel_for_dispatch_key("torchvision::nms", "CPU"):
    LIBRARY.impl("nms", nms, "CPU")
