"""A step against the gradient of the input."""

import torch
import torch.nn.functional as F
from nets import Net
from shared import arrays, finish, record, start


def attack(model, image, label, epsilon):
    image = image.clone().detach()
    image.requires_grad = True
    output = model(image)
    loss = F.nll_loss(F.log_softmax(output, dim=1), label)
    model.zero_grad()
    loss.backward()
    data_grad = image.grad.data
    return image.detach() + epsilon * data_grad.sign(), data_grad


def main():
    model = Net()
    start(model)
    for x, y in zip(arrays(6, 5, 6), arrays(6, 5, classes=3)):
        adversarial, grad = attack(model, torch.from_numpy(x), torch.from_numpy(y), 0.1)
        record(adversarial.sum(), grad.abs().sum())
    finish(model)
