import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "model"))
import torch
import svhn2mnist
import syn2gtrsb
import usps
from solver import Solver
from probe import array, attempt, fill, keep, quiet, say, whole


def run(name, module, size, channels, batch, classes):
    solver = object.__new__(Solver)
    solver.batch_size, solver.num_k, solver.interval = batch, 2, 1
    solver.use_abs_diff, solver.save_epoch, solver.checkpoint_dir, solver.source, solver.target = False, 10, ".", name, name
    solver.G, solver.C1, solver.C2 = module.Feature(), module.Predictor(), module.Predictor()
    for i, net in enumerate((solver.G, solver.C1, solver.C2)):
        fill(net, i)
        quiet(net)
        net.prob = 0.0
    solver.set_optimizer(which_opt="momentum", lr=0.002)
    data = [{"T": array(i, batch, channels, size, size), "S": array(i + 5, batch, channels, size, size), "S_label": whole(i, classes, batch), "T_label": whole(i + 5, classes, batch)} for i in range(2)]
    solver.datasets, solver.dataset_test = data, data
    solver.train(0, record_file=name + ".train")
    solver.train_onestep(1, record_file=name + ".train")
    solver.test(0, record_file=name + ".test")
    for path in (name + ".train", name + ".test"):
        for i, line in enumerate(open(path)):
            say("%s %d" % (path, i), *line.replace("tensor(", "").replace(")", "").split())
        os.remove(path)
    keep(name + "G", solver.G)
    keep(name + "C", solver.C1)


attempt("usps", lambda: run("usps", usps, 28, 1, 8, 10))
attempt("syn", lambda: run("syn", syn2gtrsb, 40, 3, 4, 43))
