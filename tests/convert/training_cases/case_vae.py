"""Two terms, several outputs, an epoch loop, evaluation with the same names afterwards."""

import torch
import torch.nn.functional as F
from shared import arrays, finish, record, start
from torch import nn


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(6, 8)
        self.mu = nn.Linear(8, 2)
        self.logvar = nn.Linear(8, 2)
        self.decoder = nn.Linear(2, 6)

    def forward(self, x, noise):
        h = torch.tanh(self.encoder(x))
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + noise * torch.exp(0.5 * logvar)
        return torch.sigmoid(self.decoder(z)), mu, logvar


def loss_function(recon, x, mu, logvar):
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld, kld


def train(model, optimizer, data, epochs):
    for epoch in range(epochs):
        train_loss = 0
        for i, (x, noise) in enumerate(data):
            optimizer.zero_grad()
            recon, mu, logvar = model(x, noise)
            loss, kld = loss_function(
                recon,  # what came out
                x,
                mu, logvar,
            )
            loss.backward()
            train_loss += loss.item()
            optimizer.step()
        record(train_loss, kld)
        with torch.no_grad():
            for x, noise in data:
                recon, mu, logvar = model(x, noise)
                record(loss_function(recon, x, mu, logvar)[0])


def main():
    model = VAE()
    start(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    train(model, optimizer, [(torch.from_numpy(abs(a) / 5), torch.from_numpy(n)) for a, n in zip(arrays(4, 5, 6), arrays(4, 5, 2))], epochs=3)
    finish(model)
