import copy
import torch
from src.models.modnet import MODNet
from src.trainer import soc_adaptation_iter, supervised_training_iter
from probe import array, attempt, fill, keep, say


def main():
    net = MODNet(backbone_pretrained=False)
    fill(net)
    modnet = torch.nn.DataParallel(net)
    optimizer = torch.optim.SGD(modnet.parameters(), lr=0.01, momentum=0.9)
    for step in range(3):
        image, matte = array(step, 2, 3, 64, 64), torch.sigmoid(array(step + 5, 2, 1, 64, 64))
        trimap = (matte > 0.4).float() * 0.5 + (matte > 0.7).float() * 0.5
        losses = supervised_training_iter(modnet, optimizer, image, trimap, matte)
        say("supervised %d" % step, *[l.item() for l in losses])
    keep("supervised", net)

    def adapt():
        backup = copy.deepcopy(modnet)
        optimizer = torch.optim.Adam(modnet.parameters(), lr=1e-4, betas=(0.9, 0.99))
        for step in range(2):
            losses = soc_adaptation_iter(modnet, backup, optimizer, array(step + 30, 1, 3, 64, 64))
            say("adapted %d" % step, *[l.item() for l in losses])
        keep("adapted", net)
    attempt("adapt", adapt)
    modnet.eval()
    with torch.no_grad():
        _, _, matte = modnet(array(8, 1, 3, 64, 64), True)
    say("eval", matte.mean(), matte.std())


main()
