import torch
from types import SimpleNamespace
from mdistiller.distillers.KD import KD
from mdistiller.distillers.DKD import DKD
from mdistiller.distillers.AT import AT
from mdistiller.distillers.FitNet import FitNet
from mdistiller.distillers.RKD import RKD
from mdistiller.distillers.SP import SP
from mdistiller.distillers.PKT import PKT
from mdistiller.distillers.NST import NST
from mdistiller.distillers.VID import VID
from mdistiller.distillers.ReviewKD import ReviewKD
from mdistiller.distillers.OFD import OFD
from mdistiller.distillers.KDSVD import KDSVD
from mdistiller.models.cifar.resnet import resnet8, resnet14
from mdistiller.models.cifar.wrn import wrn_16_1
from mdistiller.engine.utils import AverageMeter, accuracy, adjust_learning_rate
from probe import array, attempt, fill, keep, say, whole


class Config(dict):
    def __getattr__(self, k):
        return self[k]


N = Config
CFG = N(KD=N(TEMPERATURE=4, LOSS=N(CE_WEIGHT=0.1, KD_WEIGHT=0.9)), DKD=N(CE_WEIGHT=1.0, ALPHA=1.0, BETA=8.0, T=4.0, WARMUP=2),
        AT=N(P=2, LOSS=N(CE_WEIGHT=1.0, FEAT_WEIGHT=1000.0)), RKD=N(DISTANCE_WEIGHT=25, ANGLE_WEIGHT=50, PDIST=N(EPSILON=1e-12, SQUARED=False), LOSS=N(CE_WEIGHT=1.0, FEAT_WEIGHT=1.0)),
        SP=N(LOSS=N(CE_WEIGHT=1.0, FEAT_WEIGHT=3000.0)), PKT=N(LOSS=N(CE_WEIGHT=1.0, FEAT_WEIGHT=30000.0)), NST=N(LOSS=N(CE_WEIGHT=1.0, FEAT_WEIGHT=50.0)),
        VID=N(EPS=1e-5, INIT_PRED_VAR=5.0, INPUT_SIZE=(32, 32), LOSS=N(CE_WEIGHT=1.0, FEAT_WEIGHT=1.0)), FITNET=N(HINT_LAYER=2, INPUT_SIZE=(32, 32), LOSS=N(CE_WEIGHT=1.0, FEAT_WEIGHT=100.0)),
        REVIEWKD=N(CE_WEIGHT=1.0, REVIEWKD_WEIGHT=1.0, WARMUP_EPOCHS=2, SHAPES=[1, 8, 16, 32], OUT_SHAPES=[1, 8, 16, 32], IN_CHANNELS=[16, 32, 64, 64], OUT_CHANNELS=[16, 32, 64, 64], MAX_MID_CHANNEL=64, STU_PREACT=False),
        OFD=N(LOSS=N(CE_WEIGHT=1.0, FEAT_WEIGHT=0.001), CONNECTOR=N(KERNEL_SIZE=1)), KDSVD=N(K=1, LOSS=N(CE_WEIGHT=1.0, FEAT_WEIGHT=1.0)),
        SOLVER=N(LR=0.05, LR_DECAY_STAGES=[1, 3], LR_DECAY_RATE=0.1))


def run(name, kind):
    teacher, student = resnet14(num_classes=6), resnet8(num_classes=6)
    fill(teacher, 1)
    fill(student, 2)
    distiller = kind(student, teacher, CFG)
    for m in distiller.children():
        if m is not student and m is not teacher:
            fill(m, 3)
    optimizer = torch.optim.SGD(distiller.get_learnable_parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)
    meter = AverageMeter()
    for epoch in range(1, 3):
        lr = adjust_learning_rate(epoch, CFG, optimizer)
        distiller.train()
        for i in range(2):
            image, target = array(epoch * 5 + i, 6, 3, 32, 32), whole(epoch + i, 6, 6)
            optimizer.zero_grad()
            preds, losses_dict = distiller(image=image, target=target, epoch=epoch)
            loss = sum([l.mean() for l in losses_dict.values()])
            loss.backward()
            optimizer.step()
            acc1, acc5 = accuracy(preds, target, topk=(1, 5))
            meter.update(loss.cpu().detach().numpy().mean(), 6)
            say("%s %d %d" % (name, epoch, i), loss.item(), acc1[0], acc5[0], lr, meter.avg)
    keep(name, student)
    distiller.eval()
    say(name + " validate", distiller(image=array(99, 3, 3, 32, 32)).sum())


for kind in (KD, DKD, AT, FitNet, RKD, SP, PKT, NST, VID, OFD, KDSVD, ReviewKD):
    attempt(kind.__name__, lambda: run(kind.__name__, kind))
