import torch
from probe import array, attempt, fill, keep, say
from src.loss import YoloLoss, bbox_ious
from src.utils import post_processing
from src.yolo_net import Yolo


def run():
    model = Yolo(4)
    fill(model)
    criterion = YoloLoss(4, model.anchors, reduction=32)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-5, momentum=0.9, weight_decay=0.0005)
    for step in range(2):
        for group in optimizer.param_groups:
            group["lr"] = 1e-5 * (step + 1)
        target = [[[10, 20, 50, 60, 1], [70, 10, 40, 100, 3]], [[30, 30, 20, 20, 0]]]
        optimizer.zero_grad()
        logits = model(array(step, 2, 3, 128, 128))
        losses = criterion(logits, target)
        losses[0].backward()
        optimizer.step()
        say(f"loss {step}", *[v.item() for v in losses])
    model.eval()
    logits = model(array(9, 2, 3, 128, 128))
    say("logits", logits.abs().sum().item())
    found = post_processing(logits, 128, ["a", "b", "c", "d"], model.anchors, 0.12, 0.5)
    say("found", *[len(f) for f in found], *[float(v) for f in found for box in f for v in box[:5]])
    keep("net", model)


def parts():
    a, b = array(1, 4, 4).abs() + 0.1, array(2, 5, 4).abs() + 0.1
    say("ious", *bbox_ious(a, b).reshape(-1))
    criterion = YoloLoss(3, [(1.0, 2.0), (2.0, 1.5)], reduction=8)
    parameter = torch.nn.Parameter(array(3, 2, 16, 4, 4) * 0.5)
    optimizer = torch.optim.Adam([parameter], lr=0.05)
    for step in range(4):
        target = [[[1, 2, 10, 8, 1], [9, 9, 12, 20, 2]], []] if step % 2 else [[[3, 3, 8, 8, 0]], [[16, 1, 9, 14, 2]]]
        loss, coord, conf, kind = criterion(parameter, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say(f"criterion {step}", loss.item(), coord.item(), conf.item(), kind.item(), parameter.sum().item())


attempt("parts", parts)
attempt("net", run)
