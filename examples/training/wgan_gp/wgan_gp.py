"""WGAN with gradient penalty on two-dimensional points; the critic is trained several times per generator step."""

import argparse

import numpy as np
import torch
import torch.autograd as autograd
import torch.nn as nn


class Generator(nn.Module):
    def __init__(self, latent_dim, hidden=32):
        super().__init__()

        def block(in_feat, out_feat, normalize=True):
            layers = [nn.Linear(in_feat, out_feat)]
            if normalize:
                layers.append(nn.LayerNorm(out_feat))
            layers.append(nn.LeakyReLU(0.2, inplace=True))
            return layers

        self.model = nn.Sequential(
            *block(latent_dim, hidden, normalize=False),
            *block(hidden, hidden),
            nn.Linear(hidden, 2),
        )

    def forward(self, z):
        return self.model(z)


class Critic(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.model = nn.Sequential(
            nn.Linear(2, hidden),
            nn.LeakyReLU(0.2),
            nn.Linear(hidden, hidden),
            nn.Tanh(),
            nn.Linear(hidden, 1),
        )

    def forward(self, points):
        return self.model(points)


def sample_real(rng, batch_size):
    centers = np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 8, endpoint=False)])
    points = centers[rng.integers(0, 8, batch_size)] * 2 + rng.normal(0, 0.05, (batch_size, 2))
    return torch.tensor(points, dtype=torch.float32)


def compute_gradient_penalty(D, real_samples, fake_samples, alpha):
    """Calculates the gradient penalty loss for WGAN GP"""
    interpolates = (alpha * real_samples + ((1 - alpha) * fake_samples)).requires_grad_(True)
    d_interpolates = D(interpolates)
    fake = torch.ones(real_samples.shape[0], 1, device=real_samples.device)
    gradients = autograd.grad(
        outputs=d_interpolates,
        inputs=interpolates,
        grad_outputs=fake,
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    gradients = gradients.view(gradients.size(0), -1)
    gradient_penalty = ((gradients.norm(2, dim=1) - 1) ** 2).mean()
    return gradient_penalty


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=120)
    parser.add_argument("--batch_size", type=int, default=64)
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--b1", type=float, default=0.5)
    parser.add_argument("--b2", type=float, default=0.9)
    parser.add_argument("--latent_dim", type=int, default=8)
    parser.add_argument("--n_critic", type=int, default=5)
    opt = parser.parse_args()

    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    lambda_gp = 10
    generator = Generator(opt.latent_dim).to(device)
    discriminator = Critic().to(device)
    optimizer_G = torch.optim.Adam(generator.parameters(), lr=opt.lr, betas=(opt.b1, opt.b2))
    optimizer_D = torch.optim.Adam(discriminator.parameters(), lr=opt.lr, betas=(opt.b1, opt.b2))

    for i in range(opt.iterations):
        real = sample_real(rng, opt.batch_size).to(device)
        z = torch.tensor(rng.normal(0, 1, (opt.batch_size, opt.latent_dim)), dtype=torch.float32, device=device)

        optimizer_D.zero_grad()
        fake = generator(z)
        real_validity = discriminator(real)
        fake_validity = discriminator(fake.detach())
        alpha = torch.from_numpy(rng.random((opt.batch_size, 1))).float().to(device)
        gradient_penalty = compute_gradient_penalty(discriminator, real.data, fake.data, alpha)
        d_loss = -torch.mean(real_validity) + torch.mean(fake_validity) + lambda_gp * gradient_penalty
        d_loss.backward()
        optimizer_D.step()

        # Train the generator every n_critic steps
        if i % opt.n_critic == 0:
            optimizer_G.zero_grad()
            fake = generator(z)
            fake_validity = discriminator(fake)
            g_loss = -torch.mean(fake_validity)
            g_loss.backward()
            optimizer_G.step()
            print(f"[Iteration {i}/{opt.iterations}] [D loss: {d_loss.item():.6f}] [G loss: {g_loss.item():.6f}] "
                  f"[GP: {gradient_penalty.item():.6f}]")

    generator.eval()
    with torch.no_grad():
        points = generator(torch.from_numpy(rng.normal(0, 1, (256, opt.latent_dim)).astype(np.float32)).to(device))
    print(f"radius: {points.norm(dim=1).mean().item():.4f}")


if __name__ == "__main__":
    main()
