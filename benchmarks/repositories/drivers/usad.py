import torch
from torch.utils.data import DataLoader, TensorDataset
from probe import array, attempt, fill, keep, say
from usad import UsadModel, evaluate, testing, training


def loader(seed, count):
    return DataLoader(TensorDataset(torch.sigmoid(array(seed, count, 24))), batch_size=8, shuffle=False)


def run(opt_func):
    model = UsadModel(24, 5)
    fill(model)
    history = training(3, model, loader(0, 24), loader(1, 16), opt_func=opt_func)
    for epoch, result in enumerate(history):
        say("%s epoch %d" % (opt_func.__name__, epoch), result["val_loss1"], result["val_loss2"])
    results = testing(model, loader(2, 20))
    say("%s scores" % opt_func.__name__, *torch.cat(results).numpy())
    say("%s evaluated" % opt_func.__name__, *evaluate(model, loader(2, 20), 2).values())
    keep(opt_func.__name__, model)


attempt("adam", lambda: run(torch.optim.Adam))
attempt("adamax", lambda: run(torch.optim.Adamax))
