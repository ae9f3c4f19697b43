import sys
import types
import numpy as np
import torch
from PIL import Image

sys.modules["lmdb"] = types.ModuleType("lmdb")
sys.argv = ["train.py", "--trainRoot", "a", "--valRoot", "b", "--workers", "0", "--batchSize", "4", "--imgW", "64", "--nh", "12", "--nepoch", "2", "--alphabet", "abcdefgh", "--displayInterval", "2", "--valInterval", "2", "--saveInterval", "2", "--adam", "--lr", "0.001"]

import dataset

WORDS = ["abca", "hg", "bede", "faced", "cab", "deaf", "Bad"]


class Words:
    def __init__(self, root=None, transform=None, target_transform=None):
        self.transform, self.count = transform, 6 if root == "a" else 7

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        img = Image.fromarray(np.random.RandomState(index).randint(0, 255, size=(30, 70), dtype=np.uint8))
        return (img if self.transform is None else self.transform(img)), WORDS[index]


dataset.lmdbDataset = Words

from probe import attempt, keep, say


def run():
    import train as module
    keep("crnn", module.crnn)
    say("hot", *module.utils.oneHot(*module.converter.encode(["ab", "h"]), 10).flatten().tolist())
    state = torch.load("expr/netCRNN_1_2.pth")
    say("saved", *(v.float().abs().sum().item() for k, v in state.items() if "tracked" not in k))


attempt("train", run)
