"""PyTorch's names by the part they play in the analysis. Logic asks for a role; which names play it stands here.

Names that end in a dot stand for everything below them. Longer tables stand with what they are about, as constants of their
module: `dynamic_shape/apis.py` (shapes), `recipe/vocabulary.py` (recipes), `network_run/layer_rules.py` (layers), `sparse_support.py`.
No function of this room names an API (`tests/project/test_torch_names.py`).
"""

from __future__ import annotations

#: PyTorch itself, and it with its sister that MindPort has equivalents for.
TORCH = "torch."
ANSWERED = ("torch.", "torchvision.")
#: Libraries whose functions give tensors.
TENSOR_LIBRARIES = ("torch", "torchvision", "torchaudio")
#: Whose methods the project's own methods are not: calls of these names keep their rules.
ARRAY_LIBRARIES = ("torch.", "numpy.")
VISION = "torchvision."
VISION_DATASETS = "torchvision.datasets."
#: Whose results are arrays of numbers, and hold no module.
ARRAYS = "numpy."
#: The beginnings of names that compute with tensors, and of those that read and change images.
COMPUTING = ("torch.Tensor.", "torch.", "torchvision.transforms.functional.", "torchvision.io.")
#: Where layers are, and what all modules are.
LAYERS = "torch.nn."
MODULE = "torch.nn.Module"
#: The ends of names of other libraries' classes that are modules: what derives from them is a network.
NETWORKS_ELSEWHERE = ("PreTrainedModel", "LightningModule")
TENSOR_DATASET = "torch.utils.data.TensorDataset"
PARAMETER = "torch.nn.Parameter"
TENSOR = "torch.Tensor"
#: A method of a tensor, and where the function of the same name is.
METHOD, FUNCTION = "torch.Tensor.", "torch."
FUNCTIONAL = "torch.nn.functional."
RETURN_TYPES = "torch.return_types."
LOADER = "torch.utils.data.DataLoader"
LOAD = "torch.load"
BOOL = "torch.bool"
#: What shows that a file trains.
BACKWARD, OPTIMIZERS = "torch.Tensor.backward", "torch.optim."
TRAINING = (BACKWARD, OPTIMIZERS)
#: Classes that train by themselves: they shuffle, and bring an optimizer and a schedule.
TRAINERS = ("transformers.Trainer", "transformers.Seq2SeqTrainer", "trl.SFTTrainer")
#: What a program makes that trains a network of a library for training.
TRAINING_OBJECTS = frozenset((*TRAINERS, "pytorch_lightning.Trainer", "lightning.Trainer", "lightning.pytorch.Trainer"))
#: Lightning's maker of a trainer from the command line's answers.
FROM_COMMAND_LINE = ".from_argparse_args"
CLIPPING = "torch.nn.utils.clip_grad"
#: The method that runs the backward pass.
BACKWARD_METHOD = "backward"
#: What a function with a backward pass of its own derives from; MindSpore runs such functions eagerly only.
OWN_BACKWARD = "torch.autograd.Function"
#: The last part of the name of what seeds the draws.
SEEDS = ("manual_seed", "seed_everything", "set_seed")
#: What fetches weights by address or name.
WEIGHTS_BY_NAME = ("torch.hub.load_state_dict_from_url", "torch.utils.model_zoo.load_url", "torch.hub.load")
#: Products whose name says that the first operand is sparse.
SPARSE_PRODUCTS = ("torch.spmm",)
SPARSE = ("torch.sparse.", "torch_sparse.", "torch_scatter.")
#: Decorators that call what they decorate, and change no shape.
TRANSPARENT = ("torch.", "functools.", "typing.")
#: Holders of modules, by the last part of their names.
SEQUENTIAL, MODULE_LIST, MODULE_DICT = "Sequential", "ModuleList", "ModuleDict"
#: The last part of a parameter's name, and the layer whose input is an image.
PARAMETER_KIND, IMAGE_LAYER = "Parameter", "Conv2d"
