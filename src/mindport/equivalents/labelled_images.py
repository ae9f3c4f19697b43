"""More of torchvision's data sets of images with labels, read from the files that torchvision reads; nothing is downloaded.

https://docs.pytorch.org/vision/0.28/datasets.html#image-classification
"""

import csv
import json
import os
import string

import numpy as np
from mindspore import Tensor
from PIL import Image

from mindport.declare import layer
from mindport.equivalents.image_datasets import LOCAL, MNIST, ImageFolder, VisionDataset, rgb_image

LETTERS_THAT_LOOK_ALIKE = set("cijklmopsuvwxyz")


def chosen(name, value, allowed):
    """The value of an argument that takes some texts only; ValueError for others, as torchvision raises it."""
    if not isinstance(value, str):
        raise ValueError(f"Expected type str for argument {name}, but got type {type(value)}.")
    if value not in allowed:
        raise ValueError(f"Unknown value '{value}' for argument {name}. Valid values are {set(allowed)}.")
    return value


def found(*paths):
    """The first of some paths; RuntimeError where one of them does not exist."""
    for path in paths:
        if not os.path.exists(path):
            raise RuntimeError(f"Dataset not found: {path} (nothing is downloaded)")
    return paths[0]


@layer("torchvision.datasets.KMNIST", drops=LOCAL)
class KMNIST(MNIST):
    """Japanese characters: as MNIST, under ``root/KMNIST/raw``."""

    folder = "KMNIST"
    classes = ["o", "ki", "su", "tsu", "na", "ha", "ma", "ya", "re", "wo"]

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, train, transform, target_transform)


@layer("torchvision.datasets.EMNIST", drops=LOCAL)
class EMNIST(MNIST):
    """Letters and digits: as MNIST, under ``root/EMNIST/raw``, six splits of them in files of their own."""

    folder = "EMNIST"

    def __init__(self, root, split, train=True, transform=None, target_transform=None, download=False):
        every = sorted(string.digits + string.ascii_letters)
        merged = [one for one in every if one not in LETTERS_THAT_LOOK_ALIKE]
        names = {"byclass": every, "bymerge": merged, "balanced": merged, "letters": ["N/A", *string.ascii_lowercase], "digits": list(string.digits), "mnist": list(string.digits)}
        self.split = chosen("split", split, tuple(names))
        super().__init__(root, train, transform, target_transform)
        self.classes = names[split]

    def file_names(self):
        part = f"emnist-{self.split}-{'train' if self.train else 'test'}"
        return f"{part}-images-idx3-ubyte", f"{part}-labels-idx1-ubyte"


class ChannelsFirst(VisionDataset):
    """Images that `data` holds as (n, channels, height, width), and their `labels`."""

    def __getitem__(self, index):
        return self.transformed(Image.fromarray(np.transpose(self.data[index], (1, 2, 0))), int(self.labels[index]))

    def __len__(self):
        return len(self.data)


@layer("torchvision.datasets.SVHN", drops=LOCAL)
class SVHN(ChannelsFirst):
    """House numbers: a PIL image of 32 x 32 and an int. Files: ``root/train_32x32.mat`` and others, which scipy reads."""

    def __init__(self, root, split="train", transform=None, target_transform=None, download=False):
        super().__init__(root, None, transform, target_transform)
        self.split = chosen("split", split, ("train", "test", "extra"))
        from scipy.io import loadmat

        held = loadmat(found(os.path.join(self.root, f"{split}_32x32.mat")))
        self.data = np.transpose(held["X"], (3, 2, 0, 1))
        labels = held["y"].astype(np.int64).squeeze()
        self.labels = np.where(labels == 10, 0, labels)  # the files call the digit 0 ten


@layer("torchvision.datasets.STL10", drops=LOCAL)
class STL10(ChannelsFirst):
    """Photographs of 96 x 96: a PIL image and an int, -1 for those without a label. Files: ``root/stl10_binary/train_X.bin`` and others."""

    base_folder = "stl10_binary"

    def __init__(self, root, split="train", folds=None, transform=None, target_transform=None, download=False):
        super().__init__(root, None, transform, target_transform)
        self.split = chosen("split", split, ("train", "train+unlabeled", "unlabeled", "test"))
        if folds is not None and not isinstance(folds, int):
            raise ValueError(f"Expected type None or int for argument folds, but got type {type(folds)}.")
        if folds is not None and folds not in range(10):
            raise ValueError(f"Value for argument folds should be in the range [0, 10), but got {folds}.")
        self.folds = folds
        self.data, self.labels = self.read("test" if split == "test" else "unlabeled" if split == "unlabeled" else "train")
        if folds is not None and split.startswith("train"):
            with open(os.path.join(self.root, self.base_folder, "fold_indices.txt")) as file:
                places = np.array(file.read().splitlines()[folds].split(), np.int64)
            self.data, self.labels = self.data[places], self.labels[places]
        if split == "train+unlabeled":
            more, none = self.read("unlabeled")
            self.data, self.labels = np.concatenate((self.data, more)), np.concatenate((self.labels, none))
        names = os.path.join(self.root, self.base_folder, "class_names.txt")
        if os.path.isfile(names):
            with open(names) as file:
                self.classes = file.read().splitlines()

    def read(self, part):
        """(images of shape (n, 3, 96, 96), labels from 0 on)"""
        folder = os.path.join(self.root, self.base_folder)
        images = np.fromfile(found(os.path.join(folder, f"{part}_X.bin")), np.uint8).reshape(-1, 3, 96, 96).transpose(0, 1, 3, 2)
        if part == "unlabeled":
            return images, np.full(len(images), -1)
        return images, np.fromfile(found(os.path.join(folder, f"{part}_y.bin")), np.uint8) - 1


@layer("torchvision.datasets.EuroSAT", drops=LOCAL)
class EuroSAT(ImageFolder):
    """Satellite images in one folder a class below ``root/eurosat/2750``."""

    def __init__(self, root, transform=None, target_transform=None, download=False, loader=rgb_image):
        base = os.path.expanduser(root)
        super().__init__(found(os.path.join(base, "eurosat", "2750")), transform, target_transform, loader)
        self.root = base


@layer("torchvision.datasets.Food101", drops=LOCAL)
class Food101(VisionDataset):
    """Dishes: an RGB PIL image and an int. Files: ``root/food-101/meta/train.json``, ``root/food-101/images/…``."""

    def __init__(self, root, split="train", transform=None, target_transform=None, download=False, loader=rgb_image):
        super().__init__(root, None, transform, target_transform)
        chosen("split", split, ("train", "test"))
        base = os.path.join(self.root, "food-101")
        found(os.path.join(base, "meta"), os.path.join(base, "images"))
        with open(os.path.join(base, "meta", f"{split}.json")) as file:
            listed = json.load(file)
        self.classes = sorted(listed)
        self.class_to_idx = {name: place for place, name in enumerate(self.classes)}
        self.pairs = [(os.path.join(base, "images", *f"{path}.jpg".split("/")), self.class_to_idx[name]) for name, paths in listed.items() for path in paths]
        self.loader = loader

    def __getitem__(self, index):
        path, label = self.pairs[index]
        return self.transformed(self.loader(path), label)

    def __len__(self):
        return len(self.pairs)


@layer("torchvision.datasets.OxfordIIITPet", drops=LOCAL)
class OxfordIIITPet(VisionDataset):
    """Cats and dogs: an RGB PIL image and its breed, its species, or a picture of its outline. Files: ``root/oxford-iiit-pet/images`` and ``…/annotations``."""

    def __init__(self, root, split="trainval", target_types="category", transforms=None, transform=None, target_transform=None, download=False):
        chosen("split", split, ("trainval", "test"))
        kinds = [target_types] if isinstance(target_types, str) else target_types
        self.kinds = [chosen("target_types", kind, ("category", "binary-category", "segmentation")) for kind in kinds]
        super().__init__(root, transforms, transform, target_transform)
        base = os.path.join(self.root, "oxford-iiit-pet")
        self.images_folder, notes = os.path.join(base, "images"), os.path.join(base, "annotations")
        found(self.images_folder, notes)
        self.outlines_folder = os.path.join(notes, "trimaps")
        with open(os.path.join(notes, f"{split}.txt")) as file:
            rows = [line.split() for line in file]
        self.names = [row[0] for row in rows]
        self.breeds, self.species = ([int(row[place]) - 1 for row in rows] for place in (1, 2))
        breeds = sorted({(breed, name.rsplit("_", 1)[0]) for name, breed in zip(self.names, self.breeds)})
        self.classes = [" ".join(part.title() for part in name.split("_")) for _, name in breeds]
        self.bin_classes = ["Cat", "Dog"]
        self.class_to_idx = {name: place for place, name in enumerate(self.classes)}
        self.bin_class_to_idx = {"Cat": 0, "Dog": 1}

    def target(self, kind, index):
        """One of the things that an image is labelled with."""
        if kind == "segmentation":
            return Image.open(os.path.join(self.outlines_folder, f"{self.names[index]}.png"))
        return self.breeds[index] if kind == "category" else self.species[index]

    def __getitem__(self, index):
        image = rgb_image(os.path.join(self.images_folder, f"{self.names[index]}.jpg"))
        targets = [self.target(kind, index) for kind in self.kinds]
        target = None if not targets else targets[0] if len(targets) == 1 else tuple(targets)
        return self.transforms(image, target)

    def __len__(self):
        return len(self.names)


@layer("torchvision.datasets.CelebA", drops=LOCAL)
class CelebA(VisionDataset):
    """Faces: a PIL image and int64 tensors: 40 attributes, the person, a box, five landmarks. Files: ``root/celeba/img_align_celeba``, ``root/celeba/list_attr_celeba.txt`` and others."""

    base_folder = "celeba"

    def __init__(self, root, split="train", target_type="attr", transform=None, target_transform=None, download=False):
        super().__init__(root, None, transform, target_transform)
        self.split = split
        self.target_type = target_type if isinstance(target_type, list) else [target_type]
        if not self.target_type and target_transform is not None:
            raise RuntimeError("target_transform is specified but target_type is empty")
        self.images_folder = found(os.path.join(self.root, self.base_folder, "img_align_celeba"))
        parts = {"train": 0, "valid": 1, "test": 2, "all": None}
        part = parts[chosen("split", split.lower() if isinstance(split, str) else split, tuple(parts))]
        names, held, _ = self.table("list_eval_partition.txt")
        rows = np.arange(len(names)) if part is None else np.flatnonzero(held[:, 0] == part)
        self.filename = [names[row] for row in rows]
        self.identity = Tensor(self.table("identity_CelebA.txt")[1][rows])
        self.bbox = Tensor(self.table("list_bbox_celeba.txt", 1)[1][rows])
        self.landmarks_align = Tensor(self.table("list_landmarks_align_celeba.txt", 1)[1][rows])
        _, attributes, self.attr_names = self.table("list_attr_celeba.txt", 1)
        self.attr = Tensor((attributes[rows] + 1) // 2)

    def table(self, name, header=None):
        """(the images' names, their numbers, the columns' names) of a text of columns"""
        with open(found(os.path.join(self.root, self.base_folder, name))) as file:
            rows = list(csv.reader(file, delimiter=" ", skipinitialspace=True))
        body = rows if header is None else rows[header + 1 :]
        return [row[0] for row in body], np.array([[int(one) for one in row[1:]] for row in body], np.int64), [] if header is None else rows[header]

    def target(self, kind, index):
        """One of the things that an image is labelled with."""
        if kind == "identity":
            return self.identity[index, 0]
        tables = {"attr": self.attr, "bbox": self.bbox, "landmarks": self.landmarks_align}
        if kind not in tables:
            raise ValueError(f'Target type "{kind}" is not recognized.')
        return tables[kind][index]

    def __getitem__(self, index):
        image = Image.open(os.path.join(self.images_folder, self.filename[index]))
        targets = [self.target(kind, index) for kind in self.target_type]
        image = image if self.transform is None else self.transform(image)
        if not targets:
            return image, None
        target = targets[0] if len(targets) == 1 else tuple(targets)
        return image, target if self.target_transform is None else self.target_transform(target)

    def __len__(self):
        return len(self.attr)
