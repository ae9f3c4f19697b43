import os
import shutil
import sys
import types
import numpy as np
import torch


class Dictionary(dict):
    def __init__(self, *held, **named):
        super().__init__(*held, **named)
        self.__dict__ = self


sys.modules["easydict"] = types.ModuleType("easydict")
sys.modules["easydict"].EasyDict = Dictionary

import main as module
from probe import attempt, say


class Images(torch.utils.data.Dataset):
    def __init__(self, metadata):
        rng = np.random.RandomState(3)
        self.images, self.labels = rng.rand(6, metadata.num_channels, 16, 16).astype("float32"), rng.randint(0, 5, size=6)

    def __len__(self):
        return 6

    def __getitem__(self, i):
        return self.images[i], self.labels[i]


def metadata(name):
    return Dictionary(image_size=16, num_classes=5, train_images=6, val_images=6, num_channels=1 if name == "grey" else 3)


def shown(path, picture):
    say("picture " + path.split("/")[-1].split("-")[0], *picture.shape, picture.mean(), picture.std())


def run(name, *options):
    module.get_metadata, module.get_dataset = metadata, lambda name, folder, made: Images(made)
    module.cv2 = types.SimpleNamespace(imwrite=shown)
    folder = "made_" + name
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    sys.argv = ["main.py", "--arch", "UNetSmall", "--diffusion-steps", "40", "--sampling-steps", "4", "--dataset", name, "--batch-size", "3", "--lr", "0.0002", "--epochs", "2", "--ema_w", "0.9", "--save-dir", folder, *options]
    module.main()
    for path in sorted(os.listdir(folder)):
        kept = torch.load(f"{folder}/{path}")
        np.savez(os.environ["OUT"] + f"-{name}{'ema' in path}.npz", **{f"{i:04d} {k}": v.numpy() for i, (k, v) in enumerate(kept.items())})
    sys.argv += ["--sampling-only", "--num-sampled-images", "5", "--pretrained-ckpt", f"{folder}/{path}"]
    module.main()
    found = np.load(f"{folder}/{[p for p in os.listdir(folder) if p.endswith('npz')][0]}", allow_pickle=True)
    say(name + " sampled", *found["arr_0"].shape, found["arr_0"].mean(), found["arr_0"].std())


attempt("grey", lambda: run("grey"))
attempt("classes", lambda: run("classes", "--class-cond", "--ddim"))
