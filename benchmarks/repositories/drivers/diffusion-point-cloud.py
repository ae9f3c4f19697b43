import sys
import types
import numpy as np
import torch
import utils.dataset
import utils.misc
import evaluation

OPTIONS = ["--logging", "False", "--device", "cpu", "--latent_dim", "8", "--num_steps", "5", "--train_batch_size", "3", "--val_batch_size", "2", "--lr", "1e-2", "--max_iters", "3", "--val_freq", "3", "--sched_start_epoch", "1", "--sched_end_epoch", "4", "--dataset_path", "none"]


class Shapes(torch.utils.data.Dataset):
    def __init__(self, path, cates, split, scale_mode, transform=None):
        self.points = np.random.RandomState(3 if split == "train" else 4).randn(6, 16, 3).astype("float32")

    def __len__(self):
        return 6

    def __getitem__(self, i):
        return {"pointcloud": torch.from_numpy(self.points[i]), "shift": torch.zeros(1, 3), "scale": torch.ones(1, 1)}


utils.dataset.ShapeNetCore = Shapes
evaluation.jsd_between_point_cloud_sets = lambda a, b: np.abs(a).mean() + np.abs(b).mean()

from probe import attempt, keep, say


class Board:
    def add_scalar(self, key, value, step=None, global_step=None):
        say(f"{self.name} {key} {step or global_step}", value)

    def add_mesh(self, key, points, global_step):
        say(f"{self.name} {key}", points.abs().sum(), *points.shape)

    def flush(self):
        pass


class Manager:
    def save(self, model, args, score, others=None, step=None):
        say(f"saved {step}", score, others["optimizer"]["param_groups"][0]["lr"], others["scheduler"]["last_epoch"])
        keep(f"model {step}", model)


class Hole:
    """The first that a script asks for is its board, the second keeps checkpoints."""

    def __call__(self):
        self.asked = getattr(self, "asked", 0) + 1
        return Board() if self.asked % 2 else Manager()


utils.misc.BlackHole = Hole()


def generate(name, *more):
    sys.argv = ["train_gen.py", "--num_samples", "2", "--sample_num_points", "16", "--latent_flow_depth", "3", "--latent_flow_hidden_dim", "6", "--test_size", "4", "--test_freq", "3", *OPTIONS, *more]
    sys.modules.pop("train_gen", None)
    Board.name = name
    import train_gen

    keep(name, train_gen.model)


def reconstruct():
    sys.argv = ["train_ae.py", "--num_inspect_batches", "1", "--num_inspect_pointclouds", "2", *OPTIONS]
    Board.name = "ae"
    import train_ae

    keep("ae", train_ae.model)


attempt("flow", lambda: generate("flow"))
attempt("gaussian", lambda: generate("gaussian", "--model", "gaussian"))
attempt("spectral", lambda: generate("spectral", "--spectral_norm", "True"))
attempt("ae", reconstruct)
