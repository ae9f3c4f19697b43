import sys
import types
import numpy as np
import torch

for name, members in (("timm", {}), ("timm.models", {}), ("timm.models.layers", {"DropPath": torch.nn.Identity, "to_2tuple": lambda x: x if isinstance(x, tuple) else (x, x), "trunc_normal_": torch.nn.init.trunc_normal_}), ("mmcv", {}), ("mmcv.cnn", {"ConvModule": None})):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)

import train as module
from probe import attempt


class Slices(torch.utils.data.Dataset):
    def __init__(self, img_ids, **options):
        rng = np.random.RandomState(len(img_ids))
        self.images = rng.randn(len(img_ids), 3, 64, 64).astype("float32")
        self.masks = (rng.rand(len(img_ids), 1, 64, 64) < 0.3).astype("float32")

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i], self.masks[i], {"img_id": str(i)}


def run(arch, *options):
    module.Dataset = Slices
    module.train_test_split = lambda *arguments, **named: ([str(i) for i in range(6)], ["1", "2", "3"])
    sys.argv = ["train.py", "--name", arch, "--arch", arch, "--epochs", "2", "-b", "2", "--input_w", "64", "--input_h", "64", "--num_workers", "0", *options]
    module.main()


attempt("UNext_S", lambda: run("UNext_S"))
attempt("UNext", lambda: run("UNext", "--optimizer", "SGD", "--nesterov", "true", "--lr", "0.01", "--loss", "BCEWithLogitsLoss", "--scheduler", "MultiStepLR"))
