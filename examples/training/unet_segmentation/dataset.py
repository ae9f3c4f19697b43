"""Generated pictures of blobs with their masks."""

import numpy as np
import torch
from torch.utils.data import Dataset


class BlobDataset(Dataset):
    def __init__(self, n_images, size=32, n_classes=3, seed=0):
        self.size = size
        self.n_classes = n_classes
        rng = np.random.RandomState(seed)
        self.samples = [self._make(rng) for _ in range(n_images)]

    def _make(self, rng):
        yy, xx = np.mgrid[: self.size, : self.size]
        image = rng.normal(0.0, 0.15, (3, self.size, self.size)).astype(np.float32)
        mask = np.zeros((self.size, self.size), dtype=np.int64)
        for _ in range(rng.randint(2, 5)):
            label = rng.randint(1, self.n_classes)
            cy, cx = rng.randint(4, self.size - 4, 2)
            radius = rng.randint(3, 8)
            if label == 1:
                region = (yy - cy) ** 2 + (xx - cx) ** 2 <= radius**2
            else:
                region = (abs(yy - cy) <= radius) & (abs(xx - cx) <= radius // 2)
            mask[region] = label
            image[label][region] += 0.8
        return image, mask

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, idx):
        image, mask = self.samples[idx]
        return {
            "image": torch.as_tensor(image.copy()).float().contiguous(),
            "mask": torch.as_tensor(mask.copy()).long().contiguous(),
        }
