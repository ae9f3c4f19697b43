import argparse
import os
import sys
import types
import numpy as np
import torch

for name in ("matplotlib", "matplotlib.pyplot"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["matplotlib"].use = lambda name: None
sys.modules["matplotlib"].pyplot = sys.modules["matplotlib.pyplot"]

import evaluate
import model.net as net
import train
import utils
from dataloader import TestDataset, TrainDataset
from probe import attempt, fill, keep, say

os.makedirs("made/figures", exist_ok=True)
rng = np.random.RandomState(0)
for part, count in (("train", 8), ("test", 24)):
    time = np.arange(10)[None] + rng.randint(0, 20, (count, 1))
    series = 2 + np.sin(time * 0.7) + 0.1 * rng.randn(count, 10)
    series[1, 4:6] = 0
    data = np.concatenate([np.concatenate([np.zeros((count, 1)), series[:, :-1]], 1)[:, :, None], rng.randn(count, 10, 3), np.repeat(rng.randint(0, 5, (count, 1)), 10, 1)[:, :, None]], 2)
    np.save(f"made/{part}_data_made.npy", data)
    np.save(f"made/{part}_label_made.npy", series)
    np.save(f"made/{part}_v_made.npy", np.stack([rng.uniform(1, 2, count), rng.uniform(-0.1, 0.1, count)], 1))


def shown(folder, mu, sigma, labels, window, start, number, metrics, sampling=False):
    say("plot", np.abs(mu).sum(), np.abs(sigma).sum(), labels.sum(), *(np.abs(v).sum() for v in metrics.values()))


def run(sampling, relative):
    evaluate.plot_eight_windows = shown
    utils.plot_all_epoch = lambda values, name, location="": say(name, *values)
    train.args = argparse.Namespace(dataset="made", sampling=sampling, save_best=True, search_params="learning_rate")
    params = utils.Params.__new__(utils.Params)
    vars(params).update(num_class=5, embedding_dim=4, cov_dim=3, lstm_hidden_dim=6, lstm_layers=2, lstm_dropout=0.0, train_window=10, test_window=10, predict_start=7, test_predict_start=7, predict_steps=3, sample_times=5, num_epochs=2, model_dir="made", plot_dir="made/figures", relative_metrics=relative, learning_rate=1e-3, device=torch.device("cpu"))
    np.random.seed(1)
    model = net.Net(params)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=params.learning_rate)
    loader = torch.utils.data.DataLoader(TrainDataset("made", "made", 5), batch_size=4, shuffle=False)
    tests = torch.utils.data.DataLoader(TestDataset("made", "made", 5), batch_size=12, shuffle=False)
    train.train_and_evaluate(model, loader, tests, optimizer, net.loss_fn, params)
    keep(f"trained-{sampling}", model)
    model = net.Net(params)
    optimizer = torch.optim.Adam(model.parameters(), lr=params.learning_rate)
    train.train_and_evaluate(model, loader, tests, optimizer, net.loss_fn, params, "best")
    found = evaluate.evaluate(model, net.loss_fn, tests, params, -1, sampling)
    say("metrics", *found.values())
    keep(f"resumed-{sampling}", model)


attempt("sampled", lambda: run(True, False))
attempt("means", lambda: run(False, True))
