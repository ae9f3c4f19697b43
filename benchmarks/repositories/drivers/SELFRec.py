import random
import numpy as np
import torch
from model.graph.BUIR import BUIR
from model.graph.DirectAU import DirectAU
from model.graph.LightGCN import LightGCN
from model.graph.SGL import SGL
from model.graph.SimGCL import SimGCL
from model.sequential.SASRec import SASRec
from probe import attempt, fill, keep, quiet, say


class Conf(dict):
    def contain(self, key):
        return key in self


def conf(name, **own):
    return Conf({"model": {"name": name, "type": "graph"}, "item.ranking.topN": ["3", "5"], "embedding.size": "6", "max.epoch": "2", "batch.size": "8", "learning.rate": "0.01", "reg.lambda": "0.001", "output": "./made/", "training.set": "a", "test.set": "b", "max.len": "6", name: own})


def pairs(seed, count):
    rng = np.random.RandomState(seed)
    return [[f"u{a}", f"i{b}", 1.0] for a, b in sorted({(rng.randint(7), rng.randint(9)) for _ in range(count)})]


def run(key, kind, **own):
    random.seed(4)
    np.random.seed(4)
    learner = kind(conf(kind.__name__, **own), pairs(1, 30), pairs(2, 9))
    fill(learner.model, 2)
    learner.train()
    found = learner.test()
    say(key, *(s for user in found for _, s in found[user]))
    learner.evaluate(found)
    keep(key, learner.model)


def sequential():
    random.seed(4)
    rng = np.random.RandomState(6)
    items = {f"s{k}": [f"i{i}" for i in rng.randint(12, size=3 + k % 6)] for k in range(9)}
    learner = SASRec(conf("SASRec", n_blocks="2", drop_rate="0", n_heads="2"), items, {f"s{k}": [f"i{k}"] for k in range(9)})
    fill(learner.model, 5)
    learner.train()
    found = learner.test()
    say("sequential", *(s for key in found for _, s in found[key]))
    keep("sequential", learner.model)


attempt("light", lambda: run("light", LightGCN, n_layer="2"))
attempt("sim", lambda: run("sim", SimGCL, **{"lambda": "0.5", "eps": "0.1", "n_layer": "2"}))
attempt("direct", lambda: run("direct", DirectAU, gamma="2", n_layers="2"))
attempt("buir", lambda: run("buir", BUIR, tau="0.9", n_layer="2", drop_rate="0.3"))
attempt("sgl", lambda: run("sgl", SGL, n_layer="2", drop_rate="0.1", aug_type="1", temp="0.2", **{"lambda": "0.1"}))
attempt("sequential", sequential)
