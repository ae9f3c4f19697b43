"""Pictures with coloured boxes, and their labels as (class, x, y, w, h) from 0 to 1."""

import numpy as np
import torch
from torch.utils.data import Dataset


class BoxesDataset(Dataset):
    def __init__(self, n, img_size=64, num_classes=3, seed=0):
        self.img_size = img_size
        rng = np.random.default_rng(seed)
        self.imgs, self.labels = [], []
        for _ in range(n):
            img = rng.normal(0.3, 0.08, (img_size, img_size, 3)).astype(np.float32)
            labels = []
            for _ in range(rng.integers(1, 4)):
                w, h = rng.integers(8, 28, 2)
                x1, y1 = rng.integers(0, img_size - w), rng.integers(0, img_size - h)
                cls = int(rng.integers(0, num_classes))
                img[y1 : y1 + h, x1 : x1 + w, cls] += 0.6
                labels.append([cls, (x1 + w / 2) / img_size, (y1 + h / 2) / img_size, w / img_size, h / img_size])
            self.imgs.append(img.clip(0, 1))
            self.labels.append(np.array(labels, dtype=np.float32))

    def __len__(self):
        return len(self.imgs)

    def __getitem__(self, index):
        image = torch.from_numpy(np.ascontiguousarray(self.imgs[index].transpose(2, 0, 1)))
        labels = self.labels[index]
        targets = torch.zeros((len(labels), 6))
        targets[:, 1:] = torch.from_numpy(labels)
        return image, targets

    @staticmethod
    def collate_fn(batch):
        """Pictures are stacked; targets are put in one table whose first column is the picture's number."""
        images, targets = zip(*batch)
        for number, table in enumerate(targets):
            table[:, 0] = number
        return torch.stack(images), torch.cat(targets)
