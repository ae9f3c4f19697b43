import argparse
import os
import numpy as np
import torch
from models.base_model import Model
from models.handler import test, train, load_model
from probe import array, attempt, fill, keep, quiet, say
from utils.math_utils import evaluate


def arguments(**other):
    values = dict(window_size=6, horizon=2, multi_layer=2, device="cpu", norm_method="z_score", optimizer="RMSProp", lr=1e-3, decay_rate=0.5, exponential_decay_step=1, validate_freq=1, batch_size=8, epoch=2, early_stop=True, early_stop_step=2)
    values.update(other)
    return argparse.Namespace(**values)


def run(name, **other):
    data = np.cumsum(np.random.RandomState(0).randn(60, 5), axis=0)
    folder = os.environ["OUT"] + "-" + name
    os.makedirs(folder, exist_ok=True)
    args = arguments(**other)
    metrics, statistic = train(data[:34], data[34:46], args, folder)
    say(name + " metrics", metrics["mae"], metrics["mape"], metrics["rmse"], *metrics["mae_node"])
    say(name + " statistic", *[v for values in statistic.values() for v in values])
    model = load_model(folder, 1)
    if model is not None:
        keep(name, model)
    test(data[40:], args, folder, folder)


def laplacian():
    model = Model(5, 2, 6, 2, horizon=2)
    fill(model)
    quiet(model)
    graph = array(3, 5, 5).abs()
    say("normalized", *model.get_laplacian(graph, True).flatten())
    say("combinatorial", *model.get_laplacian(graph, False).flatten())
    forecast, attention = model(array(4, 3, 6, 5))
    say("forecast", *forecast.detach().flatten(), *attention.detach().flatten())
    say("scores", *evaluate(np.random.RandomState(0).rand(4, 3, 2), np.random.RandomState(1).rand(4, 3, 2)))


attempt("laplacian", laplacian)
attempt("rmsprop", lambda: run("rmsprop"))
attempt("adam", lambda: run("adam", optimizer="Adam", horizon=3))
