from types import SimpleNamespace

import main as program
import numpy as np
import torch
import torch.nn as nn
from model import models
from script import earlystopping, opt, utility

from probe import array, fill, keep, quiet, say


def run(kind, act, choice):
    r = np.random.RandomState(0)
    adj = r.rand(6, 6)
    adj = (adj + adj.T) * (adj + adj.T > 0.9)
    gso = utility.calc_gso(adj, "sym_norm_lap" if kind == "cheb_graph_conv" else "sym_renorm_adj")
    if kind == "cheb_graph_conv":
        gso = utility.calc_chebynet_gso(gso)
    gso = torch.from_numpy(np.asarray(gso.toarray() if hasattr(gso, "toarray") else gso, dtype=np.float32))
    args = SimpleNamespace(Kt=3, Ks=3 if kind == "cheb_graph_conv" else 1, act_func=act, graph_conv_type=kind, gso=gso, enable_bias=True, droprate=0.0, n_his=12, epochs=2)
    blocks = [[1], [8, 4, 8], [8, 4, 8], [12, 12], [1]]
    model = (models.STGCNChebGraphConv if kind == "cheb_graph_conv" else models.STGCNGraphConv)(args, blocks, 6)
    fill(model)
    quiet(model)
    optimizer = opt.Lion(model.parameters(), lr=1e-3, weight_decay=1e-3) if choice == "lion" else torch.optim.NAdam(model.parameters(), lr=1e-3, weight_decay=1e-3, decoupled_weight_decay=True)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.95)
    loss = program.loss = nn.MSELoss()
    es = earlystopping.EarlyStopping(delta=0.0, patience=2, verbose=True, path=f"{kind}.pt")
    batches = [[(array(i + k, 3, 1, 12, 6), array(i + k + 20, 3, 6)) for k in range(2)] for i in (0, 50)]
    program.train(args, model, loss, optimizer, scheduler, es, *batches)
    say(f"{kind} {choice}", es.val_loss_min, es.counter, optimizer.param_groups[0]["lr"], program.val(model, batches[1]))
    scaler = SimpleNamespace(inverse_transform=lambda v: v * 2 + 1)
    say(f"{kind} metric", utility.evaluate_model(model, loss, batches[1]), *utility.evaluate_metric(model, batches[1], scaler))
    keep(kind, model)


run("cheb_graph_conv", "glu", "lion")
run("graph_conv", "gtu", "nadamw")
