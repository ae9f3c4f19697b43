import os
import sys
import numpy as np
import torch

sys.argv = ["train_voc.py", "--epochs", "2", "--batch_size", "2", "--n_cpu", "0"]

import dataset.VOC_dataset
import model.config
from probe import array, attempt, keep, say


class Boxes(torch.utils.data.Dataset):
    def __init__(self, *arguments, **options):
        rng = np.random.RandomState(4)
        self.images = rng.randn(4, 3, 96, 128).astype("float32")
        corners, sizes = rng.uniform(0, 60, size=(4, 3, 2)), rng.uniform(10, 60, size=(4, 3, 2))
        self.boxes = np.concatenate([corners, corners + sizes], -1).astype("float32")
        self.boxes[1, 2] = -1
        self.classes = rng.randint(1, 6, size=(4, 3)).astype("int64")

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return self.images[i], self.boxes[i], self.classes[i]

    def collate_fn(self, items):
        return tuple(torch.from_numpy(np.stack(part)) for part in zip(*items))


dataset.VOC_dataset.VOCDataset = Boxes
model.config.DefaultConfig.score_threshold = 0.0
os.makedirs("checkpoint", exist_ok=True)


def run():
    import train_voc
    from model.fcos import FCOSDetector

    trained = train_voc.model.module
    keep("model", trained)
    say("modes", *(m.training for m in trained.modules()))
    say("frozen", sum(not p.requires_grad for p in trained.parameters()))
    found = FCOSDetector(mode="inference")
    found.load_state_dict(trained.state_dict())
    found.eval()
    with torch.no_grad():
        scores, classes, boxes = found(array(5, 1, 3, 96, 128))
    say("scores", *scores.shape, scores.sum(), *scores.flatten()[:3])
    say("boxes", *boxes.shape, boxes.sum(), classes.float().sum())


attempt("train", run)
