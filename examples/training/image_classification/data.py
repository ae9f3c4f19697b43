"""Generated pictures of shapes, with the transforms that image classification commonly uses."""

import numpy as np
import torch
from PIL import Image, ImageDraw
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms

CLASSES = ("circle", "square", "triangle", "cross")
MEAN, STD = (0.45, 0.45, 0.45), (0.25, 0.25, 0.25)


def draw_shape(kind, rng, size=40):
    background = tuple(int(v) for v in rng.integers(0, 90, 3))
    color = tuple(int(v) for v in rng.integers(130, 256, 3))
    image = Image.new("RGB", (size, size), background)
    draw = ImageDraw.Draw(image)
    cx, cy = rng.integers(14, size - 14, 2)
    r = int(rng.integers(7, 12))
    if kind == "circle":
        draw.ellipse([cx - r, cy - r, cx + r, cy + r], fill=color)
    elif kind == "square":
        draw.rectangle([cx - r, cy - r, cx + r, cy + r], fill=color)
    elif kind == "triangle":
        draw.polygon([(cx, cy - r), (cx - r, cy + r), (cx + r, cy + r)], fill=color)
    else:
        draw.line([cx - r, cy - r, cx + r, cy + r], fill=color, width=3)
        draw.line([cx - r, cy + r, cx + r, cy - r], fill=color, width=3)
    noise = rng.normal(0, 12, (size, size, 3))
    return Image.fromarray(np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8))


class ShapesDataset(Dataset):
    """Pictures in memory; what __getitem__ gives is transformed each time."""

    def __init__(self, length, seed, transform=None):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(0, len(CLASSES), length)
        self.images = [draw_shape(CLASSES[label], rng) for label in self.labels]
        self.transform = transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.images[index]
        if self.transform is not None:
            image = self.transform(image)
        return image, int(self.labels[index])


def build_loaders(batch_size, train_size=512, val_size=128):
    train_transform = transforms.Compose([
        transforms.RandomCrop(32),
        transforms.RandomHorizontalFlip(),
        transforms.ToTensor(),
        transforms.Normalize(MEAN, STD),
    ])
    val_transform = transforms.Compose([
        transforms.Resize(36),
        transforms.CenterCrop(32),
        transforms.ToTensor(),
        transforms.Normalize(mean=MEAN, std=STD),
    ])
    train_set = ShapesDataset(train_size, seed=0, transform=train_transform)
    val_set = ShapesDataset(val_size, seed=1, transform=val_transform)
    train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True, num_workers=0,
                              pin_memory=torch.cuda.is_available(), drop_last=True)
    val_loader = DataLoader(val_set, batch_size=batch_size * 2, shuffle=False)
    return train_loader, val_loader
