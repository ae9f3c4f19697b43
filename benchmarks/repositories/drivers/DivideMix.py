import importlib.machinery
import os
import random
import sys
import types
import numpy as np
import torch
from probe import attempt, keep, say


class Mixture:
    def __init__(self, **options):
        pass

    def fit(self, losses):
        values = np.asarray(losses).reshape(-1)
        self.means_ = np.array([[np.quantile(values, 0.8)], [np.quantile(values, 0.2)]])

    def predict_proba(self, losses):
        weights = np.exp(-3 * np.abs(np.asarray(losses).reshape(-1, 1) - self.means_[:, 0]))
        return weights / weights.sum(1, keepdims=True)


sklearn, mixture = types.ModuleType("sklearn"), types.ModuleType("sklearn.mixture")
sklearn.__spec__ = importlib.machinery.ModuleSpec("sklearn", None)
sklearn.mixture, mixture.GaussianMixture = mixture, Mixture
sys.modules.update({"sklearn": sklearn, "sklearn.mixture": mixture})
import dataloader_cifar as data


class Part:
    def __init__(self, mode, indices, probability=None):
        self.mode, self.indices, self.probability = mode, indices, probability

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, i):
        k = int(self.indices[i])
        rng = np.random.RandomState(k)
        one, two, label = torch.from_numpy(rng.randn(3, 32, 32).astype("float32")), torch.from_numpy(rng.randn(3, 32, 32).astype("float32")), int(rng.randint(0, 4))
        if self.mode == "labeled":
            return one, two, label, self.probability[k]
        if self.mode == "unlabeled":
            return one, two
        return (one, label) if self.mode == "test" else (one, label, k)


class Loader:
    def __init__(self, *arguments, **options):
        pass

    def run(self, mode, pred=(), prob=()):
        def of(*arguments):
            return torch.utils.data.DataLoader(Part(*arguments), batch_size=3, shuffle=False, num_workers=0)

        if mode != "train":
            return of(mode, np.arange(4 if mode == "test" else 8))
        say("probability", *prob)
        return of("labeled", np.nonzero(pred)[0], prob), of("unlabeled", np.nonzero(~pred)[0])


def run():
    os.makedirs("checkpoint", exist_ok=True)
    data.cifar_dataloader = Loader
    np.random.seed(4)
    sys.argv = ["Train_cifar.py", "--batch_size", "3", "--num_epochs", "2", "--num_class", "4", "--noise_mode", "asym", "--lr", "0.005"]
    import Train_cifar as module

    keep("one", module.net1)
    keep("two", module.net2)
    say("losses", *torch.stack(module.all_loss[0]).mean(1).tolist())
    print("##\ttest\t" + open("checkpoint/cifar10_0.5_asym_acc.txt").read().replace("\n", " "))


attempt("run", run)
