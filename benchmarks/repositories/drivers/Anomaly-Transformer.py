import os
import torch
import torch.nn as nn
import solver as solver_module
from probe import array, fill, keep, quiet, say


def loader(data_path, batch_size, win_size=100, step=100, mode='train', dataset='KDD'):
    return [(array(i, batch_size, win_size, 3), torch.zeros(batch_size, win_size)) for i in range(2)]


def main():
    solver_module.get_loader_segment = loader
    config = dict(lr=1e-3, num_epochs=2, k=3, win_size=20, input_c=3, output_c=3, batch_size=2, pretrained_model=None, dataset='X', mode='train', data_path='.', model_save_path='ckpt', anormly_ratio=4.0)
    solver = solver_module.Solver(config)
    fill(solver.model)
    quiet(solver.model)
    solver.train()
    say("vali", *solver.vali(solver.vali_loader))
    keep("anomaly", solver.model)
    solver.test()


main()
