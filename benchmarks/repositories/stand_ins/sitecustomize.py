"""Stand-ins on both sides for what a repository imports beside its training: loggers, readers, augmentations. Only for what is not installed.

On PyTorch's side ``.cuda()`` stays where it is, and torchvision may be one that was made for another torch; NumPy gets the names back that it dropped.
"""

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import types

NAMES = frozenset(
    ["SimpleITK", "addict", "albumentations", "autograd", "crepe", "cv2", "datasets", "dmc2gym", "easydict", "editdistance", "effortless_config", "emoji", "einx", "faiss", "fcn", "ffmpeg", "fvcore", "gensim", "got10k", "gym", "gymnasium", "h5py", "higher", "huggingface_hub", "hydra", "imageio", "imgaug", "inflect", "ipdb", "IPython", "kornia", "librosa", "matplotlib", "medpy", "mpl_toolkits", "msgpack", "munch", "munkres", "nibabel", "nltk", "nnAudio", "numba", "open3d", "openml", "optuna", "pandas", "patoolib", "plyfile", "pointnet2_ops", "pretrainedmodels", "pretty_midi", "progress", "pyclipper", "pymatgen", "pyrouge", "pytz", "regex", "hickle", "pycocotools", "pytorch_lightning", "reformer_pytorch", "requests", "rdt", "joblib", "resampy", "seaborn", "skimage", "shapely", "sklearn", "sktime", "soundfile", "spacy", "tensorboard", "tensorboardX", "tensorboard_logger", "tensorflow", "termcolor", "text_unidecode", "texttable", "thop", "timm", "torch_optimizer", "torchaudio", "torchmeta", "torchnet", "torchstat", "torchsummary", "torchsummaryX", "torchtext", "trimesh", "unidecode", "visdom", "wandb", "warmup_scheduler", "webcolors", "webrtcvad", "xlrd", "xlwt", "yaml"]
)

#: Also where a file of that name is there.
SUBMODULES = frozenset({"torch.utils.tensorboard", "im2mesh.dmc.ops._cuda_ext", "im2mesh.dmc.ops.cpp_modules", "im2mesh.utils.libmcubes", "im2mesh.utils.libkdtree", "im2mesh.utils.libmesh", "im2mesh.utils.libmise", "im2mesh.utils.libsimplify", "im2mesh.utils.libvoxelize", "im2mesh.utils.libvoxelize.voxelize", "third_party.midi_processor", "third_party.midi_processor.processor"})

PRELUDE = pathlib.Path(__file__).parents[3] / "examples" / "torchvision_prelude.py"


class Thing:
    """Takes every call and every attribute; a function that it decorates stays."""

    def __init__(self, *arguments, **options):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Thing()

    def __call__(self, *arguments, **options):
        return arguments[0] if len(arguments) == 1 and callable(arguments[0]) and not options else Thing()

    def __iter__(self):
        return iter(())

    def __setitem__(self, key, value):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


class Module(types.ModuleType):
    __path__ = []
    __all__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Thing,), {}) if name[:1].isupper() else Thing()


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, stands_in_for):
        self.stands_in_for = stands_in_for

    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if self.stands_in_for(name) else None

    def create_module(self, spec):
        return Module(spec.name)

    def exec_module(self, module):
        pass


class Before(importlib.abc.MetaPathFinder):
    """Runs examples/torchvision_prelude.py before torchvision is imported the first time."""

    def find_spec(self, name, path, target=None):
        if name == "torchvision":
            sys.meta_path.remove(self)
            prelude = importlib.util.spec_from_file_location("torchvision_prelude", PRELUDE)
            module = sys.modules["torchvision_prelude"] = importlib.util.module_from_spec(prelude)
            with contextlib.suppress(ImportError):  # no torch here: then torchvision says so itself
                prelude.loader.exec_module(module)


sys.meta_path.insert(0, Before())
sys.meta_path.insert(0, Finder(SUBMODULES.__contains__))
sys.meta_path.append(Finder(lambda name: name.split(".")[0] in NAMES))

import numpy as np  # noqa: E402  (after the finder: what NumPy imports is not stood in for)

for old, now in (("float", float), ("int", int), ("bool", bool), ("object", object), ("Inf", float("inf"))):
    if old not in np.__dict__:
        setattr(np, old, now)
if os.environ.get("SIDE") == "torch":
    import torch

    torch.Tensor.cuda = torch.nn.Module.cuda = lambda self, *arguments, **options: self
    torch.set_num_threads(1)
