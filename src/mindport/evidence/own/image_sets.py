"""Scenarios of torchvision's data sets with files of their own, which are written here; torch's side does not ask for the checksums of the real ones."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import numpy as np
from scipy.io import savemat

from mindport.evidence.own.images import image, plain
from mindport.evidence.samples import resolve
from mindport.evidence.scenarios import Side, scenario

D = "torchvision.datasets."


@contextmanager
def files(side: Side) -> Iterator[str]:
    """A folder, of whose files torch's module of the data set asks only that they are there."""
    module = sys.modules[resolve(side.name).__module__]
    asked = side.declared is None and hasattr(module, "check_integrity")
    with tempfile.TemporaryDirectory() as root, mock.patch.object(module, "check_integrity", lambda path, md5=None: os.path.isfile(path)) if asked else nullcontext():
        yield root


def numbers(*shape: int, seed: int = 3, below: int = 256) -> np.ndarray:
    """Bytes that are drawn from a seed."""
    return np.random.default_rng(seed).integers(0, below, shape).astype(np.uint8)


def idx(path: Path, array: np.ndarray, packed: bool = False) -> None:
    """An array in MNIST's format."""
    content = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">i4").tobytes() + array.tobytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    if packed:
        with gzip.open(f"{path}.gz", "wb") as file:
            file.write(content)
    else:
        path.write_bytes(content)


def seen(held: Any, count: int) -> list[Any]:
    """Pixels and labels."""
    return [[plain(picture), labels] for picture, labels in (held[place] for place in range(count))]


def refusals(side: Side, *given: tuple[tuple[Any, ...], dict[str, Any]]) -> list[str]:
    """What wrong arguments and missing files raise."""
    found = []
    for args, words in given:
        try:
            side.call(*args, **words)
            found.append("")
        except (ValueError, RuntimeError, FileNotFoundError) as error:
            found.append(type(error).__name__)
    return found


@scenario(D + "MNIST", D + "FashionMNIST", D + "KMNIST")
def of_digits(side: Side) -> Any:
    """Training and test set, transforms, the arrays as a whole, a folder that is not there."""
    with files(side) as root:
        raw = Path(root, side.name.rpartition(".")[2], "raw")
        for part, count in (("train", 4), ("t10k", 3)):
            idx(raw / f"{part}-images-idx3-ubyte", numbers(count, 28, 28, seed=count))
            idx(raw / f"{part}-labels-idx1-ubyte", numbers(count, seed=count, below=10))
        train, test = side.call(root), side.call(root, train=False, transform=lambda picture: picture.size, target_transform=lambda label: label + 100)
        return [
            len(train), len(test), seen(train, 4), [test[place] for place in range(3)], train.classes, train.class_to_idx, train.targets.tolist(), train.data.shape == (4, 28, 28),
            side.dtype(train.data), side.dtype(train.targets), refusals(side, ((root + "/nowhere",), {})),
        ]  # fmt: skip


@scenario(D + "EMNIST")
def of_letters(side: Side) -> Any:
    """Each split, in files of its own."""
    found: list[Any] = []
    with files(side) as root:
        for split in ("byclass", "bymerge", "balanced", "letters", "digits", "mnist"):
            for part in ("train", "test"):
                idx(Path(root, "EMNIST", "raw", f"emnist-{split}-{part}-images-idx3-ubyte"), numbers(2, 28, 28, seed=len(split)))
                idx(Path(root, "EMNIST", "raw", f"emnist-{split}-{part}-labels-idx1-ubyte"), numbers(2, below=10))
            held = side.call(root, split, train=split < "c")
            found.append([held.classes, held.split, seen(held, 2)])
        return found, refusals(side, ((root, "all"), {}), ((root, 3), {}))


@scenario(D + "CIFAR10", D + "CIFAR100")
def of_small_photographs(side: Side) -> Any:
    """Training and test set, classes, a folder that is not there."""
    fine = side.name.endswith("100")
    with files(side) as root:
        folder = Path(root, "cifar-100-python" if fine else "cifar-10-batches-py")
        folder.mkdir()
        parts = ["train", "test"] if fine else [*(f"data_batch_{place}" for place in range(1, 6)), "test_batch"]
        for seed, part in enumerate(parts):
            labels = [int(one) for one in numbers(2, seed=seed, below=3)]
            content = {"data": numbers(2, 3072, seed=seed), "fine_labels" if fine else "labels": labels}
            (folder / part).write_bytes(pickle.dumps(content))
        (folder / ("meta" if fine else "batches.meta")).write_bytes(pickle.dumps({"fine_label_names" if fine else "label_names": ["ape", "bee", "cow"]}))
        train, test = side.call(root, train=True), side.call(root, train=False, target_transform=str)
        return [len(train), len(test), seen(train, len(train)), seen(test, 2), train.classes, train.class_to_idx, train.targets, train.data.shape, refusals(side, ((root + "/nowhere",), {}))]


@scenario(D + "SVHN")
def of_house_numbers(side: Side) -> Any:
    """The digit 0 is called 10 in the files."""
    with files(side) as root:
        for split in ("train", "test", "extra"):
            savemat(Path(root, f"{split}_32x32.mat"), {"X": numbers(32, 32, 3, 3, seed=len(split)), "y": np.array([[10], [2], [1]], np.uint8)})
        train, extra = side.call(root), side.call(root, split="extra", transform=lambda picture: picture.size)
        return [len(train), seen(train, 3), [extra[place] for place in range(3)], train.labels.tolist(), train.data.shape, refusals(side, ((root, "all"), {}), ((root + "/nowhere",), {}))]


@scenario(D + "STL10")
def of_few_labels(side: Side) -> Any:
    """Every split, and folds of the training set."""
    with files(side) as root:
        folder = Path(root, "stl10_binary")
        folder.mkdir()
        for part, count in (("train", 4), ("test", 3), ("unlabeled", 2)):
            numbers(count, 3, 96, 96, seed=count).tofile(folder / f"{part}_X.bin")
            (numbers(count, seed=count, below=10) + 1).tofile(folder / f"{part}_y.bin")
        (folder / "class_names.txt").write_text("airplane\nbird\n")
        (folder / "fold_indices.txt").write_text("\n".join(f"{place % 4} {(place + 2) % 4} " for place in range(10)))
        made = [side.call(root, split) for split in ("train", "train+unlabeled", "unlabeled", "test")]
        folded = [side.call(root, "train", folds=3), side.call(root, "train+unlabeled", folds=0)]
        wrong = refusals(side, ((root, "valid"), {}), ((root,), {"folds": 10}), ((root,), {"folds": "1"}), ((root + "/nowhere",), {}))
        return [[[len(held), seen(held, len(held)), [int(one) for one in held.labels], held.classes] for held in (*made, *folded)], wrong]


@scenario(D + "EuroSAT")
def of_satellites(side: Side) -> Any:
    """One folder a class."""
    with files(side) as root:
        for place, name in enumerate(("River", "Forest")):
            folder = Path(root, "eurosat", "2750", name)
            folder.mkdir(parents=True)
            image(seed=place).save(folder / "a.png")
        held = side.call(root)
        return [held.classes, len(held), seen(held, 2), held.root == root, refusals(side, ((root + "/nowhere",), {}))]


@scenario(D + "Food101")
def of_dishes(side: Side) -> Any:
    """The lists of both splits; classes are sorted, files are in the lists' order."""
    with files(side) as root:
        base = Path(root, "food-101")
        (base / "meta").mkdir(parents=True)
        for split, listed in (("train", {"waffles": ["waffles/1", "waffles/2"], "apple_pie": ["apple_pie/7"]}), ("test", {"apple_pie": ["apple_pie/8"]})):
            (base / "meta" / f"{split}.json").write_text(json.dumps(listed))
            for name in (one for names in listed.values() for one in names):
                (base / "images" / name).parent.mkdir(parents=True, exist_ok=True)
                image(seed=int(name[-1])).save(base / "images" / f"{name}.jpg")
        train, test = side.call(root), side.call(root, split="test", transform=lambda picture: picture.size, target_transform=str)
        return [train.classes, train.class_to_idx, seen(train, 3), [test[0]], len(test), refusals(side, ((root, "val"), {}), ((root + "/nowhere",), {}))]


@scenario(D + "OxfordIIITPet")
def of_pets(side: Side) -> Any:
    """Breed, species, outline, several of them, none."""
    with files(side) as root:
        base = Path(root, "oxford-iiit-pet")
        (base / "images").mkdir(parents=True)
        (base / "annotations" / "trimaps").mkdir(parents=True)
        names = ["great_pyrenees_1", "Abyssinian_2", "great_pyrenees_3"]
        for place, name in enumerate(names):
            image(seed=place).save(base / "images" / f"{name}.jpg")
            image(seed=place + 9, mode="L").save(base / "annotations" / "trimaps" / f"{name}.png")
        for split, chosen in (("trainval", names), ("test", names[:1])):
            rows = [f"{name} {1 if name[0] == 'A' else 2} {1 if name[0] == 'A' else 2} 1" for name in chosen]
            (base / "annotations" / f"{split}.txt").write_text("\n".join(rows) + "\n")
        held = side.call(root)
        both = side.call(root, "test", target_types=["category", "binary-category"], transform=lambda picture: picture.size)
        outline, none = side.call(root, target_types="segmentation")[1], side.call(root, target_types=[])[1]
        facts = [held.classes, held.bin_classes, held.class_to_idx, held.bin_class_to_idx, len(both)]
        return [facts, seen(held, 3), [both[0]], [plain(part) for part in outline], none[1], refusals(side, ((root, "train"), {}), ((root,), {"target_types": "box"}), ((root + "/nowhere",), {}))]


@scenario(D + "CelebA")
def of_faces(side: Side) -> Any:
    """Every kind of target, by every split."""
    with files(side) as root:
        base = Path(root, "celeba")
        (base / "img_align_celeba").mkdir(parents=True)
        names = [f"00000{place}.jpg" for place in range(1, 7)]
        for place, name in enumerate(names):
            image(seed=place).save(base / "img_align_celeba" / name)
        tables = {
            "list_eval_partition.txt": [f"{name} {(0, 1, 2)[place % 3]}" for place, name in enumerate(names)],
            "identity_CelebA.txt": [f"{name} {2880 + place}" for place, name in enumerate(names)],
            "list_bbox_celeba.txt": ["6", "image_id x_1 y_1 width height", *(f"{name}    95  {place}  226 313" for place, name in enumerate(names))],
            "list_landmarks_align_celeba.txt": ["6", "lefteye_x lefteye_y", *(f"{name} {place}  69" for place, name in enumerate(names))],
            "list_attr_celeba.txt": ["6", "Bald Young Smiling ", *(f"{name} -1  1 {1 if place % 2 else -1}" for place, name in enumerate(names))],
        }
        for name, lines in tables.items():
            (base / name).write_text("\n".join(lines) + "\n")

        def read(target: Any) -> Any:
            return [read(one) for one in target] if isinstance(target, tuple) else [side.dtype(target), target.tolist()] if hasattr(target, "tolist") else target

        found: list[Any] = []
        for split in ("train", "valid", "test", "all"):
            for kind in ("attr", ["identity", "bbox", "landmarks", "attr"], []):
                held = side.call(root, split=split, target_type=kind)
                found.append([len(held), held.attr_names, [[plain(picture), read(target)] for picture, target in (held[place] for place in range(len(held)))]])
        wrong = refusals(side, ((root, "val"), {}), ((root,), {"target_type": [], "target_transform": str}), ((root + "/nowhere",), {}))
        return found, wrong


VOC = """<annotation><folder>VOC2012</folder><size><width>8</width><depth/></size>{objects}<segmented>0</segmented></annotation>"""
THING = """<object><name>{name}</name><bndbox><xmin>1</xmin><ymin> 2 </ymin></bndbox><part><name>head</name></part><part><name>foot</name></part></object>"""


@scenario(D + "VOCDetection", D + "VOCSegmentation")
def of_voc(side: Side) -> Any:
    """Years with folders of their own; no object, one, several."""
    boxes = side.name.endswith("Detection")
    with files(side) as root:
        for folder in ("VOCdevkit/VOC2012", "TrainVal/VOCdevkit/VOC2011", "VOCdevkit/VOC2007"):
            base = Path(root, folder)
            for name in ("JPEGImages", "Annotations", "SegmentationClass", "ImageSets/Main", "ImageSets/Segmentation"):
                (base / name).mkdir(parents=True)
            for place in range(3):
                image(seed=place).save(base / "JPEGImages" / f"p{place}.jpg")
                image(seed=place + 5, mode="L").save(base / "SegmentationClass" / f"p{place}.png")
                things = "".join(THING.format(name=f"thing {number}") for number in range(place))
                (base / "Annotations" / f"p{place}.xml").write_text(VOC.format(objects=things))
            for split in ("train", "val", "test"):
                for kind in ("Main", "Segmentation"):
                    (base / "ImageSets" / kind / f"{split}.txt").write_text("p2\np0\np1\n" if split == "train" else "p1\n")
        found: list[Any] = []
        for words in ({}, {"year": "2011", "image_set": "val"}, {"year": "2007", "image_set": "test"}):
            held = side.call(root, **words)
            pairs = [held[place] for place in range(len(held))]
            found.append([[plain(picture), target if boxes else plain(target)] for picture, target in pairs])
            found.append([os.path.relpath(path, root) for path in (held.annotations if boxes else held.masks)])
        sized = side.call(root, transforms=lambda picture, target: (picture.size, type(target).__name__ == "dict"))
        return found, sized[0], refusals(side, ((root, "2013"), {}), ((root,), {"image_set": "test"}), ((root, "2009"), {}))


@scenario(D + "Cityscapes")
def of_streets(side: Side) -> Any:
    """Fine and coarse, each kind of target, several."""
    with files(side) as root:
        for mode in ("gtFine", "gtCoarse"):
            for place, city in enumerate(("ulm", "jena")):
                for folder in (Path(root, "leftImg8bit", "train", city), Path(root, mode, "train", city)):
                    folder.mkdir(parents=True, exist_ok=True)
                image(seed=place).save(Path(root, "leftImg8bit", "train", city, f"{city}_000_leftImg8bit.png"))
                for ending in ("instanceIds", "labelIds", "color"):
                    image(seed=place + len(ending), mode="L").save(Path(root, mode, "train", city, f"{city}_000_{mode}_{ending}.png"))
                Path(root, mode, "train", city, f"{city}_000_{mode}_polygons.json").write_text(json.dumps({"objects": [city, mode]}))
        found: list[Any] = []
        for words in ({}, {"target_type": "semantic"}, {"target_type": "color", "mode": "coarse"}, {"target_type": "polygon"}, {"target_type": ["polygon", "instance"]}):
            held = side.call(root, **words)
            targets = [target if isinstance(target, tuple) else (target,) for _, target in (held[place] for place in range(2))]
            kinds = sorted([[one if isinstance(one, dict) else plain(one) for one in target] for target in targets], key=str)
            found.append([kinds, sorted(os.path.basename(path) for path in held.images)])
        return found, refusals(side, ((root, "test"), {}), ((root, "all"), {}), ((root,), {"mode": "rough"}), ((root,), {"target_type": "depth"}))


class Annotations:
    """As much of pycocotools' class as a data set asks for; the package itself is on neither side."""

    def __init__(self, path: str) -> None:
        held = json.loads(Path(path).read_text())
        self.imgs = {one["id"]: one for one in held["images"]}
        self.anns = held["annotations"]

    def loadImgs(self, place: int) -> list[dict[str, Any]]:
        return [self.imgs[place]]

    def getAnnIds(self, place: int) -> list[int]:
        return [one["id"] for one in self.anns if one["image_id"] == place]

    def loadAnns(self, places: list[int]) -> list[dict[str, Any]]:
        return [one for one in self.anns if one["id"] in places]


@scenario(D + "CocoDetection", D + "CocoCaptions")
def of_coco(side: Side) -> Any:
    """Images in the order of their numbers, each with what is noted of it; a place that is no int."""
    module = ModuleType("pycocotools.coco")
    module.COCO = Annotations  # type: ignore[attr-defined]
    with files(side) as root, mock.patch.dict(sys.modules, {"pycocotools": ModuleType("pycocotools"), "pycocotools.coco": module}):
        for place in (7, 3):
            image(seed=place).save(Path(root, f"{place}.png"))
        notes = [{"id": number, "image_id": place, "caption": f"note {number}", "bbox": [1, 2, 3, number]} for number, place in enumerate((7, 3, 7))]
        path = Path(root, "notes.json")
        path.write_text(json.dumps({"images": [{"id": place, "file_name": f"{place}.png"} for place in (7, 3)], "annotations": notes}))
        held = side.call(root, str(path))
        sized = side.call(root, str(path), transforms=lambda picture, target: (picture.size, len(target)))
        try:
            wrong = held["3"]
        except ValueError as error:
            wrong = type(error).__name__
        return held.ids, len(held), seen(held, 2), sized[1], wrong
