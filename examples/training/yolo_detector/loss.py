"""Targets on the grids, and the loss of boxes (generalised IoU), objectness and classes."""

import torch
import torch.nn as nn


def giou(a, b, eps=1e-7):
    """Generalised IoU of boxes given as centre and size, (n, 4) each."""
    a_min, a_max = a[:, :2] - a[:, 2:] / 2, a[:, :2] + a[:, 2:] / 2
    b_min, b_max = b[:, :2] - b[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2
    overlap = (torch.min(a_max, b_max) - torch.max(a_min, b_min)).clamp(min=0).prod(dim=1)
    union = a[:, 2:].prod(1) + b[:, 2:].prod(1) - overlap + eps
    iou = overlap / union
    hull = (torch.max(a_max, b_max) - torch.min(a_min, b_min)).prod(1) + eps
    return iou, iou - (hull - union) / hull


class DetectionLoss:
    """Called with the outputs of all scales and targets (n, 6): image, class, centre and size from 0 to 1."""

    def __init__(self, model, ratio_limit=4.0):
        self.head = model.head
        self.device = next(model.parameters()).device
        self.ratio_limit = ratio_limit
        self.bce_class = nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.5], device=self.device))
        self.bce_object = nn.BCEWithLogitsLoss()
        self.weights = {"box": 0.05, "object": 1.0, "class": 0.5}
        self.balance = (4.0, 1.0)

    def assign(self, output, targets, anchors):
        """Which cells and anchors are responsible for which targets: indices, boxes, anchors, classes."""
        num_anchors, rows, columns = output.shape[1:4]
        scale = torch.ones(6, device=self.device)
        scale[2:] = torch.tensor([columns, rows, columns, rows], dtype=torch.float32)
        scaled = (targets * scale).repeat(num_anchors, 1, 1)
        anchor_index = torch.arange(num_anchors, device=self.device).view(-1, 1).expand(-1, len(targets))
        ratio = scaled[..., 4:6] / anchors[:, None]
        fits = torch.max(ratio, 1 / ratio).amax(dim=2) < self.ratio_limit
        chosen, anchor_index = scaled[fits], anchor_index[fits]
        image, classes = chosen[:, :2].long().T
        centre, size = chosen[:, 2:4], chosen[:, 4:6]
        cell = centre.long()
        column, row = cell[:, 0].clamp(0, columns - 1), cell[:, 1].clamp(0, rows - 1)
        boxes = torch.cat((centre - cell, size), 1)
        return (image, anchor_index, row, column), boxes, anchors[anchor_index], classes

    def __call__(self, outputs, targets):
        loss_box = torch.zeros(1, device=self.device)
        loss_object = torch.zeros(1, device=self.device)
        loss_class = torch.zeros(1, device=self.device)
        for output, anchors, balance in zip(outputs, self.head.anchors, self.balance):
            indices, boxes, anchors, classes = self.assign(output, targets, anchors)
            objectness = torch.zeros_like(output[..., 0])
            count = len(classes)
            if count:
                positive = output[indices]
                xy = positive[:, :2].sigmoid() * 2 - 0.5
                wh = (positive[:, 2:4].sigmoid() * 2) ** 2 * anchors
                iou, generalised = giou(torch.cat((xy, wh), dim=1), boxes)
                loss_box += (1.0 - generalised).mean()
                objectness[indices] = iou.detach().clamp(min=0).type(objectness.dtype)
                wanted = torch.zeros_like(positive[:, 5:])
                wanted[range(count), classes] = 1.0
                loss_class += self.bce_class(positive[:, 5:], wanted)
            loss_object += balance * self.bce_object(output[..., 4], objectness)
        loss_box *= self.weights["box"]
        loss_object *= self.weights["object"]
        loss_class *= self.weights["class"]
        loss = loss_box + loss_object + loss_class
        return loss * outputs[0].shape[0], torch.cat((loss_box, loss_object, loss_class)).detach()
