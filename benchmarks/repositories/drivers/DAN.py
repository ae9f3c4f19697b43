import os
import runpy
import sys
import types
import numpy as np
import torch

for name in ("lmdb", "editdistance"):
    sys.modules[name] = types.ModuleType(name)


def distance(one, other):
    row = list(range(len(other) + 1))
    for i, a in enumerate(one):
        new = [i + 1]
        for j, b in enumerate(other):
            new.append(min(new[j] + 1, row[j + 1] + 1, row[j] + (a != b)))
        row = new
    return row[-1]


sys.modules["editdistance"].eval = distance
import cfgs_scene as cfgs
import utils
from probe import attempt, fill, keep, say


class Words:
    def __init__(self, count, seed):
        self.count, self.seed = count, seed

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        rng = np.random.RandomState(i + self.seed)
        return {"image": torch.from_numpy(rng.rand(1, 32, 128).astype("float32")), "label": "".join("abcdefgh12345"[k] for k in rng.randint(0, 13, size=2 + i % 4))}


class Counter(utils.Loss_counter):
    def add_iter(self, loss):
        super().add_iter(loss)
        say(f"loss {int(self.total_iters)}", loss.item())


class Accuracy(utils.Attention_AR_counter):
    def show(self):
        say(self.display_string.strip(), self.correct, self.total_samples, self.distance_C, self.total_C, self.distance_W)
        super().show()


def filled(kind, seed):
    def built(**options):
        net = kind(**options)
        fill(net, seed)
        nets.append(net)
        return net

    return built


nets = []


def run():
    os.makedirs("models/scene", exist_ok=True)
    with open("made.txt", "w") as file:
        file.write("\n".join("abcdefgh12345") + "\n")
    utils.Loss_counter, utils.Attention_AR_counter = Counter, Accuracy
    for seed, name in enumerate(("FE", "CAM", "DTD")):
        cfgs.net_cfgs[name] = filled(cfgs.net_cfgs[name], seed)
        cfgs.net_cfgs[f"init_state_dict_{name.lower()}"] = None
        cfgs.optimizer_cfgs[f"optimizer_{seed}_args"]["lr"] = 0.5
    cfgs.net_cfgs["CAM_args"].update(maxT=8, num_channels=16)
    cfgs.net_cfgs["DTD_args"].update(nclass=15, dropout=0.0)
    cfgs.global_cfgs.update(state="Train", epoch=1, show_interval=1, test_interval=1)
    cfgs.dataset_cfgs.update(dict_dir="made.txt", dataset_train=Words, dataset_train_args={"count": 6, "seed": 0}, dataset_test=Words, dataset_test_args={"count": 2, "seed": 50})
    cfgs.dataset_cfgs.update(dataloader_train={"batch_size": 3, "shuffle": False}, dataloader_test={"batch_size": 2, "shuffle": False})
    cfgs.saving_cfgs.update(saving_iter_interval=1, saving_path="models/scene/exp1_")
    runpy.run_path("main.py", run_name="__main__")
    for name, net in zip(("FE", "CAM", "DTD"), nets):
        keep(name, net)
    nets[2].load_state_dict(torch.load("models/scene/exp1_E0_I1-2_M2.pth"))


attempt("run", run)
