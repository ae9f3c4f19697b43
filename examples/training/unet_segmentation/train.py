"""Segmentation with cross entropy and Dice, RMSprop, ReduceLROnPlateau on the validation's Dice score."""

import argparse
import logging

import torch
import torch.nn as nn
import torch.nn.functional as F
from dataset import BlobDataset
from torch import Tensor
from torch.utils.data import DataLoader, random_split
from unet import UNet

logger = logging.getLogger("segmentation")


def dice_score(probabilities: Tensor, one_hot: Tensor, eps: float = 1e-6) -> Tensor:
    """Mean Dice coefficient over classes; both are (N, C, H, W)."""
    assert probabilities.size() == one_hot.size()
    dims = (0, 2, 3)
    overlap = 2 * (probabilities * one_hot).sum(dim=dims)
    total = probabilities.sum(dim=dims) + one_hot.sum(dim=dims)
    total = torch.where(total == 0, overlap, total)
    return ((overlap + eps) / (total + eps)).mean()


class DiceCELoss(nn.Module):
    def __init__(self, num_classes: int, dice_weight: float = 1.0):
        super().__init__()
        self.num_classes = num_classes
        self.dice_weight = dice_weight
        self.ce = nn.CrossEntropyLoss()

    def forward(self, logits: Tensor, target: Tensor) -> Tensor:
        loss = self.ce(logits, target)
        one_hot = F.one_hot(target, self.num_classes).permute(0, 3, 1, 2).float()
        loss += self.dice_weight * (1 - dice_score(F.softmax(logits, dim=1), one_hot))
        return loss


@torch.inference_mode()
def evaluate(model, loader, device):
    model.eval()
    total = 0
    for batch in loader:
        image = batch["image"].to(device=device, dtype=torch.float32, memory_format=torch.channels_last)
        mask = batch["mask"].to(device=device, dtype=torch.long)
        prediction = F.one_hot(model(image).argmax(dim=1), model.num_classes).permute(0, 3, 1, 2).float()
        truth = F.one_hot(mask, model.num_classes).permute(0, 3, 1, 2).float()
        # the background does not count
        total += dice_score(prediction[:, 1:], truth[:, 1:])
    model.train()
    return total / max(len(loader), 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", "-e", type=int, default=7)
    parser.add_argument("--batch-size", "-b", type=int, default=8)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--val-percent", type=float, default=20.0)
    parser.add_argument("--bilinear", action="store_true")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    dataset = BlobDataset(160)
    n_val = int(len(dataset) * args.val_percent / 100)
    train_set, val_set = random_split(dataset, [len(dataset) - n_val, n_val], generator=torch.Generator().manual_seed(0))
    loader_args = dict(batch_size=args.batch_size, num_workers=0, pin_memory=False)
    train_loader = DataLoader(train_set, shuffle=True, **loader_args)
    val_loader = DataLoader(val_set, shuffle=False, drop_last=True, **loader_args)

    model = UNet(bilinear=args.bilinear).to(device=device, memory_format=torch.channels_last)
    logger.info("%d trainable parameters", sum(p.numel() for p in model.parameters() if p.requires_grad))
    criterion = DiceCELoss(model.num_classes)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=args.lr, weight_decay=1e-8, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, "max", factor=0.5, patience=1)
    for epoch in range(1, args.epochs + 1):
        model.train()
        epoch_loss = 0
        for batch in train_loader:
            images, masks = batch["image"], batch["mask"]
            images = images.to(device=device, dtype=torch.float32, memory_format=torch.channels_last)
            masks = masks.to(device=device, dtype=torch.long)
            loss = criterion(model(images), masks)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            epoch_loss += loss.item()
        dice = evaluate(model, val_loader, device)
        scheduler.step(dice)
        logger.info("validation: %s", dice.item())
        print(f"epoch {epoch}: loss {epoch_loss / len(train_loader):.4f} dice {dice:.4f} lr {optimizer.param_groups[0]['lr']:.2e}")
    torch.save(model.state_dict(), "unet.pth")


if __name__ == "__main__":
    main()
