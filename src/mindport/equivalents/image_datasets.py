"""torchvision's data sets in daily use, read from the files that torchvision reads; nothing is downloaded.

https://docs.pytorch.org/vision/0.28/datasets.html
"""

import gzip
import os
import pickle

import mindspore as ms
import numpy as np
from mindspore import Tensor
from PIL import Image

from mindport.declare import difference, layer
from mindport.equivalents.datasets import Dataset
from mindport.equivalents.generators import Generator
from mindport.equivalents.image_functional import to_pil_image

LOCAL = {"download": "nothing is downloaded: the files have to be there, in torchvision's folders"}


@layer("torchvision.datasets.VisionDataset")
class VisionDataset(Dataset):
    """Base of image data sets: `root`, and a function for the image, for the target, or for both."""

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        if transforms is not None and (transform is not None or target_transform is not None):
            raise ValueError("Only transforms or transform/target_transform can be passed as argument")
        self.root = os.path.expanduser(root) if isinstance(root, str) else root
        self.transform = transform
        self.target_transform = target_transform
        self.both = transforms
        self.transforms = transforms if transforms is not None else self.transformed

    def transformed(self, image, target):
        """The image and the target after what the data set was given for them."""
        if self.both is not None:
            return self.both(image, target)
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target


def idx_array(path):
    """An array in the IDX format of MNIST, gzipped or not."""
    name = path if os.path.exists(path) else path + ".gz"
    if not os.path.exists(name):
        raise RuntimeError(f"Dataset not found: {path} (nothing is downloaded)")
    with (gzip.open(name, "rb") if name.endswith(".gz") else open(name, "rb")) as file:
        head = file.read(4)
        shape = np.frombuffer(file.read(4 * head[3]), dtype=">i4")
        return np.frombuffer(file.read(), dtype=np.uint8).reshape(shape).copy()


@layer("torchvision.datasets.MNIST", drops=LOCAL)
class MNIST(VisionDataset):
    """Digits: a gray PIL image of 28 x 28 and an int. Files: ``root/MNIST/raw/train-images-idx3-ubyte`` and others."""

    folder = "MNIST"
    classes = ["0 - zero", "1 - one", "2 - two", "3 - three", "4 - four", "5 - five", "6 - six", "7 - seven", "8 - eight", "9 - nine"]

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, None, transform, target_transform)
        self.train = train
        images, labels = self.file_names()
        own = os.path.join(self.root, vars(type(self)).get("folder", type(self).__name__), "raw")  # torch goes by the name of the class
        raw = own if os.path.isdir(own) else os.path.join(self.root, self.folder, "raw")
        self.data = Tensor(idx_array(os.path.join(raw, images)))
        self.targets = Tensor(idx_array(os.path.join(raw, labels)), ms.int64)
        self._pixels = self.data.asnumpy()
        self._labels = self.targets.asnumpy()

    def file_names(self):
        """The files of images and of labels below ``raw``."""
        part = "train" if self.train else "t10k"
        return f"{part}-images-idx3-ubyte", f"{part}-labels-idx1-ubyte"

    def __getitem__(self, index):
        return self.transformed(Image.fromarray(self._pixels[index]), int(self._labels[index]))

    def __len__(self):
        return len(self._labels)

    @property
    def class_to_idx(self):
        return {name: i for i, name in enumerate(self.classes)}

    @property
    def train_data(self):  # the names before torchvision 0.3, which it still has
        return self.data

    @property
    def test_data(self):
        return self.data

    @property
    def train_labels(self):
        return self.targets

    @property
    def test_labels(self):
        return self.targets


@layer("torchvision.datasets.FashionMNIST", drops=LOCAL)
class FashionMNIST(MNIST):
    """Clothes: as MNIST, under ``root/FashionMNIST/raw``."""

    folder = "FashionMNIST"
    classes = ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"]


@layer("torchvision.datasets.CIFAR10", drops=LOCAL)
class CIFAR10(VisionDataset):
    """Small photographs: a PIL image of 32 x 32 and an int. Files: ``root/cifar-10-batches-py``."""

    folder = "cifar-10-batches-py"
    parts = [f"data_batch_{i}" for i in range(1, 6)], ["test_batch"]
    names = "batches.meta", "label_names"
    labels = "labels"

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, None, transform, target_transform)
        self.train = train
        read = [self.unpickled(part) for part in self.parts[0 if train else 1]]
        pixels = np.vstack([part["data"] for part in read]).reshape(-1, 3, 32, 32)
        self.data = pixels.transpose(0, 2, 3, 1)
        self.targets = [label for part in read for label in part[self.labels]]
        self.classes = self.unpickled(self.names[0])[self.names[1]]
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}

    def unpickled(self, name):
        """What one file of the archive holds."""
        path = os.path.join(self.root, self.folder, name)
        if not os.path.exists(path):
            raise RuntimeError(f"Dataset not found: {path} (nothing is downloaded)")
        with open(path, "rb") as file:
            return pickle.load(file, encoding="latin1")

    def __getitem__(self, index):
        return self.transformed(Image.fromarray(self.data[index]), self.targets[index])

    def __len__(self):
        return len(self.data)


@layer("torchvision.datasets.CIFAR100", drops=LOCAL)
class CIFAR100(CIFAR10):
    """As CIFAR10, with 100 fine labels. Files: ``root/cifar-100-python``."""

    folder = "cifar-100-python"
    parts = ["train"], ["test"]
    names = "meta", "fine_label_names"
    labels = "fine_labels"


def rgb_image(path):
    """A file as an RGB PIL image."""
    with open(path, "rb") as file:
        return Image.open(file).convert("RGB")


@layer("torchvision.datasets.DatasetFolder")
class DatasetFolder(VisionDataset):
    """Files in one folder a class: what `loader` makes of a file, and the class's number."""

    def __init__(self, root, loader, extensions=None, transform=None, target_transform=None, is_valid_file=None, allow_empty=False):
        super().__init__(root, None, transform, target_transform)
        if (extensions is None) == (is_valid_file is None):
            raise ValueError("Both extensions and is_valid_file cannot be None or not None at the same time")
        self.loader = loader
        self.extensions = extensions
        self.classes, self.class_to_idx = self.find_classes(self.root)
        wanted = is_valid_file if is_valid_file is not None else lambda path: path.lower().endswith(tuple([extensions] if isinstance(extensions, str) else extensions))
        self.samples = []
        empty = []
        for name in sorted(self.class_to_idx):
            before = len(self.samples)
            for folder, _, files in sorted(os.walk(os.path.join(self.root, name), followlinks=True)):
                paths = [os.path.join(folder, file) for file in sorted(files)]
                self.samples += [(path, self.class_to_idx[name]) for path in paths if wanted(path)]
            empty += [name] if len(self.samples) == before else []
        if empty and not allow_empty:
            raise FileNotFoundError(f"Found no valid file for the classes {', '.join(sorted(empty))}.")
        self.targets = [target for _, target in self.samples]

    def find_classes(self, directory):
        """(the folders' names, their numbers by name)"""
        classes = sorted(entry.name for entry in os.scandir(directory) if entry.is_dir())
        if not classes:
            raise FileNotFoundError(f"Couldn't find any class folder in {directory}.")
        return classes, {name: i for i, name in enumerate(classes)}

    def __getitem__(self, index):
        path, target = self.samples[index]
        return self.transformed(self.loader(path), target)

    def __len__(self):
        return len(self.samples)


@layer("torchvision.datasets.ImageFolder")
class ImageFolder(DatasetFolder):
    """Images in one folder a class: an RGB PIL image and the class's number."""

    def __init__(self, root, transform=None, target_transform=None, loader=rgb_image, is_valid_file=None, allow_empty=False):
        kinds = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")
        super().__init__(root, loader, kinds if is_valid_file is None else None, transform, target_transform, is_valid_file, allow_empty)
        self.imgs = self.samples


@layer(
    "torchvision.datasets.FakeData",
    differs=[difference("a pixel in ten thousand may differ: the normal numbers agree up to their last bits", risk="style", zh="极少数像素可能不同")],
)
class FakeData(VisionDataset):
    """Images of noise and random labels: torch's own, because each is drawn from a seed of its own."""

    def __init__(self, size=1000, image_size=(3, 224, 224), num_classes=10, transform=None, target_transform=None, random_offset=0):
        super().__init__(None, None, transform, target_transform)
        self.size = size
        self.num_classes = num_classes
        self.image_size = image_size
        self.random_offset = random_offset

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(f"{type(self).__name__} index out of range")
        numbers = Generator().manual_seed(index + self.random_offset)
        pixels = numbers.normals(int(np.prod(self.image_size))).reshape(self.image_size)
        image = to_pil_image(np.moveaxis(pixels, 0, -1))
        return self.transformed(image, numbers.integers(0, self.num_classes, 1)[0])

    def __len__(self):
        return self.size
