"""A variational autoencoder on generated digits-like pictures."""

import argparse

import numpy as np
import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser(description="VAE example")
parser.add_argument("--batch-size", type=int, default=32, metavar="N")
parser.add_argument("--epochs", type=int, default=7, metavar="N")
parser.add_argument("--beta", type=float, default=1.0)
parser.add_argument("--seed", type=int, default=1, metavar="S")
parser.add_argument("--log-interval", type=int, default=5, metavar="N")
args = parser.parse_args()


def bars(n, seed):
    """Pictures of 12 x 12 with a few horizontal and vertical bars."""
    rng = np.random.RandomState(seed)
    pictures = np.zeros((n, 1, 12, 12), dtype=np.float32)
    for picture in pictures:
        for _ in range(rng.randint(1, 4)):
            place, across = rng.randint(0, 11), rng.rand() < 0.5
            if across:
                picture[0, place : place + 2, :] = 1.0
            else:
                picture[0, :, place : place + 2] = 1.0
    return torch.from_numpy(pictures)


class VAE(nn.Module):
    def __init__(self, latent=8):
        super().__init__()
        self.fc1 = nn.Linear(144, 64)
        self.fc21 = nn.Linear(64, latent)
        self.fc22 = nn.Linear(64, latent)
        self.fc3 = nn.Linear(latent, 64)
        self.fc4 = nn.Linear(64, 144)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        h3 = F.relu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, 144))
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


# Reconstruction + KL divergence losses summed over all elements and batch
def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x.view(-1, 144), reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + args.beta * KLD


torch.manual_seed(args.seed)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
train_loader = DataLoader(TensorDataset(bars(512, 0)), batch_size=args.batch_size, shuffle=True)
test_loader = DataLoader(TensorDataset(bars(128, 1)), batch_size=args.batch_size, shuffle=False)
model = VAE().to(device)
optimizer = optim.Adam(model.parameters(), lr=1e-3)


def train(epoch):
    model.train()
    train_loss = 0
    for batch_idx, (data,) in enumerate(train_loader):
        data = data.to(device)
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data)
        loss = loss_function(recon_batch, data, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
        if batch_idx % args.log_interval == 0:
            print("Train Epoch: {} [{}/{} ({:.0f}%)]\tLoss: {:.6f}".format(
                epoch, batch_idx * len(data), len(train_loader.dataset),
                100.0 * batch_idx / len(train_loader), loss.item() / len(data)))
    print("====> Epoch: {} Average loss: {:.4f}".format(epoch, train_loss / len(train_loader.dataset)))


def test(epoch):
    model.eval()
    test_loss = 0
    with torch.no_grad():
        for i, (data,) in enumerate(test_loader):
            data = data.to(device)
            recon_batch, mu, logvar = model(data)
            test_loss += loss_function(recon_batch, data, mu, logvar).item()
    test_loss /= len(test_loader.dataset)
    print("====> Test set loss: {:.4f}".format(test_loss))


if __name__ == "__main__":
    for epoch in range(1, args.epochs + 1):
        train(epoch)
        test(epoch)
        with torch.no_grad():
            sample = torch.randn(4, 8).to(device)
            sample = model.decode(sample).cpu()
            print("sample mean: {:.4f}".format(sample.view(4, 1, 12, 12).mean().item()))
