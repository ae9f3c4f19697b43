import os
import sys
import numpy as np
import torch

sys.argv = ["train.py", "nowhere"]

import train as module
from model import MACNetwork
from probe import attempt, fill, keep, say


class Questions(torch.utils.data.Dataset):
    def __init__(self, root, split="train", transform=None):
        rng = np.random.RandomState(3)
        self.images = rng.randn(6, 1024, 3, 3).astype("float32")
        self.questions = [rng.randint(1, 11, size=3 + i % 4).tolist() for i in range(6)]

    def __getitem__(self, i):
        return torch.from_numpy(self.images[i]), self.questions[i], len(self.questions[i]), i % 5, f"kind{i % 2}"

    def __len__(self):
        return 6

    def close(self):
        pass


def run(name, **options):
    module.CLEVR, module.batch_size = Questions, 3
    module.net = MACNetwork(12, 8, embed_hidden=6, max_step=3, classes=5, **options)
    module.net_running = MACNetwork(12, 8, embed_hidden=6, max_step=3, classes=5, **options)
    fill(module.net, 1)
    module.accumulate(module.net_running, module.net, 0)
    module.criterion = torch.nn.CrossEntropyLoss()
    module.optimizer = torch.optim.Adam(module.net.parameters(), lr=1e-3)
    os.makedirs("log", exist_ok=True)
    for epoch in range(2):
        module.train(epoch)
        module.valid(epoch)
        with open("log/log_{}.txt".format(str(epoch + 1).zfill(2))) as file:
            say(f"{name} right {epoch}", *(float(line.split(": ")[1]) for line in file))
    keep(name, module.net)
    keep(name + " running", module.net_running)


attempt("plain", lambda: run("plain"))
attempt("gate", lambda: run("gate", self_attention=True, memory_gate=True))
