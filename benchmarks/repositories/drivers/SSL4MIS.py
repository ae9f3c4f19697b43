import torch
from torch.nn.modules.loss import CrossEntropyLoss
from networks.unet import UNet, UNet_URPC
from networks.vnet import VNet
from utils import losses, ramps
from probe import array, fill, fit, keep, quiet, say, whole


def network():
    model = UNet(1, 4)
    fill(model)
    quiet(model)
    return model


def mean_teacher():
    student, teacher = network(), network()
    for p in teacher.parameters():
        p.detach_()
    student.train()
    optimizer = torch.optim.SGD(student.parameters(), lr=0.01, momentum=0.9, weight_decay=0.0001)
    cross, dice = CrossEntropyLoss(), losses.DiceLoss(4)
    for step in range(4):
        pictures, labels = array(step, 4, 1, 32, 32), whole(step, 4, 4, 32, 32)[:2]
        logits = student(pictures)
        soft = torch.softmax(logits, dim=1)
        with torch.no_grad():
            told = torch.softmax(teacher(pictures[2:] + 0.1 * array(step + 9, 2, 1, 32, 32)), dim=1)
        parts = cross(logits[:2], labels.long()), dice(soft[:2], labels.unsqueeze(1)), torch.mean((soft[2:] - told) ** 2)
        loss = 0.5 * (parts[0] + parts[1]) + 0.1 * ramps.sigmoid_rampup(step, 40.0) * parts[2]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        kept = min(1 - 1 / (step + 1), 0.99)
        for old, new in zip(teacher.parameters(), student.parameters()):
            old.data.mul_(kept).add_(new.data, alpha=1 - kept)
        for group in optimizer.param_groups:
            group["lr"] = 0.01 * (1.0 - step / 30) ** 0.9
        say("mt %d" % step, loss.item(), *[p.item() for p in parts])
    keep("mt", student)
    keep("mt-ema", teacher)


def others():
    net = VNet(n_channels=1, n_classes=2, n_filters=4, normalization='batchnorm', has_dropout=False)
    fill(net)

    def loss_of(step):
        out = net(array(step, 2, 1, 16, 16, 16))
        soft = torch.softmax(out, 1)
        y = whole(step, 2, 2, 16, 16, 16)
        return losses.entropy_loss(soft, C=2) + losses.dice_loss1(soft[:, 1], (y == 1)) + losses.softmax_mse_loss(out, out.detach() * 0.9).mean() + losses.FocalLoss(gamma=2)(out, y)
    fit("vnet", net, loss_of, torch.optim.Adam(net.parameters(), lr=1e-3), 3)
    net.eval()
    say("vnet eval", net(array(5, 1, 1, 16, 16, 16)).sum())


mean_teacher()
others()
