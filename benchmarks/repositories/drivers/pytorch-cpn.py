import sys
import types
import torch

for name in ("cv2", "matplotlib", "matplotlib.pyplot", "scipy.misc", "pycocotools", "pycocotools.coco", "pycocotools.cocoeval"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["matplotlib"].pyplot = sys.modules["matplotlib.pyplot"]
sys.modules["pycocotools.coco"].COCO = sys.modules["pycocotools.cocoeval"].COCOeval = None

import train as module
from networks import network
from utils.misc import adjust_learning_rate, save_model
from probe import array, attempt, fill, keep, say, whole


class Told(module.AverageMeter):
    def update(self, val, n=1):
        super().update(val, n)
        say("loss", self.val, self.avg)


def batches():
    for i in range(3):
        targets = [array(i * 10 + k, 2, 17, 16, 16).abs() for k in range(4)]
        yield array(i, 2, 3, 64, 64), targets, whole(i, 3, 2, 17).float() * 0.6, {}


def run():
    module.AverageMeter = Told
    model = network.CPN50((16, 16), 17, pretrained=False)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-6, weight_decay=1e-5, eps=1e-3)
    criterions = [torch.nn.MSELoss(), torch.nn.MSELoss(reduce=False)]
    for epoch in range(2):
        say("rate", adjust_learning_rate(optimizer, epoch, [1], 0.5))
        say("epoch", module.train(list(batches()), model, criterions, optimizer))
    save_model({"epoch": 2, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, checkpoint=".")
    keep("global", model.global_net)
    keep("refine", model.refine_net)
    model.eval()
    with torch.no_grad():
        outputs, refined = model(array(9, 1, 3, 64, 64))
        say("eval", refined.abs().mean(), *(o.abs().mean() for o in outputs))


attempt("train", run)
