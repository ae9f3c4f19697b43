import torch
import torch.nn as nn
from metric.iou import IoU
from models.enet import ENet
from probe import array, attempt, fill, keep, quiet, say, whole
from test import Test
from torch.utils.data import DataLoader, TensorDataset
from train import Train


def run(name, **options):
    model = ENet(5, **options)
    fill(model)
    quiet(model)
    data = TensorDataset(array(0, 4, 3, 64, 64), whole(1, 5, 4, 64, 64))
    loader = DataLoader(data, batch_size=2)
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([0.0, 1.0, 2.0, 1.5, 0.5]))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-4, weight_decay=2e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.1)
    metric = IoU(5, ignore_index=0)
    train = Train(model, loader, optimizer, criterion, metric, torch.device("cpu"))
    test = Test(model, loader, criterion, metric, torch.device("cpu"))
    for epoch in range(2):
        loss, (iou, miou) = train.run_epoch(iteration_loss=True)
        scheduler.step()
        say("%s %d" % (name, epoch), loss, miou, *iou)
    loss, (iou, miou) = test.run_epoch()
    say(name + " test", loss, miou)
    keep(name, model)


attempt("enet", lambda: run("enet"))
attempt("relu", lambda: run("relu", encoder_relu=True, decoder_relu=False))
