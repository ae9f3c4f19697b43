import logging
import numpy as np
import scipy.sparse as sp
import torch
from ppnp.data.sparsegraph import SparseGraph
from ppnp.pytorch import PPNP
from ppnp.pytorch.earlystopping import Best, StopVariable
from ppnp.pytorch.propagation import PPRExact, PPRPowerIteration
from ppnp.pytorch.training import train_model
from probe import attempt, fill, keep, quiet, say


class Filled(PPNP):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        fill(self)
        quiet(self)


class Lines(logging.Handler):
    def emit(self, record):
        words = record.getMessage().split()
        say("log", *(float(w.strip(",%")) for w in words[:-2] if w.strip(",%").replace(".", "", 1).isdigit()))


def graph(dense):
    rng = np.random.RandomState(0)
    labels = np.arange(60) % 3
    near = (labels[:, None] == labels[None]) * 0.15 + 0.03
    upper = np.triu(rng.rand(60, 60) < near, 1)
    features = (rng.rand(60, 12) < 0.2) + np.eye(3).repeat(4, 1)[labels]
    return SparseGraph(sp.csr_matrix((upper | upper.T).astype("float32")), features if dense else sp.csr_matrix(features), labels)


def run(name, dense, power, drop, bias, remember):
    made = graph(dense)
    spread = PPRPowerIteration(made.adj_matrix, 0.1, 4, drop) if power else PPRExact(made.adj_matrix, 0.1, drop)
    model, result = train_model(name, Filled, made, {"hiddenunits": [8, 6], "drop_prob": drop, "propagation": spread, "bias": bias}, 0.01, 5e-3, {"ntrain_per_class": 5, "nstopping": 12, "nknown": 45, "seed": 3}, {"stop_varnames": [StopVariable.ACCURACY, StopVariable.LOSS], "patience": 3, "max_epochs": 6, "remember": remember}, device="cpu", torch_seed=2, print_interval=1)
    say(name, *result["predictions"], *(result[k]["accuracy"] for k in ("train", "early_stopping", "valtest")))
    print(model)
    keep(name, model.fcs)


logging.getLogger().setLevel(logging.INFO)
logging.getLogger().addHandler(Lines(logging.INFO))
logging.getLogger().handlers[0].addFilter(lambda record: record.levelno == logging.INFO)
attempt("power", lambda: run("power", False, True, 0, False, Best.RANKED))
attempt("dropped", lambda: run("dropped", False, True, 0.3, True, Best.ALL))
attempt("exact", lambda: run("exact", True, False, 0, True, Best.ALL))
attempt("exact dropped", lambda: run("exact-dropped", True, False, 0.2, False, Best.RANKED))
