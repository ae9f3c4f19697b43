import os
import sys
import numpy as np
from PIL import Image
import dataset
import train
from probe import attempt, say

os.makedirs("made/train", exist_ok=True)
for i in range(10):
    Image.fromarray(np.random.RandomState(i).randint(0, 255, (50 + i, 60, 3)).astype("uint8")).save(f"made/train/{('cat', 'dog')[i % 2]}.{i}.png")


class Reader:
    @staticmethod
    def imread(path):
        return np.asarray(Image.open(path))


class Resizer:
    @staticmethod
    def resize(image, size):
        return np.asarray(Image.fromarray(image).resize(size[::-1])) / 255.0


def run():
    dataset.io, dataset.transform = Reader, Resizer
    train.SRC_DATA_ROOT_DIR = "made"
    sys.argv = ["train.py", "--batch_size", "4", "--num_epochs", "2"]
    train.main()
    say("images", len(os.listdir("outputs")))


attempt("run", run)
