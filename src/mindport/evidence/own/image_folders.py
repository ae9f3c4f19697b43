"""Scenarios of torchvision's data sets over files that are written here."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from mindport.evidence.own.images import image, plain
from mindport.evidence.scenarios import Side, scenario

D = "torchvision.datasets."


def classes(root: str) -> None:
    """Three images in each of two folders, a text beside them."""
    for number, name in enumerate(("cats", "ants")):
        folder = Path(root, name)
        folder.mkdir()
        for place in range(3):
            image(seed=10 * number + place).save(folder / f"{place}.png")
        (folder / "notes.txt").write_text(name)


@scenario(D + "ImageFolder")
def folders(side: Side) -> Any:
    """Classes, places, pixels and labels, with transforms."""
    with tempfile.TemporaryDirectory() as root:
        classes(root)
        held = side.call(root)
        seen = side.call(root, transform=lambda picture: picture.size, target_transform=lambda label: -label)
        places = [(Path(path).name, label) for path, label in held.samples]
        return [held.classes, held.class_to_idx, len(held), places, [plain(held[i]) for i in (0, 4)], [seen[i] for i in range(6)], held.targets]


@scenario(D + "DatasetFolder")
def other_files(side: Side) -> Any:
    """A loader and an ending of one's own."""
    with tempfile.TemporaryDirectory() as root:
        classes(root)
        held = side.call(root, loader=lambda path: Path(path).read_text(), extensions=(".txt",))
        return held.classes, len(held), [held[i] for i in range(len(held))]


@scenario(D + "FakeData")
def made_up(side: Side) -> Any:
    """Pixels and labels for each place."""
    held = side.call(size=5, image_size=(3, 6, 7), num_classes=4, random_offset=3)
    return len(held), [plain(held[i]) for i in (0, 3)]


@scenario(D + "VisionDataset")
def base_of_data_sets(side: Side) -> Any:
    """The folder, and what becomes of an image and a target with one function, two, one for both, none; both kinds at once are refused."""
    found: list[Any] = []
    for words in ({}, {"transform": str}, {"target_transform": hex}, {"transform": str, "target_transform": hex}, {"transforms": divmod}):
        made = side.call("~/images", **words)
        pair = made.transforms(17, 5) if made.transforms is not None else (17, 5)
        found.append([made.root, made.transform is None, made.target_transform is None, pair])
    try:
        side.call("images", transforms=divmod, transform=str)
    except ValueError:
        found.append("refused")
    return found


@scenario("torchvision.get_image_backend")
def backend(side: Side) -> Any:
    """Its name."""
    return side.call()
