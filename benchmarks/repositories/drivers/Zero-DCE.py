import os
from types import SimpleNamespace
import numpy as np
import torch
from PIL import Image
import lowlight_train
import model
import Myloss
from probe import array, attempt, fill, keep, say

os.makedirs("made", exist_ok=True)
os.makedirs("snapshots", exist_ok=True)
for i in range(4):
    Image.fromarray(np.random.RandomState(i).randint(0, 120, (70, 60, 3)).astype("uint8")).save(f"made/{i}.jpg", quality=100)


class Net(model.enhance_net_nopool):
    def apply(self, function):
        super().apply(function)
        fill(self)
        Net.last = self
        return self


def run():
    lowlight_train.model = SimpleNamespace(enhance_net_nopool=Net)
    config = SimpleNamespace(lowlight_images_path="made/", lr=1e-4, weight_decay=1e-4, grad_clip_norm=0.1, num_epochs=2, train_batch_size=2, num_workers=0, display_iter=1, snapshot_iter=2, snapshots_folder="snapshots/", load_pretrain=False, pretrain_dir="")
    lowlight_train.train(config)
    keep("net", Net.last)
    again = model.enhance_net_nopool()
    again.load_state_dict(torch.load("snapshots/Epoch1.pth"))
    one, two, curves = again(array(0, 1, 3, 16, 16).sigmoid())
    say("again", one.sum().item(), two.sum().item(), curves.sum().item())


def losses():
    x, y = array(1, 2, 3, 32, 32).sigmoid().requires_grad_(), array(2, 2, 3, 32, 32).sigmoid()
    for name, loss in (("color", Myloss.L_color()), ("exposure", Myloss.L_exp(16, 0.6)), ("variation", Myloss.L_TV()), ("saturation", Myloss.Sa_Loss())):
        value = loss(x).mean()
        value.backward()
        say(name, value.item(), x.grad.abs().sum().item())
        x.grad = None
    value = Myloss.L_spa()(x, y).mean()
    value.backward()
    say("spatial", value.item(), x.grad.abs().sum().item())


attempt("losses", losses)
attempt("train", run)
