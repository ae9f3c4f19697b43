"""torchvision's data sets beside ours, on files written for the test."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.equivalents.test_data_images import theirs  # noqa: F401

pytestmark = pytest.mark.frameworks


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The files of small MNIST, CIFAR and folder data sets."""
    from PIL import Image

    rng = np.random.default_rng(0)
    for name in ("MNIST", "FashionMNIST"):
        raw = tmp_path / name / "raw"
        raw.mkdir(parents=True)
        for part, count in (("train", 5), ("t10k", 3)):
            images = rng.integers(0, 256, (count, 28, 28)).astype(np.uint8)
            head = bytes([0, 0, 8, 3]) + np.array(images.shape, ">i4").tobytes()
            (raw / f"{part}-images-idx3-ubyte").write_bytes(head + images.tobytes())
            labels = bytes([0, 0, 8, 1]) + np.array([count], ">i4").tobytes() + bytes(range(count))
            (raw / f"{part}-labels-idx1-ubyte").write_bytes(labels)
            (raw / f"{part}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(labels))
    for folder, parts, key, meta in (
        ("cifar-10-batches-py", [*(f"data_batch_{i}" for i in range(1, 6)), "test_batch"], "labels", ("batches.meta", "label_names")),
        ("cifar-100-python", ["train", "test"], "fine_labels", ("meta", "fine_label_names")),
    ):
        (tmp_path / folder).mkdir()
        for part in parts:
            content = {"data": rng.integers(0, 256, (2, 3072)).astype(np.uint8), key: [1, 0]}
            (tmp_path / folder / part).write_bytes(pickle.dumps(content))
        (tmp_path / folder / meta[0]).write_bytes(pickle.dumps({meta[1]: ["cat", "dog"]}))
    for name in ("b/1.png", "a/2.PNG", "a/deep/3.jpg", "a/0.bmp", "b/note.txt"):
        path = tmp_path / "folders" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".txt":
            path.write_text("no image")
        else:
            Image.fromarray(rng.integers(0, 256, (6, 5, 3)).astype(np.uint8)).save(path)
    return tmp_path


def ours(name: str) -> Any:
    """What the knowledge declares for a data set of torchvision."""
    from mindport import catalog
    from mindport.evidence.knowledge import declaration

    return declaration(catalog.load().find(f"torchvision.datasets.{name}")[0]).target


def items(data: Any) -> Any:
    """All items, and what else people read."""
    read = {name: getattr(data, name, None) for name in ("classes", "class_to_idx", "samples", "imgs")}
    targets = data.targets.tolist() if hasattr(data.targets, "tolist") else data.targets
    return len(data), [(image.mode, np.asarray(image).tolist(), target) for image, target in (data[i] for i in range(len(data)))], read, targets


@pytest.mark.parametrize("train", [True, False])
@pytest.mark.parametrize("name", ["MNIST", "FashionMNIST", "CIFAR10", "CIFAR100"])
def test_files_of_known_sets(theirs: Any, home: Path, name: str, train: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    from torchvision import datasets

    their = getattr(datasets, name)
    monkeypatch.setattr(their, "_check_integrity", lambda self: True, raising=False)
    monkeypatch.setattr(datasets.cifar, "check_integrity", lambda *args: True)
    flip = {"transform": lambda image: image.transpose(0), "target_transform": lambda target: target + 1}
    expected, got = items(their(str(home), train=train, **flip)), items(ours(name)(str(home), train=train, **flip))
    assert got[0] == expected[0] and got[1] == expected[1] and got[3] == expected[3]
    assert got[2] == expected[2]
    if name.endswith("MNIST"):
        old = ours(name)(str(home), train=train)
        assert old.train_data is old.data and old.test_labels is old.targets


def test_folders_of_images(theirs: Any, home: Path) -> None:  # noqa: F811
    from torchvision import datasets

    root = str(home / "folders")
    assert items(ours("ImageFolder")(root)) == items(datasets.ImageFolder(root))
    with pytest.raises(FileNotFoundError):
        ours("DatasetFolder")(root, loader=str, extensions=(".txt",))


def test_fake_data(theirs: Any) -> None:  # noqa: F811
    from torchvision import datasets

    for size in ((3, 12, 13), (3, 16, 16)):
        expected, got = (cls(6, size, 10, random_offset=2) for cls in (datasets.FakeData, ours("FakeData")))
        for i in range(6):
            assert got[i][1] == expected[i][1]
            assert np.mean(np.asarray(got[i][0]) == np.asarray(expected[i][0])) > 0.999


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    for name in ("MNIST", "CIFAR10"):
        with pytest.raises(RuntimeError, match="nothing is downloaded"):
            ours(name)(str(tmp_path), download=True)


def test_a_class_of_ones_own_has_its_own_folder(home: Path) -> None:
    mine, fashion = type("Mine", (ours("MNIST"),), {}), ours("FashionMNIST")(str(home)).data.asnumpy()
    assert np.array_equal(mine(str(home)).data.asnumpy(), ours("MNIST")(str(home)).data.asnumpy())  # it has none: that of its base
    (home / "FashionMNIST").rename(home / "Mine")
    assert np.array_equal(mine(str(home)).data.asnumpy(), fashion)
