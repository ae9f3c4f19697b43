import argparse
import json
import os
import shutil
import sys
import types
import numpy as np
import torch


class Parallel:
    def __init__(self, n_jobs):
        pass

    def __call__(self, jobs):
        return [job() for job in jobs]


def pesq(rate, clean, found, mode=None):
    return 1.0 + 1.0 / (1.0 + float(np.abs(clean - found).mean()))


for name, members in (("pesq", {"pesq": pesq}), ("joblib", {"Parallel": Parallel, "delayed": lambda function: lambda *arguments: lambda: function(*arguments)})):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)

import dataset
import train as module
from env import AttrDict
from probe import attempt, say


def load(path, sr):
    seed = int(path.split("/")[-1][:-4]) + 100 * ("noisy" in path)
    clean = np.sin(np.arange(600 + seed % 10) * (0.05 + 0.01 * (seed % 100)))
    made = clean + 0.3 * np.random.RandomState(seed).randn(len(clean))
    if "NOISE" in os.environ:  # phases of what is zero but for rounding decide about the loss
        made = made * (1 + 1e-6 * np.random.RandomState(int(os.environ["NOISE"]) + seed).randn(len(made)))
    return made.astype("float32")[:600], sr


class Board:
    def __init__(self, folder):
        pass

    def add_scalar(self, key, value, step):
        say(f"{key} {step}", value)


def run():
    dataset.librosa = types.SimpleNamespace(load=load)
    module.SummaryWriter = Board
    shutil.rmtree("made", ignore_errors=True)
    os.makedirs("made")
    for name, count in (("train", 6), ("test", 2)):
        with open(f"made/{name}.txt", "w") as file:
            file.write("\n".join(f"{i}|text" for i in range(count)))
    h = AttrDict(num_gpus=0, batch_size=2, learning_rate=0.0005, adam_b1=0.8, adam_b2=0.99, lr_decay=0.99, seed=1234, dense_channel=8, compress_factor=0.3, beta=2.0, sampling_rate=16000, segment_size=384, n_fft=48, hop_size=12, win_size=48, num_workers=0)
    a = argparse.Namespace(input_clean_wavs_dir="clean", input_noisy_wavs_dir="noisy", input_training_file="made/train.txt", input_validation_file="made/test.txt", checkpoint_path="made/kept", training_epochs=1, stdout_interval=1, checkpoint_interval=1, summary_interval=1, validation_interval=2, best_checkpoint_start_epoch=0)
    os.makedirs("made/kept")
    module.train(0, a, h)
    a.training_epochs = 2
    module.train(0, a, h)
    for prefix, part in (("g_", "generator"), ("do_", "discriminator")):
        kept = torch.load(module.scan_checkpoint("made/kept", prefix))
        np.savez(os.environ["OUT"] + f"-{part}.npz", **{f"{i:04d} {k}": v.numpy() for i, (k, v) in enumerate(kept[part].items())})
    say("kept", kept["steps"], kept["epoch"])


attempt("train", run)
