import os
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
from mtad_gat import MTAD_GAT
from training import Trainer
from probe import array, attempt, fill, keep, quiet, say


class Windows(Dataset):
    def __init__(self, seed, count, window):
        self.data, self.window = torch.sigmoid(array(seed, count, 4)), window

    def __getitem__(self, index):
        return self.data[index : index + self.window], self.data[index + self.window : index + self.window + 1]

    def __len__(self):
        return len(self.data) - self.window


def run(name, target, gatv2, layers):
    out = 4 if target is None else len(target)
    model = MTAD_GAT(4, 8, out, kernel_size=3, use_gatv2=gatv2, gru_n_layers=layers, gru_hid_dim=7, forecast_n_layers=2, forecast_hid_dim=6, recon_n_layers=layers, recon_hid_dim=5, dropout=0.0)
    fill(model)
    quiet(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    trainer = Trainer(model, optimizer, 8, 4, target, 2, 6, 1e-3, nn.MSELoss(), nn.MSELoss(), False, os.environ["OUT"] + "-" + name, "logs", 1, False, "")
    trainer.fit(DataLoader(Windows(0, 26, 8), batch_size=6), DataLoader(Windows(1, 16, 8), batch_size=4))
    for key, values in trainer.losses.items():
        say(name + " " + key, *values)
    keep(name, model)
    other = MTAD_GAT(4, 8, out, kernel_size=3, use_gatv2=gatv2, gru_n_layers=layers, gru_hid_dim=7, forecast_n_layers=2, forecast_hid_dim=6, recon_n_layers=layers, recon_hid_dim=5, dropout=0.0)
    trainer.model = other
    trainer.load(os.environ["OUT"] + "-" + name + "/model.pt")
    say(name + " loaded", *trainer.evaluate(DataLoader(Windows(2, 20, 8), batch_size=5)))


attempt("all", lambda: run("all", None, True, 1))
attempt("gat", lambda: run("gat", None, False, 2))
attempt("one", lambda: run("one", [1], True, 1))
