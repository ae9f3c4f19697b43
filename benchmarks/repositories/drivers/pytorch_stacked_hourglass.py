import torch
from models.posenet import PoseNet
from task.pose import Trainer
from utils.group import HeatmapParser
from utils.misc import make_input, make_output
import numpy as np
from probe import array, attempt, fill, keep, say


def heat():
    parser = HeatmapParser()
    for i in range(2):
        ans = parser.parse(torch.sigmoid(array(i, 1, 16, 16, 16)).numpy())
        say("parsed %d" % i, *np.float32(ans[0]).ravel()[:12])


def main():
    net = PoseNet(2, 32, 16, bn=False, increase=8)
    fill(net)
    trainer = Trainer(torch.nn.DataParallel(net), ["imgs"], net.calc_loss)
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, trainer.parameters()), 1e-3)
    for step in range(3):
        trainer = trainer.train()
        if step == 2:
            for module in trainer.modules():
                if isinstance(module, torch.nn.BatchNorm2d):
                    module.eval()
        imgs = make_input(array(step, 2, 64, 64, 3))
        maps = make_input(torch.sigmoid(array(step + 9, 2, 16, 16, 16)))
        result = trainer(imgs, heatmaps=maps)
        losses = {"combined_hm_loss": result[-1] * 1}
        loss = 0
        for i in losses:
            loss = loss + torch.mean(losses[i])
            say("%s %d" % (i, step), *make_output(losses[i]).ravel())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    keep("pose", net)
    trainer.eval()
    out = make_output(trainer(make_input(array(7, 1, 64, 64, 3))))
    say("eval", out.mean(), out.std())
    attempt("heat", heat)


main()
