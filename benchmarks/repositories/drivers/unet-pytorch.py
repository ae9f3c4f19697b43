import numpy as np
import torch
from nets.unet import Unet
from nets.unet_training import get_lr_scheduler, set_optimizer_lr, weights_init
from utils.utils_fit import fit_one_epoch
from utils.utils_metrics import f_score
from probe import array, fill, keep, say


class History:
    log_dir = "."

    def __init__(self):
        self.losses = []
        self.val_loss = []

    def append_loss(self, epoch, loss, val_loss):
        self.losses.append(float(loss))
        self.val_loss.append(float(val_loss))
        say("epoch %d" % epoch, loss, val_loss)


class Callback:
    def on_epoch_end(self, epoch, model):
        pass


def batch(seed):
    png = np.random.RandomState(seed).randint(0, 4, (2, 32, 32))
    return array(seed, 2, 3, 32, 32), torch.from_numpy(png).long(), torch.from_numpy(np.eye(5)[png]).type(torch.FloatTensor)


def main():
    model = Unet(num_classes=4, pretrained=False, backbone='vgg')
    weights_init(model)
    fill(model)
    model_train = model.train()
    optimizer = torch.optim.Adam(model.parameters(), 1e-3, betas=(0.9, 0.999), weight_decay=0)
    func = get_lr_scheduler('cos', 1e-3, 1e-5, 4)
    history = History()
    model.freeze_backbone()
    for epoch in range(2):
        if epoch == 1:
            model.unfreeze_backbone()
        set_optimizer_lr(optimizer, func, epoch)
        fit_one_epoch(model_train, model, history, Callback(), optimizer, epoch, 2, 1, [batch(1), batch(2)], [batch(3)], 2, False, True, epoch == 1, np.ones([4], np.float32), 4, False, None, 10, ".")
    keep("unet", model)


main()
