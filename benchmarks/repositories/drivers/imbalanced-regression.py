import sys
sys.argv = ["train.py", "--fds", "--evaluate", "--loss", "focal_l1", "--bucket_num", "12", "--print_freq", "1", "--store_name", "made"]
import numpy as np
import torch
import train as project
from fds import FDS
from loss import weighted_focal_mse_loss, weighted_huber_loss, weighted_l1_loss, weighted_mse_loss
from probe import array, attempt, fill, keep, say, whole
from resnet import Bottleneck, ResNet
from utils import adjust_learning_rate, get_lds_kernel_window

labels = np.array([3, 3, 4, 4, 5, 11, 11, 7], dtype=np.float32)


class Faces(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return array(index, 3, 224, 224), np.asarray([labels[index]]).astype("float32"), np.asarray([1.0 + index % 2]).astype("float32")


def statistics(kernel):
    fds = FDS(4, bucket_num=12, bucket_start=3, kernel=kernel)
    for epoch in range(3):
        features, targets = array(epoch, 20, 4), whole(epoch, 14, 20).float()
        fds.update_last_epoch_stats(epoch)
        fds.update_running_stats(features, targets, epoch)
        x = array(epoch + 9, 20, 4).requires_grad_()
        y = fds.smooth(x * 2.0, targets.unsqueeze(1), epoch)
        (y**2).sum().backward()
        say("%s %d" % (kernel, epoch), y.sum().item(), x.grad.abs().sum().item(), fds.running_var.sum().item(), fds.epoch.item())
    keep(kernel, fds)


def losses():
    for loss in (weighted_mse_loss, weighted_l1_loss, weighted_focal_mse_loss, weighted_huber_loss):
        x = array(1, 6, 1).requires_grad_()
        value = loss(x, array(2, 6, 1), torch.rand(1).fill_(0.5))
        value.backward()
        say(loss.__name__, value.item(), x.grad.sum().item(), loss(x, array(3, 6, 1)).item())


def training():
    model = ResNet(Bottleneck, [1, 1, 1, 1], True, 12, 3, 0, 1, "gaussian", 5, 2, 0.9)
    fill(model)
    model = torch.nn.DataParallel(model).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loader = torch.utils.data.DataLoader(Faces(), batch_size=4)
    for epoch in range(2):
        adjust_learning_rate(optimizer, epoch, project.args)
        say("train %d" % epoch, project.train(loader, model, optimizer, epoch))
    keep("fds", model.module.FDS)


attempt("gaussian", lambda: statistics("gaussian"))
attempt("laplace", lambda: statistics("laplace"))
attempt("triang", lambda: statistics("triang"))
attempt("losses", losses)
say("window", *get_lds_kernel_window("triang", 5, 2), *get_lds_kernel_window("gaussian", 5, 2))
attempt("training", training)
