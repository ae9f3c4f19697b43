import logging
import sys
import types
import numpy as np
import torch
from probe import attempt, fill, keep, say

PAIRS = np.argwhere(np.random.RandomState(2).rand(9, 14) < 0.35)


class Interactions:
    def __init__(self, pairs):
        self.pairs = pairs

    def to_user_item_pairs(self):
        return self.pairs

    def to_user_dict(self):
        return {u: self.pairs[self.pairs[:, 0] == u, 1] for u in np.unique(self.pairs[:, 0])}


class Dataset:
    def __init__(self, *arguments):
        self.data_name, self.num_users, self.num_items, self.num_train_ratings = "made", 9, 14, len(PAIRS)
        self.train_data = self.test_data = Interactions(PAIRS)


class Sampler:
    def __init__(self, data, num_neg, batch_size, shuffle):
        self.pairs, self.batch_size = data.to_user_item_pairs(), batch_size

    def __iter__(self):
        for start in range(0, len(self.pairs), self.batch_size):
            part = self.pairs[start : start + self.batch_size]
            yield part[:, 0], part[:, 1], np.random.randint(0, 14, size=len(part))


class Evaluator:
    def __init__(self, *arguments, **options):
        self.times = 0

    def metrics_info(self):
        return "mean"

    def evaluate(self, model):
        ratings = model.predict([0, 3, 5])
        self.times += 1
        say(f"rated {self.times}", ratings.mean(), ratings.std(), ratings[1, 2])
        return np.array([0.1, 0.1 * self.times]), "buf"


class Config(dict):
    __getattr__ = dict.__getitem__

    def summarize(self):
        return "made"


class Logger(logging.Logger):
    def info(self, text):
        text = str(text)
        if text.startswith("[iter"):
            say(text.split(":")[0], *[float(word) for word in text.split("time")[0].replace("=", " ").replace("+", " ").replace(",", " ").split(":")[2].split()])


def typeassert(*arguments, **options):
    return lambda function: function


def timer(function):
    return function


reckit, data = types.ModuleType("reckit"), types.ModuleType("data")
reckit.Logger, reckit.Configurator, reckit.Evaluator, reckit.typeassert, reckit.timer = Logger, Config, Evaluator, typeassert, timer
reckit.randint_choice = lambda high, size, replace: np.random.choice(high, size=int(size), replace=replace)
data.Dataset, data.PointwiseSamplerV2, data.PairwiseSamplerV2 = Dataset, Sampler, Sampler
sys.modules.update(reckit=reckit, data=data)

from model.general_recommender.SGL import SGL


def run(kind, **options):
    np.random.seed(3)
    config = Config(recommender="SGL", dataset="made", reg=1e-3, embed_size=6, batch_size=16, test_batch_size=8, epochs=3, verbose=1, stop_cnt=5, learner="adam", lr=0.01, param_init="xavier_uniform", n_layers=2, aug_type=kind, ssl_reg=0.1, ssl_ratio=0.3, ssl_mode="both_side", ssl_temp=0.2, pretrain_flag=0, save_flag=0, data_dir="made/", root_dir="made/", sep=",", file_column="UI", metric=None, top_k=[5], test_thread=1, start_testing_epoch=0)
    config.update(options)
    recommender = SGL(config)
    fill(recommender.lightgcn, 4)
    recommender.train_model()
    keep(kind, recommender.lightgcn)
    say(f"{kind} best", recommender.best_epoch, *recommender.best_result)


attempt("edges", lambda: run("ED"))
attempt("nodes", lambda: run("ND"))
attempt("walks", lambda: run("RW"))
