import logging
import numpy as np
import torch
import training as module
from probe import attempt, fill, keep, say


class Pictures:
    def __init__(self, path, size, is_training):
        pass

    def __len__(self):
        return 8

    def __getitem__(self, i):
        rng = np.random.RandomState(i)
        label = np.zeros((5, 5), dtype="float32")
        for t in range(1 + i % 3):
            label[t] = [rng.randint(0, 3), rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6)]
        return {"image": torch.from_numpy(rng.rand(3, 64, 64).astype("float32")), "label": torch.from_numpy(label)}


class Said(module.YOLOLoss):
    def forward(self, input, targets=None):
        found = super().forward(input, targets)
        if targets is not None:
            say(f"loss {input.size(2)}", found[0].item(), *found[1:])
        return found


def run(kind, freeze):
    logging.basicConfig(level=logging.WARNING)
    nets = []

    def built(config, is_training):
        net = made(config, is_training=is_training)
        fill(net, 2)
        nets.append(net)
        return net

    made, module.ModelMain, module.COCODataset, module.YOLOLoss = module.ModelMain, built, Pictures, Said
    config = {"model_params": {"backbone_name": "darknet_21", "backbone_pretrained": ""}, "yolo": {"anchors": [[[40, 30], [25, 50], [60, 55]], [[20, 18], [12, 25], [30, 14]], [[5, 6], [9, 12], [14, 8]]], "classes": 3}, "lr": {"backbone_lr": 1e-4, "other_lr": 1e-3, "freeze_backbone": freeze, "decay_gamma": 0.1, "decay_step": 1}, "optimizer": {"type": kind, "weight_decay": 4e-5}, "batch_size": 4, "train_path": "", "epochs": 2, "img_h": 64, "img_w": 64, "pretrain_snapshot": "", "sub_working_dir": "."}
    module.train(config)
    module.ModelMain, module.YOLOLoss = made, Said.__mro__[1]
    keep(kind, nets[0])
    net = made(config, is_training=False)
    net.load_state_dict({k.replace("module.", ""): v for k, v in torch.load("model.pth").items()})
    net.eval()
    with torch.no_grad():
        outputs = net(Pictures(None, None, False)[3]["image"].unsqueeze(0))
        for output, anchors in zip(outputs, config["yolo"]["anchors"]):
            boxes = module.YOLOLoss(anchors, 3, (64, 64))(output)
            say(f"{kind} boxes", boxes.size(1), boxes[..., :4].abs().mean().item(), boxes[..., 4:].sum().item())


attempt("sgd", lambda: run("sgd", False))
attempt("frozen", lambda: run("nesterov", True))
