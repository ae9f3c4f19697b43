import json
import os
import random
import numpy as np
import torch
from PIL import Image
import train
import utils
from datasets import PascalVOCDataset
from probe import attempt, fill, keep, say

os.makedirs("made", exist_ok=True)
rng = np.random.RandomState(0)
for part in ("TRAIN", "TEST"):
    objects = []
    for i in range(4):
        Image.fromarray(rng.randint(0, 255, (60, 80, 3)).astype("uint8")).save(f"made/{part}{i}.png")
        low = rng.randint(0, 30, (i + 1, 2))
        objects.append({"boxes": np.concatenate([low, low + rng.randint(10, 29, (i + 1, 2))], 1).tolist(), "labels": rng.randint(1, 21, i + 1).tolist(), "difficulties": [k % 2 for k in range(i + 1)]})
    with open(f"made/{part}_images.json", "w") as file:
        json.dump([f"made/{part}{i}.png" for i in range(4)], file)
    with open(f"made/{part}_objects.json", "w") as file:
        json.dump(objects, file)


def run():
    random.seed(0)
    model = train.SSD300(n_classes=21)
    fill(model)
    optimizer = torch.optim.SGD([{"params": [p for n, p in model.named_parameters() if n.endswith("bias")], "lr": 2e-4}, {"params": [p for n, p in model.named_parameters() if not n.endswith("bias")]}], lr=1e-4, momentum=0.9, weight_decay=5e-4)
    criterion = train.MultiBoxLoss(priors_cxcy=model.priors_cxcy)
    data = PascalVOCDataset("made", "train", True)
    loader = torch.utils.data.DataLoader(data, batch_size=2, shuffle=False, collate_fn=data.collate_fn)
    train.grad_clip = 0.5
    for epoch in range(1):
        train.train(loader, model, criterion, optimizer, epoch)
        utils.adjust_learning_rate(optimizer, 0.5)
    say("rates", *(g["lr"] for g in optimizer.param_groups), sum(p.abs().sum().item() for p in model.pred_convs.parameters()))
    keep("pred", model.pred_convs)
    keep("aux", model.aux_convs)
    model.eval()
    test = PascalVOCDataset("made", "test", True)
    with torch.no_grad():
        images, boxes, labels, difficulties = test.collate_fn([test[i] for i in range(2)])
        locs, scores = model(images)
        say("loss", criterion(locs, scores, boxes, labels).item(), locs.abs().mean().item())
        ours = (model.priors_cxcy.repeat(2, 1, 1) * 0.1), torch.sin(torch.arange(2 * 8732 * 21).float() * 0.37).view(2, 8732, 21) * 4
        found = model.detect_objects(*ours, min_score=0.4, max_overlap=0.45, top_k=20)
    for name, parts in zip(("boxes", "labels", "scores"), found):
        say(name, *(len(p) for p in parts), *(p.float().mean() for p in parts))
    aps, mean = utils.calculate_mAP(*found, boxes, labels, difficulties)
    say("map", mean, *(aps[k] for k in sorted(aps)))
    one, same = utils.calculate_mAP(boxes, labels, [torch.linspace(0.9, 0.5, len(b)) for b in boxes], boxes, labels, difficulties)
    say("same", same, *(one[k] for k in sorted(one)))
    say("accuracy", utils.accuracy(scores[0, :5], torch.tensor([0, 1, 2, 3, 4]), 3))


attempt("run", run)
