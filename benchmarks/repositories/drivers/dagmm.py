import os
import numpy as np
import torch
from torch.utils.data import DataLoader
from data_loader import KDD99Loader
from solver import Solver
from probe import attempt, fill, keep, quiet, say


def main():
    rng = np.random.RandomState(0)
    np.savez("kdd.npz", kdd=np.concatenate([rng.rand(80, 118), rng.randint(0, 2, (80, 1))], axis=1))
    np.random.seed(0)
    os.makedirs("saved", exist_ok=True)
    loader = DataLoader(KDD99Loader("kdd.npz", "train"), batch_size=8, shuffle=False)
    config = dict(gmm_k=2, lr=1e-3, num_epochs=2, lambda_energy=0.1, lambda_cov_diag=0.005, use_tensorboard=False, pretrained_model=None, log_step=1, model_save_step=2, model_save_path="saved", mode="train")
    solver = Solver(loader, config)
    fill(solver.dagmm)
    quiet(solver.dagmm)
    solver.train()
    for key in sorted(solver.loss_logs):
        say(key, *solver.loss_logs[key])
    other = Solver(loader, dict(config, pretrained_model="2_2"))
    say("loaded", other.dagmm.phi.sum(), other.dagmm.mu.abs().sum(), other.dagmm.cov.abs().sum())
    other.dagmm.eval()
    energies = []
    for data, labels in loader:
        enc, dec, z, gamma = other.dagmm(other.to_var(data))
        energy, diag = other.dagmm.compute_energy(z, size_average=False)
        energies.append(energy.data.cpu().numpy())
    energies = np.concatenate(energies, axis=0)
    say("energies", energies.mean(), energies.max(), np.percentile(energies, 80))
    keep("dagmm", solver.dagmm)


attempt("dagmm", main)
