"""A gradient penalty: the gradient of a gradient."""

import torch
from nets import Net
from shared import arrays, finish, record, start


def gradient_penalty(critic, real, fake, alpha):
    interpolates = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    scores = critic(interpolates)
    gradients = torch.autograd.grad(
        outputs=scores, inputs=interpolates, grad_outputs=torch.ones_like(scores), create_graph=True, retain_graph=True, only_inputs=True
    )[0]
    gradients = gradients.view(gradients.size(0), -1)
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean()


def main():
    critic, generator = Net(6, 8, 1), Net(4, 8, 6)
    start(critic)
    start(generator, 1)
    opt_c = torch.optim.Adam(critic.parameters(), lr=0.01, betas=(0.0, 0.9))
    opt_g = torch.optim.Adam(generator.parameters(), lr=0.01, betas=(0.0, 0.9))
    alphas = [abs(a) for a in arrays(8, 5, 1, seed=5)]
    for i, (real, noise, alpha) in enumerate(zip(arrays(8, 5, 6), arrays(8, 5, 4, seed=2), alphas)):
        real, noise, alpha = torch.from_numpy(real), torch.from_numpy(noise), torch.from_numpy(alpha)
        opt_c.zero_grad()
        fake = generator(noise).detach()
        gp = gradient_penalty(critic, real, fake, alpha)
        loss_c = -critic(real).mean() + critic(fake).mean() + 10.0 * gp
        loss_c.backward()
        opt_c.step()
        record(loss_c, gp)
        if i % 2 == 1:
            opt_g.zero_grad()
            loss_g = -critic(generator(noise)).mean()
            loss_g.backward()
            opt_g.step()
            record(loss_g)
    finish(critic, generator)
