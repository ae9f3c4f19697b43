import sys
sys.argv = ["train.py", "--train-iteration", "3", "--batch-size", "4"]
import numpy as np
import torch
import models.wideresnet as models
from train import SemiLoss, WeightEMA, args, interleave, linear_rampup
from utils import AverageMeter, accuracy
from probe import array, attempt, fill, keep, say, whole


def create_model(ema=False):
    model = models.WideResNet(num_classes=10, depth=10, widen_factor=1)
    if ema:
        for param in model.parameters():
            param.detach_()
    return model


def main():
    model, ema_model = create_model(), create_model(True)
    fill(model)
    fill(ema_model, 1)
    criterion = SemiLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    ema_optimizer = WeightEMA(model, ema_model, alpha=0.9)
    losses = AverageMeter()
    model.train()
    rng = np.random.RandomState(0)
    for step in range(3):
        x, u, u2 = array(step, 4, 3, 32, 32), array(step + 5, 4, 3, 32, 32), array(step + 9, 4, 3, 32, 32)
        targets_x = torch.zeros(4, 10).scatter_(1, whole(step, 10, 4).view(-1, 1).long(), 1)
        with torch.no_grad():
            p = (torch.softmax(model(u), dim=1) + torch.softmax(model(u2), dim=1)) / 2
            pt = p ** (1 / args.T)
            targets_u = (pt / pt.sum(dim=1, keepdim=True)).detach()
        all_inputs, all_targets = torch.cat([x, u, u2], dim=0), torch.cat([targets_x, targets_u, targets_u], dim=0)
        l = max(rng.beta(0.75, 0.75), 0.5)
        idx = torch.from_numpy(rng.permutation(12))
        mixed = l * all_inputs + (1 - l) * all_inputs[idx]
        target = l * all_targets + (1 - l) * all_targets[idx]
        parts = interleave(list(torch.split(mixed, 4)), 4)
        logits = [model(parts[0])]
        for part in parts[1:]:
            logits.append(model(part))
        logits = interleave(logits, 4)
        Lx, Lu, w = criterion(logits[0], target[:4], torch.cat(logits[1:], dim=0), target[4:], 1 + step / 3)
        loss = Lx + w * Lu
        losses.update(loss.item(), 4)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema_optimizer.step()
        say("mixmatch %d" % step, loss.item(), Lx.item(), Lu.item(), w, losses.avg)
    keep("model", model)
    keep("ema", ema_model)
    ema_model.eval()
    prec1, prec5 = accuracy(ema_model(array(30, 6, 3, 32, 32)), whole(3, 10, 6), topk=(1, 5))
    say("accuracy", prec1.item(), prec5.item())
    from train import save_checkpoint
    import os
    import tempfile
    folder = tempfile.mkdtemp()
    save_checkpoint({"state_dict": model.state_dict(), "ema_state_dict": ema_model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 1}, False, folder)
    checkpoint = torch.load(os.path.join(folder, "checkpoint.pth.tar"), weights_only=False)
    other = create_model()
    other.load_state_dict(checkpoint["state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    keep("resumed", other)


main()
