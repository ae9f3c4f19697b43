import types
import numpy as np
import torch
import train
from data import TrainData
from model import DeepGMR
from torch.utils.data import DataLoader
from probe import array, attempt, fill, keep, say


class Writer:
    def add_scalar(self, name, value, step):
        say(f"{key} {name} {step}", value)

    def add_figure(self, name, figure, step):
        pass


def run(name, **options):
    global key
    key = name
    args = types.SimpleNamespace(max_angle=60, max_trans=0.5, n_points=24, clean=False, d_model=16, n_clusters=4, use_rri=False, use_tnet=False, k=5, **{})
    for option, value in options.items():
        setattr(args, option, value)
    np.random.seed(6)
    data = TrainData.__new__(TrainData)
    data.points = np.random.RandomState(1).randn(8, 30, 3) * 0.4
    data.n_points, data.max_angle, data.max_trans, data.noisy, data.use_rri, data.k = args.n_points, args.max_angle / 180 * np.pi, args.max_trans, True, args.use_rri, args.k
    from data import get_rri
    data.get_rri = get_rri
    model = DeepGMR(args)
    fill(model)
    train.optimizer = torch.optim.Adam(model.parameters(), 1e-4, eps=1e-3)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(train.optimizer, factor=0.5, min_lr=1e-6)
    loader = DataLoader(data, 4, drop_last=True, shuffle=False)
    for epoch in range(2):
        train.train_one_epoch(epoch, model, loader, Writer(), 1, 10 ** 6)
        loss = train.eval_one_epoch(epoch, model, loader, Writer(), epoch, 10 ** 6)
        scheduler.step(loss)
    say(key + " errors", *model.regis_err(model.T_gt), *model.regis_err(model.T_gt, reverse=True))
    keep(key, model)


attempt("plain", lambda: run("plain"))
attempt("tnet", lambda: run("tnet", use_tnet=True))
attempt("rri", lambda: run("rri", use_rri=True))
