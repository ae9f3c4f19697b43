import os
from types import SimpleNamespace
import numpy as np
import torch
import idec
from probe import fill, keep, say
from utils import MnistDataset

rng = np.random.RandomState(0)
os.makedirs("data", exist_ok=True)
images, kinds = rng.randint(0, 255, size=(40, 8, 8)).astype("uint8"), rng.randint(0, 3, size=40)
np.savez("data/mnist.npz", x_train=images[:30], y_train=kinds[:30], x_test=images[30:], y_test=kinds[30:])


class Means:
    def __init__(self, n_clusters, n_init):
        self.n = n_clusters

    def fit_predict(self, x):
        self.cluster_centers_ = x[: self.n] + 0.01
        return np.arange(len(x)) % self.n


def pretrain(self, path=""):
    fill(self)
    made.append(self)
    plain(self, path)


made, plain = [], idec.IDEC.pretrain
idec.IDEC.pretrain, idec.KMeans = pretrain, Means
idec.nmi_score = idec.ari_score = lambda a, b: float((a == b).mean())
idec.cluster_acc = lambda a, b: float((a == b).mean())
idec.args = SimpleNamespace(lr=0.001, n_clusters=3, batch_size=10, n_z=4, pretrain_path="data/ae.pkl", gamma=0.1, update_interval=1, tol=1e-6, n_input=64)
idec.device, idec.dataset = torch.device("cpu"), MnistDataset()
idec.train_idec()
model = made[0]
with torch.no_grad():
    x_bar, q = model(torch.Tensor(idec.dataset.x))
say("end", x_bar.sum().item(), *q.sum(0).tolist(), *idec.target_distribution(q).sum(0).tolist())
keep("idec", model)
