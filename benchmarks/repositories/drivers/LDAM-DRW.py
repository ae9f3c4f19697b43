import io
from types import SimpleNamespace
import numpy as np
import torch
from cifar_train import FocalLoss, LDAMLoss, adjust_learning_rate, train, validate
from models import resnet_cifar
from probe import array, attempt, fill, keep, say, whole
from torch.utils.data import DataLoader, TensorDataset
from utils import ImbalancedDatasetSampler


class Writer:
    def add_scalar(self, name, value, epoch):
        say("%s %d" % (name, epoch), value)

    def add_scalars(self, name, values, epoch):
        say("%s %d" % (name, epoch), *values.values())


args = SimpleNamespace(gpu=0, print_freq=1, lr=0.1)
counts = [20, 10, 5, 4, 3, 2, 2, 1, 1, 1]


def run(name, use_norm, criterion):
    print(name)
    model = resnet_cifar.ResNet_s(resnet_cifar.BasicBlock, [1, 1, 1], use_norm=use_norm)
    fill(model)
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9, weight_decay=2e-4)
    data = TensorDataset(array(0, 12, 3, 16, 16), whole(1, 10, 12))
    for epoch in range(2):
        adjust_learning_rate(optimizer, epoch, args)
        train(DataLoader(data, batch_size=4), model, criterion, optimizer, epoch, args, io.StringIO(), Writer())
        say("%s %d" % (name, epoch), validate(DataLoader(data, batch_size=6), model, criterion, epoch, args, io.StringIO(), Writer()))
    keep(name, model)


beta = 0.9999
weights = (1.0 - beta) / np.array(1.0 - np.power(beta, counts))
weights = torch.FloatTensor(weights / np.sum(weights) * len(counts)).cuda(args.gpu)
attempt("ce", lambda: run("ce", False, torch.nn.CrossEntropyLoss(weight=None).cuda(args.gpu)))
attempt("ldam", lambda: run("ldam", True, LDAMLoss(cls_num_list=counts, max_m=0.5, s=30, weight=weights).cuda(args.gpu)))
attempt("focal", lambda: run("focal", False, FocalLoss(weight=weights, gamma=1).cuda(args.gpu)))
sampler = ImbalancedDatasetSampler(SimpleNamespace(targets=[0, 0, 0, 1, 1, 2], __len__=None), indices=list(range(6)))
say("sampler", sampler.weights.sum().item(), len(list(sampler)))
