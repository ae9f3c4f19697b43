import sys
import tempfile
import types
import numpy as np
import torch


class EasyDict(dict):
    __getattr__ = dict.__getitem__
    __setattr__ = dict.__setitem__


sys.modules["easydict"] = types.ModuleType("easydict")
sys.modules["easydict"].EasyDict = EasyDict
folder = tempfile.mkdtemp()

import train_textsnake as module
import util.summary
from util.config import config, update_config
from util.option import BaseOptions
from probe import attempt, say


class Words(torch.utils.data.Dataset):
    def __init__(self, data_root, ignore_list=None, is_training=True, transform=None):
        rng = np.random.RandomState(3 if is_training else 4)
        self.image = rng.randn(4, 3, 64, 64).astype("float32")
        self.text = np.zeros((4, 64, 64), dtype="uint8")
        self.line = np.zeros((4, 64, 64), dtype="uint8")
        self.used = (rng.rand(4, 64, 64) > 0.05).astype("uint8")
        for i in range(4):
            self.text[i, 10 + 4 * i : 30 + 4 * i, 8:50] = 1
            self.line[i, 17 + 4 * i : 23 + 4 * i, 12:46] = 1
        self.radius = (self.line * (4 + rng.rand(4, 64, 64))).astype("float32")
        angle = rng.rand(4, 64, 64)
        self.sin, self.cos = (self.line * np.sin(angle)).astype("float32"), (self.line * np.cos(angle)).astype("float32")

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return self.image[i], self.used[i], self.text[i], self.line[i], self.radius[i], self.sin[i], self.cos[i], {"image_id": str(i)}


class Board:
    def __init__(self, folder):
        pass

    def add_scalar(self, key, value, step):
        say(f"{key} {step}", value)


util.summary.SummaryWriter = Board
module.TotalText = module.SynthText = Words


def run(name, *options):
    arguments = BaseOptions().initialize([name, "--cuda", "False", "--num_workers", "0", "--batch_size", "2", "--max_epoch", "2", "--display_freq", "1", "--log_freq", "1", "--save_freq", "1", "--save_dir", folder + "/", "--log_dir", folder + "/", "--vis_dir", folder + "/", *options])
    update_config(config, arguments)
    module.main()
    found = torch.load(f"{folder}/{name}/textsnake_vgg_1.pth")
    say(name, found["epoch"], *found["lr"], *(float(v.abs().sum()) for v in found["model"].values()))


attempt("total", lambda: run("total"))
attempt("synth", lambda: run("synth", "--dataset", "synth-text", "--resume", folder + "/total/textsnake_vgg_1.pth"))
