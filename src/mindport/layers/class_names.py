"""What torch calls the class of a layer: ``m.__class__.__name__.find("Linear")`` meets `nn.Dense`."""

from mindport.declare import equivalent

#: MindSpore's class names where they differ from torch's. A test holds the table against the layers.
CLASS_NAMES = {
    "Dense": "Linear", "BiDense": "Bilinear", "SequentialCell": "Sequential", "CellList": "ModuleList", "Cell": "Module",
    "Conv1dTranspose": "ConvTranspose1d", "Conv2dTranspose": "ConvTranspose2d", "Conv3dTranspose": "ConvTranspose3d",
    "HSwish": "Hardswish", "HSigmoid": "Hardsigmoid", "HShrink": "Hardshrink", "SoftShrink": "Softshrink",
}


@equivalent("torch.nn.Module.__class__.__name__")
def class_name(value):
    """The name of a value's class, torch's name where it is a layer of MindSpore."""
    cls = getattr(type(value), "plain_class", type(value))  # computed weights have a class of their own
    return CLASS_NAMES.get(cls.__name__, cls.__name__) if cls.__module__.startswith("mindspore.") else cls.__name__
