import json
import pickle
import sys
import tempfile
import types
import numpy as np
import torch
import yaml

yaml.dump = lambda data, file: None
import solver as module
import utils
from probe import attempt, array, fill, keep, quiet, say

folder = tempfile.mkdtemp()
rng = np.random.RandomState(1)
with open(folder + "/train.pkl", "wb") as file:
    pickle.dump({f"u{i}": rng.randn(40, 12).astype("float32") for i in range(4)}, file)
with open(folder + "/index.json", "w") as file:
    json.dump([[f"u{i % 4}", 2 * i] for i in range(6)], file)


class Board:
    def __init__(self, folder):
        pass

    def add_scalars(self, tag, values, step):
        say(f"{tag} {step}", *values.values())


utils.SummaryWriter = Board


def run(name, sn, act):
    common = {"kernel_size": 5, "act": act, "dropout_rate": 0, "n_conv_blocks": 2}
    config = {"SpeakerEncoder": {"c_in": 12, "c_h": 8, "c_out": 8, "bank_size": 4, "bank_scale": 1, "c_bank": 4, "n_dense_blocks": 2, "subsample": [1, 2], **common}, "ContentEncoder": {"c_in": 12, "c_h": 8, "c_out": 8, "bank_size": 4, "bank_scale": 2, "c_bank": 4, "subsample": [1, 2], **common}, "Decoder": {"c_in": 8, "c_cond": 8, "c_h": 8, "c_out": 12, "upsample": [2, 1], "sn": sn, **common}, "data_loader": {"segment_size": 16, "frame_size": 1, "batch_size": 3, "shuffle": False}, "optimizer": {"lr": 1e-3, "beta1": 0.9, "beta2": 0.999, "amsgrad": True, "weight_decay": 1e-4, "grad_norm": 5}, "lambda": {"lambda_rec": 10, "lambda_kl": 1}, "annealing_iters": 3}
    args = types.SimpleNamespace(logdir=folder, data_dir=folder, train_set="train", train_index_file="index.json", store_model_path=f"{folder}/{name}", load_model_path=f"{folder}/{name}", load_model=False, summary_steps=1, save_steps=2, tag=name)
    learner = module.Solver(config, args)
    if not sn:
        fill(learner.model, 2)
    learner.train(4)
    args.load_model = True
    again = module.Solver(config, args)
    again.train(2)
    keep(name, again.model)
    again.model.eval()
    with torch.no_grad():
        say(name + " spoken", again.model.inference(array(7, 1, 12, 16), array(8, 1, 12, 20)).abs().sum())


attempt("plain", lambda: run("plain", False, "relu"))
attempt("leaky", lambda: run("leaky", False, "lrelu"))
