import types
import numpy as np
import torch
from cross_exp import exp_crossformer as module
from utils.tools import StandardScaler
from probe import attempt, fill, keep, say


class Series:
    def __init__(self, root_path, data_path, flag, size, data_split, scale=True, scale_statistic=None):
        rows = np.cumsum(np.random.RandomState(len(flag)).randn(26, 5), 0)
        self.scaler = StandardScaler(**scale_statistic) if scale_statistic else StandardScaler()
        if not scale_statistic:
            self.scaler.fit(np.cumsum(np.random.RandomState(9).randn(40, 5), 0))
        self.rows, self.size = self.scaler.transform(rows), size

    def __len__(self):
        return len(self.rows) - sum(self.size) + 1

    def __getitem__(self, i):
        at = i + self.size[0]
        return self.rows[i:at], self.rows[at:at + self.size[1]]

    def inverse_transform(self, data):
        return self.scaler.inverse_transform(data)


module.Dataset_MTS = Series


def run(name, baseline, in_len, factor, lradj):
    args = types.SimpleNamespace(use_gpu=False, use_multi_gpu=False, data_dim=5, in_len=in_len, out_len=5, seg_len=4, win_size=2, factor=factor, d_model=8, d_ff=12, n_heads=2, e_layers=2, dropout=0.0, baseline=baseline, root_path="", data_path="", data_split=[0.7, 0.1, 0.2], batch_size=4, num_workers=0, learning_rate=1e-3, checkpoints="made", patience=3, train_epochs=2, lradj=lradj)
    exp = module.Exp_crossformer(args)
    fill(exp.model, 4)
    exp.train(name)
    keep(name, exp.model)
    exp.test(name, save_pred=True, inverse=True)
    say(name, *np.load(f"results/{name}/metrics.npy"), np.abs(np.load(f"results/{name}/pred.npy")).sum())
    args.scale_statistic = {"mean": np.full(5, 0.5), "std": np.full(5, 2.0)}
    say(name + " again", *exp.eval(name))


attempt("base", lambda: run("base", True, 14, 3, "type1"))
attempt("plain", lambda: run("plain", False, 12, 2, "type2"))
