import torch
import torch.nn as nn
from models import MLP, ConvNet
from probe import array, attempt, fill, keep, say, whole
from pruning.methods import filter_prune, weight_prune
from pruning.utils import prune_rate, test, train
from torch.utils.data import DataLoader, TensorDataset

param = {"num_epochs": 2, "learning_rate": 1e-3, "weight_decay": 5e-4}


def run(name, net, prune, percent):
    fill(net)
    data = TensorDataset(array(0, 24, 1, 28, 28), whole(1, 10, 24))
    loader = DataLoader(data, batch_size=8)
    say(name + " before", test(net, loader))
    masks = prune(net, percent)
    net.set_masks(masks)
    say(name + " pruned", test(net, loader), prune_rate(net))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.RMSprop(net.parameters(), lr=param["learning_rate"], weight_decay=param["weight_decay"])
    train(net, criterion, optimizer, param, loader)
    say(name + " trained", test(net, loader), prune_rate(net))
    torch.save(net.state_dict(), name + ".pkl")
    keep(name, net)


attempt("mlp", lambda: run("mlp", MLP(), weight_prune, 90.0))
attempt("conv", lambda: run("conv", ConvNet(), filter_prune, 20.0))
