"""An image data set in memory and its loader."""
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, count=512, size=32):
        random = np.random.default_rng(0)
        self.images = random.integers(0, 256, (count, size, size, 3), dtype=np.uint8)
        self.labels = random.integers(0, 10, count)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = self.images[index]
        if index % 2:
            image = image[:, ::-1].copy()
        x = torch.from_numpy(image).permute(2, 0, 1).float() / 255.0
        return (x - 0.5) / 0.5, int(self.labels[index])


class Arrays(Dataset):
    def __init__(self, count=512, size=32):
        random = np.random.default_rng(0)
        self.images = random.standard_normal((count, 3, size, size)).astype(np.float32)
        self.labels = random.integers(0, 10, count)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return (self.images[index] - 0.5) / 0.5, self.labels[index]


def epoch(kind):
    loader = DataLoader(Images() if kind == "tensors" else Arrays(), batch_size=64, shuffle=True, num_workers=0)
    seen = 0
    for x, y in loader:
        seen += x.shape[0] + int(y[0] >= 0)
    return seen
