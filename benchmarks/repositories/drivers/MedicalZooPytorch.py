import torch
from lib.losses3D import create_loss
from lib.losses3D.dice import DiceLoss
from lib.medzoo.HighResNet3D import HighResNet3D
from lib.medzoo.Unet3D import UNet3D
from lib.medzoo.Vnet import VNetLight
from probe import array, attempt, fill, keep, quiet, say, whole


def run(name, make, size=32):
    net = make()
    fill(net)
    quiet(net)
    criterion = DiceLoss(classes=3)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.5, weight_decay=1e-10)
    for step in range(2):
        net.train()
        optimizer.zero_grad()
        output = net(array(step, 1, 2, size, size, size))
        output = output[0] if isinstance(output, tuple) else output
        loss, per_class = criterion(output, whole(step, 3, 1, size, size, size))
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), *per_class)
    keep(name, net)
    net.eval()
    with torch.no_grad():
        say(name + " eval", net(array(7, 1, 2, size, size, size)).std())


def losses():
    for kind in ("CrossEntropyLoss", "WeightedCrossEntropyLoss", "GeneralizedDiceLoss", "BCEWithLogitsLoss"):
        def one():
            x = array(1, 2, 3, 4, 4, 4).requires_grad_()
            criterion = create_loss(kind, weight=None)
            target = whole(1, 3, 2, 4, 4, 4)
            if kind in ("BCEWithLogitsLoss", "GeneralizedDiceLoss"):
                target = (array(2, 2, 3, 4, 4, 4) > 0).float()
            value = criterion(x, target)
            value = value[0] if isinstance(value, tuple) else value
            value.backward()
            say(kind, value.item(), x.grad.abs().sum())
        attempt(kind, one)


attempt("unet", lambda: run("unet", lambda: UNet3D(in_channels=2, n_classes=3, base_n_filter=4)))
attempt("vnet", lambda: run("vnet", lambda: VNetLight(in_channels=2, elu=False, classes=3)))
attempt("highres", lambda: run("highres", lambda: HighResNet3D(in_channels=2, classes=3), 16))
losses()
