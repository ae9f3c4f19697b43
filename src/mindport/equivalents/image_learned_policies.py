"""AutoAugment of PIL images: one of the pairs of operations that were learned on a data set, drawn anew for each image, as torchvision draws them.

https://docs.pytorch.org/vision/0.28/generated/torchvision.transforms.AutoAugment.html
"""

from enum import Enum

import numpy as np

from mindport.declare import layer
from mindport.equivalents.generators import default_generator
from mindport.equivalents.image_functional import InterpolationMode, height_and_width, invert, only_pil
from mindport.equivalents.image_policies import SIGNED, changed, strengths

#: Strengths of each kind.
BINS = 10
#: One letter or two for each operation in the tables.
LETTERS = {
    "P": "posterize", "R": "turn", "S": "solarize", "A": "autocontrast", "E": "equalize", "I": "invert", "C": "colour", "N": "contrast", "H": "sharpness",
    "B": "brightness", "X": "lean", "Y": "rise", "TX": "right", "TY": "down",
}  # fmt: skip
#: Pairs of operation, tenths of its probability, and number of its strength, as the paper and torchvision list them.
IMAGENET = (
    "P48 R69, S65 A6, E8 E6, P67 P66, E4 S24, E4 R88, S63 E6, P85 E10, R23 S68, E6 P46, R88 C40, R49 E6, E0 E8, I6 E10, C64 N108, R88 C102, C88 S87, "
    "H47 I6, X65 E10, C40 E6, E4 S24, S65 A6, I6 E10, C64 N108, E8 E6"
)
CIFAR10 = (
    "I1 N26, R72 TX39, H81 H93, Y58 TY79, A5 E9, Y27 P37, C43 B67, H39 B79, E6 E5, N67 H65, C77 TX58, E3 A4, TY43 H26, B96 C28, S52 I0, E2 A6, E2 E6, C99 E6, "
    "A8 S28, B13 C70, S45 A9, TY99 TY79, A9 S83, E8 I1, TY79 A9"
)
SVHN = (
    "X94 I2, Y98 I7, E6 S66, I9 E6, E6 R93, X94 A8, Y98 I4, Y95 S26, I9 A8, E6 R93, X94 S33, Y88 I7, E9 TY66, I9 E6, N33 R84, I8 TY02, Y76 S48, I6 R84, "
    "Y37 TX93, X16 I6, S72 TY67, Y84 I8, X79 TY83, Y85 A7, X72 I1"
)


@layer("torchvision.transforms.AutoAugmentPolicy", "torchvision.transforms.v2.AutoAugmentPolicy", "torchvision.transforms.autoaugment.AutoAugmentPolicy")
class AutoAugmentPolicy(Enum):
    """The data sets that policies were learned on."""

    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"


#: Policy's value → its table.
TABLES = {"imagenet": IMAGENET, "cifar10": CIFAR10, "svhn": SVHN}


def step(text):
    """(operation, probability, number of the strength or None): ``R69`` is turning, in 6 of 10, by strength 9; ``E10`` always equalizes."""
    letters = text.rstrip("0123456789")
    digits, name = text[len(letters) :], LETTERS[letters]
    if name in ("autocontrast", "equalize", "invert"):
        return name, int(digits) / 10, None
    return name, int(digits[:-1]) / 10, int(digits[-1])


@layer("torchvision.transforms.AutoAugment")
class AutoAugment:
    """Two operations in a row, each with a probability of its own."""

    def __init__(self, policy=AutoAugmentPolicy.IMAGENET, interpolation=InterpolationMode.NEAREST, fill=None):
        if not isinstance(policy, AutoAugmentPolicy):
            raise ValueError(f"The provided policy {policy} is not recognized.")
        self.policy, self.interpolation, self.fill = policy, interpolation, fill
        self.policies = [tuple(step(text) for text in pair.split()) for pair in TABLES[policy.value].split(", ")]

    @staticmethod
    def get_params(transform_num):
        """(number of the pair, two numbers below 1, two signs)."""
        number = default_generator.integers(0, transform_num, 1)[0]
        return number, [default_generator.uniform() for _ in range(2)], default_generator.integers(0, 2, 2)

    def __call__(self, img):
        only_pil(img, "an augmentation")
        height, width = height_and_width(img)
        most = {"lean": 0.3, "rise": 0.3, "right": 150.0 / 331.0 * width, "down": 150.0 / 331.0 * height, "turn": 30.0, "factor": 0.9, "bits": 4}
        number, chances, signs = self.get_params(len(self.policies))
        for (name, probability, chosen), chance, sign in zip(self.policies[number], chances, signs):
            if chance > np.float32(probability):
                continue
            strength = 0.0 if chosen is None else float(strengths(name, most, BINS)[chosen])
            if name in SIGNED and not sign:
                strength = -strength
            img = invert(img) if name == "invert" else changed(img, name, strength, self.interpolation, self.fill)
        return img

    def __repr__(self):
        return f"{type(self).__name__}(policy={self.policy}, fill={self.fill})"
