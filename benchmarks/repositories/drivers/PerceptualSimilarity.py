"""The distances of its own heads over torchvision's networks, and an image that is moved towards another by them (its lpips_loss.py)."""
import lpips
import torch
from probe import array, attempt, fill, say


def nearer(name):
    loss_fn = lpips.LPIPS(net=name, pnet_rand=True, verbose=False)
    fill(loss_fn.net)
    reference = array(1, 2, 3, 64, 64).clamp(-1, 1)
    predicted = torch.nn.Parameter(array(2, 2, 3, 64, 64).clamp(-1, 1))
    say(name + " distances", *loss_fn(reference, predicted).flatten())
    optimizer = torch.optim.Adam([predicted], lr=1e-2, betas=(0.9, 0.999))
    for step in range(3):
        distance = loss_fn.forward(predicted, reference).mean()
        optimizer.zero_grad()
        distance.backward()
        say(f"{name} gradient {step}", predicted.grad.std(), *predicted.grad[0, 1, 5:7, 6])
        optimizer.step()
        predicted.data.clamp_(-1, 1)
        say(f"{name} step {step}", distance, *predicted[0, 1, 5:7, 6])


for net in ("alex", "squeeze", "vgg"):
    attempt(net, lambda: nearer(net))
