"""One graph, gone back through twice, with an optimizer's step between; gradients for some inputs alone."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


class Smooth(Net):
    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


def main():
    encoder, head, critic = Smooth(6, 8, 4), Net(4, 5, 3), Net(4, 5, 1)
    for seed, net in enumerate((encoder, head, critic)):
        start(net, seed)
    opt_critic = torch.optim.SGD(critic.parameters(), lr=0.05, momentum=0.9)
    opt_main = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=0.01, weight_decay=0.1)
    for x, y in zip(arrays(8, 5, 6), arrays(8, 5, classes=3)):
        features = encoder(torch.from_numpy(x))
        logits = head(features)
        main_loss = F.cross_entropy(logits, torch.from_numpy(y))
        critic_loss = critic(features.detach()).pow(2).mean() + 0.0 * main_loss
        critic_loss.backward(retain_graph=True, inputs=list(critic.parameters()))
        opt_critic.step()
        opt_critic.zero_grad()
        x_gradient = torch.autograd.grad(main_loss, list(head.parameters()), retain_graph=True)
        main_loss.backward()
        opt_main.step()
        opt_main.zero_grad()
        record(main_loss, critic_loss, x_gradient[0].abs().sum(), x_gradient[1].norm())
    finish(encoder, head, critic)
