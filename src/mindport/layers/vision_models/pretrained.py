"""Which weights a torchvision model is asked to have, where they are, and what they were trained to see.

https://docs.pytorch.org/vision/0.28/models.html#initializing-pre-trained-models. The files are PyTorch's own: they are
taken from torch.hub's cache, or downloaded into it.
"""

from collections import namedtuple
from enum import Enum
from functools import partial

from mindport.declare import layer
from mindport.equivalents.hub import load_state_dict_from_url
from mindport.equivalents.image_functional import InterpolationMode
from mindport.equivalents.image_presets import ImageClassification
from mindport.layers.state_dict import load_state_dict

#: Of every builder: what has no meaning here.
SHOWN = {"progress": "nothing is shown"}


class Pretrained(namedtuple("Pretrained", ["url", "transforms"])):
    """The address of a file of weights, and what makes the images' preparation."""

    __slots__ = ()


def trained_on(url, crop_size=224, resize_size=256, interpolation=InterpolationMode.BILINEAR, **colours):
    """Weights at an address below torchvision's, and the size of the images that they were trained on."""
    preparation = partial(ImageClassification, crop_size=crop_size, resize_size=resize_size, interpolation=interpolation, **colours)
    return Pretrained(f"https://download.pytorch.org/models/{url}", preparation)


@layer("torchvision.models.WeightsEnum", "torchvision.models._api.WeightsEnum")
class WeightsEnum(Enum):
    """The weights that a model can be given. https://docs.pytorch.org/vision/0.28/generated/torchvision.models.WeightsEnum.html"""

    @classmethod
    def verify(cls, obj):
        """A member from itself, its name or None. Raises TypeError for something else, KeyError for an unknown name."""
        if obj is None or isinstance(obj, cls):
            return obj
        if isinstance(obj, str):
            return cls[obj.replace(f"{cls.__name__}.", "")]
        raise TypeError(f"Invalid Weight class provided; expected {cls.__name__} but received {obj.__class__.__name__}.")

    @property
    def url(self):
        return self.value.url

    @property
    def transforms(self):
        return self.value.transforms

    def get_state_dict(self, *args, **kwargs):
        return load_state_dict_from_url(self.url, *args, **kwargs)

    def __repr__(self):
        return f"{type(self).__name__}.{self.name}"


def chosen(kinds, weights, options, first="IMAGENET1K_V1"):
    """The member of `kinds` that a builder's arguments ask for, or None.

    torchvision's older form is a truth value: the option `pretrained`, which is taken out of the options, or in the place of `weights`;
    it means the member named `first`. Raises ValueError where there was none (None).
    """
    former = options.pop("pretrained", None)
    asked = former if weights is None else weights
    if asked is None or weights is not None and isinstance(asked, (WeightsEnum, str)):
        return kinds.verify(asked)
    if asked and first is None:
        raise ValueError(f"No weights available for {kinds.__name__}")
    return kinds[first] if asked else None


def prescribed(options, **fixed):
    """A builder's options with those that are not free. Raises ValueError where an option is another one."""
    for name, value in fixed.items():
        if options.get(name, value) != value:
            raise ValueError(f"The parameter '{name}' expected value {value} but got {options[name]} instead.")
    return {**options, **fixed}


def for_weights(weights, options, **fixed):
    """A builder's options with those that its weights, if any, prescribe: a thousand classes."""
    return options if weights is None else prescribed(options, num_classes=1000, **fixed)


def with_weights(model, weights):
    """The model in training mode, as torch's are born, with the weights that were chosen, if any."""
    if weights is not None:
        load_state_dict(model, weights.get_state_dict())
    return model.set_train()
