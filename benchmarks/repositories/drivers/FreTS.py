import argparse
import numpy as np
import torch
import exp.exp_main as module
from probe import attempt, fill, keep, say


class Windows(torch.utils.data.Dataset):
    def __init__(self, seed, count):
        rng = np.random.RandomState(seed)
        self.series = np.sin(np.arange(count + 18)[:, None] * np.array([0.3, 0.5, 0.11])) + 0.1 * rng.randn(count + 18, 3)
        self.stamps = rng.rand(count + 18, 4)
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        return self.series[i : i + 12], self.series[i + 8 : i + 18], self.stamps[i : i + 12], self.stamps[i + 8 : i + 18]

    def inverse_transform(self, data):
        return data


def provider(args, flag):
    made = Windows({"train": 1, "val": 2, "test": 3}[flag], 12 if flag == "train" else 8)
    return made, torch.utils.data.DataLoader(made, batch_size=4, shuffle=False, drop_last=True)


def run(model, **options):
    args = argparse.Namespace(model=model, use_gpu=False, use_multi_gpu=False, seq_len=12, label_len=4, pred_len=6, enc_in=3, channel_independence="1", individual=False, features="M", learning_rate=1e-3, train_only=False, checkpoints="./made/", patience=2, train_epochs=3, use_amp=False, output_attention=False, lradj="type1", test_flop=False, data="made")
    vars(args).update(options)
    module.data_provider = provider
    experiment = module.Exp_Main(args)
    fill(experiment.model, 2)
    say(model, *(value.item() for value in next(experiment.model.parameters()).flatten()[:2]))
    setting = model + str(args.individual) + args.features
    experiment.train(setting)
    experiment.test(setting)
    found = np.load(f"./results/{setting}/pred.npy")
    say(setting, *found.shape, *found.flatten()[:4], np.abs(found).sum())
    keep(setting, experiment.model)


attempt("frequencies", lambda: run("FreLinear"))
attempt("apart", lambda: run("FreLinear", channel_independence="0", features="MS"))
attempt("dlinear", lambda: run("DLinear"))
attempt("individual", lambda: run("DLinear", individual=True, lradj="type2"))
attempt("nlinear", lambda: run("NLinear", features="MS"))
