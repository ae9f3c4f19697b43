"""torchvision's data sets of images with boxes, masks or captions, read from the files that torchvision reads; nothing is downloaded.

https://docs.pytorch.org/vision/0.28/datasets.html#image-detection-or-segmentation
"""

import json
import os
from xml.etree import ElementTree

from PIL import Image

from mindport.declare import layer
from mindport.equivalents.image_datasets import LOCAL, VisionDataset, rgb_image
from mindport.equivalents.labelled_images import chosen, found


class PascalVOC(VisionDataset):
    """The layout of Pascal VOC: images, and beside each what belongs to it. The test set of 2007 lies beside its training set."""

    def __init__(self, root, year="2012", image_set="train", download=False, transform=None, target_transform=None, transforms=None):
        super().__init__(root, transforms, transform, target_transform)
        self.year = chosen("year", year, tuple(str(one) for one in range(2007, 2013)))
        self.image_set = chosen("image_set", image_set, ("train", "trainval", "val", *(("test",) if year == "2007" else ())))
        base = os.path.join(self.root, *(("TrainVal",) if year == "2011" else ()), "VOCdevkit", f"VOC{year}")
        with open(os.path.join(found(base), "ImageSets", self.splits, f"{image_set}.txt")) as file:
            names = [line.strip() for line in file]
        self.images = [os.path.join(base, "JPEGImages", f"{name}.jpg") for name in names]
        self.targets = [os.path.join(base, self.folder, name + self.ending) for name in names]

    def __len__(self):
        return len(self.images)


@layer("torchvision.datasets.VOCSegmentation", drops=LOCAL)
class VOCSegmentation(PascalVOC):
    """An RGB PIL image and a PIL image of its classes. Files: ``root/VOCdevkit/VOC2012/…``."""

    splits, folder, ending = "Segmentation", "SegmentationClass", ".png"

    @property
    def masks(self):
        return self.targets

    def __getitem__(self, index):
        return self.transforms(rgb_image(self.images[index]), Image.open(self.targets[index]))


@layer("torchvision.datasets.VOCDetection", drops=LOCAL)
class VOCDetection(PascalVOC):
    """An RGB PIL image and a dictionary of what its XML file holds. Files: ``root/VOCdevkit/VOC2012/…``."""

    splits, folder, ending = "Main", "Annotations", ".xml"

    @property
    def annotations(self):
        return self.targets

    def __getitem__(self, index):
        return self.transforms(rgb_image(self.images[index]), self.parse_voc_xml(ElementTree.parse(self.targets[index]).getroot()))

    @staticmethod
    def parse_voc_xml(node):
        """{tag: text} of an element without children, else {tag: what its children hold}: one of a tag by itself, several as a list, objects always as a list."""
        held = {}
        for child in node:
            for tag, value in VOCDetection.parse_voc_xml(child).items():
                held.setdefault(tag, []).append(value)
        if len(node):
            objects = {"object": held.get("object", [])} if node.tag == "annotation" else {}
            return {node.tag: {**{tag: values[0] if len(values) == 1 else values for tag, values in held.items()}, **objects}}
        return {node.tag: node.text.strip()} if node.text else {}


@layer("torchvision.datasets.CocoDetection")
class CocoDetection(VisionDataset):
    """An RGB PIL image and the list of its annotations, as pycocotools reads them."""

    def __init__(self, root, annFile, transform=None, target_transform=None, transforms=None):
        super().__init__(root, transforms, transform, target_transform)
        from pycocotools.coco import COCO

        self.coco = COCO(annFile)
        self.ids = sorted(self.coco.imgs)

    def _load_image(self, id):
        return rgb_image(os.path.join(self.root, self.coco.loadImgs(id)[0]["file_name"]))

    def _load_target(self, id):
        return self.coco.loadAnns(self.coco.getAnnIds(id))

    def __getitem__(self, index):
        if not isinstance(index, int):
            raise ValueError(f"Index must be of type integer, got {type(index)} instead.")
        return self.transforms(self._load_image(self.ids[index]), self._load_target(self.ids[index]))

    def __len__(self):
        return len(self.ids)


@layer("torchvision.datasets.CocoCaptions")
class CocoCaptions(CocoDetection):
    """An RGB PIL image and the list of its captions."""

    def _load_target(self, id):
        return [one["caption"] for one in super()._load_target(id)]


@layer("torchvision.datasets.Cityscapes")
class Cityscapes(VisionDataset):
    """Streets: an RGB PIL image and its instances, classes or colours (PIL images) or polygons (a dictionary). Files: ``root/leftImg8bit/train/CITY/…``, ``root/gtFine/train/CITY/…``."""

    def __init__(self, root, split="train", mode="fine", target_type="instance", transform=None, target_transform=None, transforms=None):
        super().__init__(root, transforms, transform, target_transform)
        self.mode = "gtFine" if mode == "fine" else "gtCoarse"
        chosen("mode", mode, ("fine", "coarse"))
        chosen("split", split, ("train", "test", "val") if mode == "fine" else ("train", "train_extra", "val"))
        self.split = split
        self.target_type = target_type if isinstance(target_type, list) else [target_type]
        endings = {"instance": "instanceIds.png", "semantic": "labelIds.png", "color": "color.png", "polygon": "polygons.json"}
        wanted = [f"{self.mode}_{endings[chosen('target_type', kind, tuple(endings))]}" for kind in self.target_type]
        self.images_dir, self.targets_dir = os.path.join(self.root, "leftImg8bit", split), os.path.join(self.root, self.mode, split)
        found(self.images_dir, self.targets_dir)
        places = [(city, name) for city in os.listdir(self.images_dir) for name in os.listdir(os.path.join(self.images_dir, city))]
        self.images = [os.path.join(self.images_dir, city, name) for city, name in places]
        self.targets = [[os.path.join(self.targets_dir, city, f"{name.split('_leftImg8bit')[0]}_{ending}") for ending in wanted] for city, name in places]

    def target(self, path):
        """What one file holds."""
        if not path.endswith(".json"):
            return Image.open(path)
        with open(path) as file:
            return json.load(file)

    def __getitem__(self, index):
        targets = [self.target(path) for path in self.targets[index]]
        return self.transforms(rgb_image(self.images[index]), targets[0] if len(targets) == 1 else tuple(targets))

    def __len__(self):
        return len(self.images)
