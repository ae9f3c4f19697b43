"""Features between the layers of a network, by the layers' names: torchvision's IntermediateLayerGetter.

https://docs.pytorch.org/vision/0.28/feature_extraction.html
"""

from collections import OrderedDict

from mindport.declare import layer
from mindport.layers.container import ModuleDict


@layer("torchvision.models._utils.IntermediateLayerGetter")
class IntermediateLayerGetter(ModuleDict):
    """Runs a network's own layers in their order up to the last that is wanted; the result holds each wanted one's output under its new name."""

    def __init__(self, model, return_layers):
        parts = model.name_cells()
        if not set(return_layers) <= set(parts):
            raise ValueError("return_layers are not present in model")
        last = max(place for place, name in enumerate(parts) if name in {str(wanted) for wanted in return_layers})
        super().__init__(OrderedDict(list(parts.items())[: last + 1]))
        self.return_layers = return_layers

    def construct(self, x):
        found = OrderedDict()
        for name, cell in self.items():
            x = cell(x)
            if name in self.return_layers:
                found[self.return_layers[name]] = x
        return found
