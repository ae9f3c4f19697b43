import copy
import sys
import types
import numpy as np
import torch
import torch.nn as nn
from probe import Board, attempt, fill, keep, quiet, say

sys.modules["bcolz"] = types.ModuleType("bcolz")
import train as module
from backbone.model_mobilefacenet import MobileFaceNet
from config import configurations
from util.utils import l2_norm, separate_irse_bn_paras, separate_resnet_bn_paras


def pictures(count):
    rng = np.random.RandomState(4)
    return [(torch.from_numpy(rng.uniform(-1, 1, size=(3, 112, 112)).astype("float32")), int(rng.randint(0, 9))) for _ in range(count)]


def run(name, backbone, separate):
    cfg = dict(configurations[1], GPU=0, HEAD_NAME=name, LR=0.01, STAGES=[1], NUM_EPOCH=2)
    head = {"ArcFace": module.ArcFace, "CurricularFace": module.CurricularFace}[name](in_features=512, out_features=9)
    fill(backbone, 1)
    quiet(backbone)
    fill(head, 2)
    only, without = separate(backbone)
    say(f"{name} groups", len(only), len(without))
    optimizer = torch.optim.SGD([{"params": without + list(head.parameters()), "weight_decay": cfg["WEIGHT_DECAY"]}, {"params": only}], lr=cfg["LR"], momentum=cfg["MOMENTUM"])
    loader = torch.utils.data.DataLoader(pictures(9), batch_size=4, shuffle=False, drop_last=True)
    for epoch in range(cfg["NUM_EPOCH"]):
        module.adjust_learning_rate(optimizer, epoch, cfg)
        module.train(loader, backbone, head, nn.CrossEntropyLoss(), optimizer, epoch, cfg, Board())
    keep(f"{name} backbone", backbone)
    keep(f"{name} head", head)
    torch.save({"EPOCH": 2, "HEAD": head.state_dict(), "OPTIMIZER": optimizer.state_dict()}, "head.pth")
    other = copy.deepcopy(head)
    fill(other, 5)
    checkpoint = torch.load("head.pth")
    other.load_state_dict(checkpoint["HEAD"])
    backbone.eval()
    with torch.no_grad():
        features = backbone(torch.stack([p for p, _ in pictures(2)]))[0]
        say(f"{name} loaded", checkpoint["EPOCH"], *l2_norm(features).abs().mean(1).tolist(), other(features, torch.tensor([1, 3]))[0].mean().item())


attempt("curricular", lambda: run("CurricularFace", MobileFaceNet([112, 112]), separate_resnet_bn_paras))
attempt("arc", lambda: run("ArcFace", module.IR_50([112, 112]), separate_irse_bn_paras))
