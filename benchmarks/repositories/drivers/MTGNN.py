import numpy as np
import torch
from net import gtnet
from trainer import Optim, Trainer
from util import StandardScaler

from probe import array, fill, keep, say


def model(build, static, layers=2):
    static = array(5, 6, 5) if static else None
    net = gtnet(True, build, 2, 6, "cpu", predefined_A=torch.softmax(array(1, 6, 6), 1), static_feat=static, dropout=0.0, subgraph_size=3, node_dim=4, dilation_exponential=2,
                conv_channels=4, residual_channels=4, skip_channels=6, end_channels=8, seq_length=8, in_dim=2, out_dim=4, layers=layers, propalpha=0.05, tanhalpha=3)
    fill(net)
    return net


def main():
    for build, static in ((False, False), (True, False), (True, True)):
        engine = Trainer(model(build, static), 1e-2, 1e-4, 5, 2, 4, StandardScaler(0.3, 1.7), "cpu", True)
        for i in range(4):
            real = array(i + 40, 3, 6, 4)
            real[0, 1] = 0
            ids = torch.from_numpy(np.arange(6)) if i % 2 else None
            say(f"train {build} {static} {i}", *engine.train(array(i, 3, 2, 6, 8), real, ids), engine.task_level)
        say(f"eval {build} {static}", *engine.eval(array(9, 3, 2, 6, 8), array(49, 3, 6, 4)))
        keep(f"mtgnn{build:d}{static:d}", engine.model)
    net = model(True, False)
    optimizer = Optim(list(net.parameters()), "adagrad", 1e-2, 1.0, lr_decay=0.9)
    for i in range(2):
        net.zero_grad()
        loss = torch.nn.L1Loss(reduction="sum")(net(array(i, 2, 2, 6, 8)), array(i + 3, 2, 4, 6, 1))
        loss.backward()
        optimizer.step()
        say(f"single {i}", loss.item())
    optimizer.updateLearningRate(1.0, 1)
    keep("single", net)


main()
