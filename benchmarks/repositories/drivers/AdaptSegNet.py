import os
import sys
import tempfile
import numpy as np
import torch

folder = tempfile.mkdtemp()
sys.path.append("..")
sys.argv = ["train.py", "--cpu", "--num-workers", "0", "--batch-size", "2", "--input-size", "40,32", "--input-size-target", "36,32", "--num-classes", "5", "--num-steps", "4", "--num-steps-stop", "3", "--save-pred-every", "2", "--iter-size", "2", "--restore-from", folder + "/start.pth", "--snapshot-dir", folder, "--lambda-adv-target1", "0.2", "--lambda-adv-target2", "0.1", "--learning-rate", "1e-3"]

import train_gta2cityscapes_multi as module
from model.deeplab_multi import DeeplabMulti
from probe import attempt, fill, say


class Streets(torch.utils.data.Dataset):
    def __init__(self, root, names, max_iters=None, crop_size=(0, 0), scale=True, mirror=True, mean=None, ignore_label=255, set=None):
        rng = np.random.RandomState(7 if set else 3)
        w, h = crop_size
        self.images = rng.randn(16, 3, h, w).astype("float32")
        self.labels = None if set else np.where(rng.rand(16, h, w) < 0.1, 255, rng.randint(0, 5, size=(16, h, w))).astype("float32")

    def __len__(self):
        return 16

    def __getitem__(self, i):
        size = np.array(self.images[i].shape)
        return (self.images[i], size, str(i)) if self.labels is None else (self.images[i], self.labels[i], size, str(i))


def run(gan):
    module.args.gan = gan
    module.GTA5DataSet = module.cityscapesDataSet = Streets
    start = DeeplabMulti(num_classes=5)
    fill(start, 1)
    torch.save({"Scale." + key: value for key, value in start.state_dict().items()}, folder + "/start.pth")
    module.main()
    for name in ("", "_D1", "_D2"):
        found = torch.load(f"{folder}/GTA5_3{name}.pth")
        np.savez(os.environ["OUT"] + f"-{gan}{name}.npz", **{f"{i:04d} {k}": v.numpy() for i, (k, v) in enumerate(found.items())})


attempt("Vanilla", lambda: run("Vanilla"))
attempt("LS", lambda: run("LS"))
