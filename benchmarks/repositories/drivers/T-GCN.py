import argparse
import numpy as np
import torch
from models.gcn import GCN
from models.gru import GRU
from models.tgcn import TGCN
from utils.losses import mse_with_regularizer_loss
from utils.metrics import accuracy, explained_variance, r2
from probe import array, attempt, fill, keep, say


class Task(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.regressor = torch.nn.Linear(model.hyperparameters.get("hidden_dim") or model.hyperparameters.get("output_dim"), 3)

    def forward(self, x):
        batch_size, _, num_nodes = x.size()
        hidden = self.model(x)
        hidden = hidden.reshape((-1, hidden.size(2)))
        return self.regressor(hidden).reshape((batch_size, num_nodes, -1))


def run(name, make):
    net = Task(make())
    fill(net)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1.5e-3)
    for step in range(3):
        x, y = array(step, 4, 12, 7), array(step + 5, 4, 3, 7)
        predictions = net(x).transpose(1, 2).reshape((-1, 7))
        loss = mse_with_regularizer_loss(predictions, y.reshape((-1, 7)), net)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), accuracy(predictions, y.reshape((-1, 7))), r2(predictions, y.reshape((-1, 7))), explained_variance(predictions, y.reshape((-1, 7))))
    keep(name, net)


def main():
    adj = (np.random.RandomState(0).rand(7, 7) > 0.5).astype("float32")
    parser = TGCN.add_model_specific_arguments(argparse.ArgumentParser())
    say("parsed", parser.parse_args(["--hidden_dim", "8"]).hidden_dim)
    attempt("gcn", lambda: run("gcn", lambda: GCN(adj, 12, 8)))
    attempt("gru", lambda: run("gru", lambda: GRU(7, 8)))
    attempt("tgcn", lambda: run("tgcn", lambda: TGCN(adj, 8)))


main()
