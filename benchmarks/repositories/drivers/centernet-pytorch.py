import numpy as np
import torch
from nets.centernet import CenterNet_HourglassNet
from nets.centernet_training import get_lr_scheduler, set_optimizer_lr, weights_init
from utils.utils_bbox import decode_bbox
from utils.utils_fit import fit_one_epoch

from probe import array, fill, keep, say


class History:
    def __init__(self):
        self.val_loss = []

    def append_loss(self, epoch, loss, val_loss):
        self.val_loss.append(val_loss)
        say(f"epoch {epoch}", loss, val_loss)


class Callback:
    def on_epoch_end(self, epoch, model):
        model.eval()


def batch(seed):
    r = np.random.RandomState(seed)
    heat = (r.rand(2, 16, 16, 3) * 0.9).astype(np.float32)
    heat[:, 3, 4, 0] = heat[:, 9, 9, 2] = 1
    mask = np.zeros((2, 16, 16), np.float32)
    mask[:, 3, 4] = mask[:, 9, 9] = 1
    return [array(seed, 2, 3, 64, 64), torch.from_numpy(heat), array(seed + 1, 2, 16, 16, 2), array(seed + 2, 2, 16, 16, 2), torch.from_numpy(mask)]


def main():
    model = CenterNet_HourglassNet({"hm": 3, "wh": 2, "reg": 2}, num_stacks=2, n=2, cnv_dim=16, dims=[256, 24, 32], modules=[1, 1, 1])
    weights_init(model)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), 1e-3, betas=(0.9, 0.999), weight_decay=0)
    schedule = get_lr_scheduler("cos", 1e-3, 1e-5, 3)
    history = History()
    model.freeze_backbone()
    for epoch in range(2):
        if epoch:
            model.unfreeze_backbone()
        set_optimizer_lr(optimizer, schedule, epoch)
        fit_one_epoch(model.train(), model, history, Callback(), optimizer, epoch, 2, 1, [batch(1), batch(5)], [batch(9)], 2, False, False, None, "hourglass", 10, ".")
    keep("centernet", model)
    with torch.no_grad():
        out = model(batch(12)[0])[-1]
    boxes = decode_bbox(out["hm"].sigmoid(), out["wh"], out["reg"], 0.3, False)
    say("boxes", *[len(b) for b in boxes], *[v for b in boxes if len(b) for v in b[0]])


main()
