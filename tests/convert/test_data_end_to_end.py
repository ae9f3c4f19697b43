"""A script with data sets, loaders and transforms: converted, then run beside the original, line by line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mindport.convert import convert, write
from mindport.source.discover import discover
from tests.corpus.torchvision_wheel import folder

pytestmark = pytest.mark.frameworks
PRELUDE = Path(__file__).parents[2] / "examples" / "torchvision_prelude.py"

PROGRAM = '''
import numpy as np
import torch
import torch.utils.data as data
from PIL import Image
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split
from torchvision import transforms


class Pictures(Dataset):
    def __init__(self, n):
        super().__init__()
        self.pixels = np.random.default_rng(0).integers(0, 256, (n, 12, 12, 3)).astype(np.uint8)
        self.transform = transforms.Compose([
            transforms.RandomCrop(10, padding=2), transforms.RandomHorizontalFlip(), transforms.ColorJitter(0.2),
            transforms.ToTensor(), transforms.Normalize((0.5, 0.4, 0.3), (0.2, 0.2, 0.2)),
        ])

    def __len__(self):
        return len(self.pixels)

    def __getitem__(self, i):
        return self.transform(Image.fromarray(self.pixels[i])), torch.tensor(i)


def collate(items):
    images, numbers = zip(*items)
    return {"image": torch.stack(images), "number": torch.stack(numbers)}


def main():
    torch.manual_seed(1)
    train, test = random_split(Pictures(11), [8, 3])
    loader = DataLoader(train, batch_size=3, shuffle=True, collate_fn=collate, num_workers=2)
    for epoch in range(2):
        for batch in loader:
            image = batch["image"]
            print(tuple(image.shape), image.dtype == torch.float32, batch["number"].tolist(), [round(v, 4) for v in image[0, 0, 0].tolist()])
    print(len(loader), len(loader.dataset), isinstance(test, data.Subset))
    g = torch.Generator()
    g.manual_seed(7)
    table = TensorDataset(torch.arange(10), torch.arange(10).float())
    for a, b in DataLoader(table + table, batch_size=6, drop_last=True, shuffle=True, generator=g):
        print(a.tolist(), b.tolist())
    for i, (a, b) in enumerate(DataLoader(table, 4, sampler=data.SubsetRandomSampler(range(6)))):
        print(i, a.tolist(), b.dtype == torch.float32)


if __name__ == "__main__":
    main()
'''


def test_both_print_the_same(tmp_path: Path) -> None:
    home = folder()
    if home is None:
        pytest.skip("torchvision's sources cannot be had here")
    (tmp_path / "before").mkdir()
    (tmp_path / "before" / "program.py").write_text(PROGRAM, encoding="utf-8")
    conversion = convert(discover(tmp_path / "before"))
    assert not [f for f in conversion.findings if f.code in ("MP101", "MP102", "MP108")]
    write(conversion, tmp_path / "after")
    printed = []
    for side in ("before", "after"):
        place = tmp_path / side / "program.py"
        start = [f"import runpy, sys; sys.path[:0] = {[str(place.parent), str(home)]!r}"]
        start += [f"kept = runpy.run_path({str(PRELUDE)!r})"] if side == "before" else []
        command = [sys.executable, "-c", "\n".join([*start, f"runpy.run_path({str(place)!r}, run_name='__main__')"])]
        ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "GLOG_v": "3"}, timeout=300)
        assert ran.returncode == 0, ran.stderr
        printed.append(ran.stdout.splitlines())
    assert len(printed[0]) == 12
    assert printed[1] == printed[0]
