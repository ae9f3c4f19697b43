import logging
import numpy as np
import torch
from model.pytorch.dcrnn_model import DCRNNModel
from model.pytorch.loss import masked_mae_loss
from lib import utils
from probe import array, attempt, fill, keep, say


def run(kind):
    adj = np.abs(np.random.RandomState(0).randn(6, 6)).astype("float32")
    adj[adj < 0.5] = 0
    model = DCRNNModel(adj, logging.getLogger("x"), max_diffusion_step=2, cl_decay_steps=10, filter_type=kind, num_nodes=6, num_rnn_layers=2, rnn_units=8, input_dim=2, seq_len=4, output_dim=1, horizon=3, use_curriculum_learning=False)
    scaler = utils.StandardScaler(mean=1.5, std=2.0)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, eps=1e-3)
    schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[1, 2], gamma=0.1)
    for step in range(4):
        model = model.train()
        optimizer.zero_grad()
        x = array(step, 4, 3, 12)
        y = array(step + 9, 3, 3, 6) + 2
        if step == 0:
            model(x, y, step)
            fill(model)
            optimizer = torch.optim.Adam(model.parameters(), lr=0.01, eps=1e-3)
        output = model(x, y, step)
        loss = masked_mae_loss(scaler.inverse_transform(output), scaler.inverse_transform(y))
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimizer.step()
        schedule.step()
        say("%s %d" % (kind, step), loss.item(), norm)
    model.eval()
    with torch.no_grad():
        say(kind + " eval", model(array(20, 4, 3, 12)).sum())
    for n, p in model.named_parameters():
        say(kind + " " + n.replace(" ", ""), p.abs().sum())


for kind in ("laplacian", "random_walk", "dual_random_walk"):
    attempt(kind, lambda: run(kind))
