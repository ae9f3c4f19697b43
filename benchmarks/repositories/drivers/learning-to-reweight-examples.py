import torch
import torch.nn.functional as F
from model import LeNet, MetaLinear, MetaModule, to_var

from probe import array, say


def start(net):
    for k, (name, p) in enumerate(net.named_params(net)):
        p.data.copy_(array(k, *p.shape) * 0.1)
    return net


class Small(MetaModule):
    def __init__(self):
        super().__init__()
        self.one, self.two = MetaLinear(6, 5), MetaLinear(5, 1)

    def forward(self, x):
        return self.two(torch.tanh(self.one(x))).squeeze(1)


def plain():
    net = start(LeNet(n_out=1))
    optimizer = torch.optim.SGD(net.params(), lr=1e-2)
    for step in range(3):
        net.train()
        loss = F.binary_cross_entropy_with_logits(net(array(step, 4, 1, 32, 32)), (array(step, 4) > 0).float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say(f"plain {step}", loss.item())


def reweighted():
    net = start(Small())
    optimizer = torch.optim.SGD(net.params(), lr=1e-2)
    for step in range(3):
        x, y = array(step, 5, 6), (array(step + 8, 5) > 0).float()
        meta = Small()
        meta.load_state_dict(net.state_dict())
        cost = F.binary_cross_entropy_with_logits(meta(x), y, reduction="none")
        eps = to_var(torch.zeros(cost.size()))
        meta.zero_grad()
        grads = torch.autograd.grad(torch.sum(cost * eps), (meta.params()), create_graph=True)
        meta.update_params(1e-1, source_params=grads)
        outer = F.binary_cross_entropy_with_logits(meta(array(70, 4, 6)), (array(71, 4) > 0).float())
        weight = torch.clamp(-torch.autograd.grad(outer, eps, only_inputs=True)[0], min=0)
        weight = weight / weight.sum() if weight.sum() != 0 else weight
        loss = torch.sum(F.binary_cross_entropy_with_logits(net(x), y, reduction="none") * weight)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say(f"reweighted {step}", loss.item(), outer.item(), *weight)


plain()
reweighted()
