"""Sub-pixel super-resolution of generated pictures, with a loss on pixels and on the features of a fixed random network."""
import argparse
import math
import os

import numpy as np
import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset


class Shapes(Dataset):
    """Pictures of discs and boxes; the small one is the mean over blocks."""

    def __init__(self, n, scale, size=16, seed=0):
        rng = np.random.default_rng(seed)
        yy, xx = np.mgrid[0:size, 0:size]
        self.pictures = np.zeros((n, 3, size, size), dtype=np.float32)
        for picture in self.pictures:
            for _ in range(3):
                cy, cx, r = rng.uniform(0, size), rng.uniform(0, size), rng.uniform(2, 6)
                inside = (yy - cy) ** 2 + (xx - cx) ** 2 < r * r if rng.random() < 0.5 else (abs(yy - cy) < r) & (abs(xx - cx) < r)
                picture[:, inside] = rng.random((3, 1))
        self.scale = scale

    def __len__(self):
        return len(self.pictures)

    def __getitem__(self, i):
        hr = torch.from_numpy(self.pictures[i])
        lr = F.avg_pool2d(hr.unsqueeze(0), self.scale).squeeze(0)
        return {"lr": lr, "hr": hr}


class ResidualBlock(nn.Module):
    def __init__(self, channels, res_scale=0.1):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1), nn.PReLU(), nn.Conv2d(channels, channels, 3, 1, 1))
        self.res_scale = res_scale

    def forward(self, x):
        return x + self.body(x).mul(self.res_scale)


class Upsampler(nn.Sequential):
    def __init__(self, scale, channels):
        m = []
        for _ in range(int(math.log2(scale))):
            m.append(nn.Conv2d(channels, 4 * channels, 3, 1, 1))
            m.append(nn.PixelShuffle(2))
        super().__init__(*m)


class EDSR(nn.Module):
    def __init__(self, scale=2, channels=16, num_blocks=2):
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.4488, 0.4371, 0.4040]).view(1, 3, 1, 1))
        self.head = nn.Conv2d(3, channels, 3, 1, 1)
        self.body = nn.Sequential(*[ResidualBlock(channels) for _ in range(num_blocks)])
        self.tail = nn.Sequential(Upsampler(scale, channels), nn.Conv2d(channels, 3, 3, 1, 1))
        self._initialize_weights()

    def _initialize_weights(self):
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, a=0.25)
                module.weight.data *= 0.7
                if module.bias is not None:
                    nn.init.zeros_(module.bias)

    def forward(self, x):
        x = x - self.mean
        x = self.head(x)
        x = self.body(x) + x
        return self.tail(x) + self.mean


class ContentLoss(nn.Module):
    """L1 between the features of a fixed random network."""

    def __init__(self, nodes=("1", "3")):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.ReLU())
        self.nodes = nodes
        for parameter in self.features.parameters():
            parameter.requires_grad = False
        self.eval()

    def extract(self, x):
        found = []
        for name, layer in self.features.named_children():
            x = layer(x)
            if name in self.nodes:
                found.append(x)
        return found

    def forward(self, sr, hr):
        losses = [F.l1_loss(a, b.detach()) for a, b in zip(self.extract(sr), self.extract(hr))]
        return torch.stack(losses).sum()


def psnr(sr, hr):
    mse = torch.mean((sr.clamp(0.0, 1.0) - hr) ** 2, dim=(1, 2, 3))
    return (10 * torch.log10(1.0 / mse)).mean()


@torch.no_grad()
def validate(model, loader):
    model.eval()
    values = [psnr(model(batch["lr"]), batch["hr"]).item() for batch in loader]
    model.train()
    return sum(values) / len(values)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--content-weight", type=float, default=0.1)
    parser.add_argument("--resume", default="")
    args = parser.parse_args()
    torch.manual_seed(0)

    model = EDSR(args.scale)
    pixel_criterion, content_criterion = nn.L1Loss(), ContentLoss()
    optimizer = optim.Adam(model.parameters(), lr=args.lr, betas=(0.9, 0.99))
    scheduler = optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 4], gamma=0.5)
    start_epoch = 0
    if args.resume and os.path.isfile(args.resume):
        checkpoint = torch.load(args.resume)
        start_epoch = checkpoint["epoch"]
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        scheduler.load_state_dict(checkpoint["scheduler"])

    loader = DataLoader(Shapes(320, args.scale), batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(Shapes(64, args.scale, seed=1), batch_size=32)
    for epoch in range(start_epoch, args.epochs):
        for i, batch in enumerate(loader):
            lr, hr = batch["lr"], batch["hr"]
            optimizer.zero_grad(set_to_none=True)
            sr = model(lr)
            pixel_loss = pixel_criterion(sr, hr)
            content_loss = args.content_weight * content_criterion(sr, hr)
            loss = pixel_loss + content_loss
            loss.backward()
            optimizer.step()
            if i % 10 == 0:
                print(f"Epoch [{epoch}][{i}/{len(loader)}] pixel {pixel_loss.item():.4f} content {content_loss.item():.4f} lr {optimizer.param_groups[0]['lr']:.5f}")
        scheduler.step()
        torch.save({"epoch": epoch + 1, "model": model.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict()}, "edsr_last.pth")
    print(f"psnr={validate(model, val_loader):.4f}")


if __name__ == "__main__":
    main()
