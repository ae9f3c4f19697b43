"""What a project depends on, and what MindSpore's world has instead: facts about packages, as data.

`COUNTERPARTS`: import name → (distribution, what stands in for it under MindSpore, kind). Kinds: `framework` (converted),
`none needed` (independent of the framework), `counterpart` (another package does it), `partial` (in part), `blocks`
(built on PyTorch's internals; nothing stands in).
"""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["framework", "none needed", "counterpart", "partial", "blocks"]

COUNTERPARTS: dict[str, tuple[str, str, Kind]] = {
    "torch": ("torch", "mindspore", "framework"),
    "torchvision": ("torchvision", "mindport's equivalents; mindspore.dataset.vision, mindcv", "framework"),
    "torchaudio": ("torchaudio", "mindspore.dataset.audio in part; librosa", "partial"),
    "torchtext": ("torchtext", "mindspore.dataset.text in part", "partial"),
    "torchmetrics": ("torchmetrics", "mindspore.train metrics, scikit-learn", "partial"),
    "pytorch_lightning": ("pytorch-lightning", "mindspore.train.Model with callbacks; the loop has to be written out", "blocks"),
    "lightning": ("lightning", "mindspore.train.Model with callbacks; the loop has to be written out", "blocks"),
    "ignite": ("pytorch-ignite", "mindspore.train.Model with callbacks", "blocks"),
    "fastai": ("fastai", "mindspore.train.Model with callbacks", "blocks"),
    "timm": ("timm", "mindcv", "counterpart"),
    "transformers": ("transformers", "mindnlp / mindformers", "counterpart"),
    "pytorch_transformers": ("pytorch-transformers", "mindnlp", "counterpart"),
    "pytorch_pretrained_bert": ("pytorch-pretrained-bert", "mindnlp", "counterpart"),
    "diffusers": ("diffusers", "mindone.diffusers", "counterpart"),
    "accelerate": ("accelerate", "mindspore.communication and mindspore.amp", "partial"),
    "deepspeed": ("deepspeed", "MindSpore's parallel modes (mindspore.parallel)", "blocks"),
    "peft": ("peft", "mindnlp.peft", "counterpart"),
    "bitsandbytes": ("bitsandbytes", "mindspore-gs (Golden Stick) in part", "blocks"),
    "xformers": ("xformers", "ops.flash_attention_score on Ascend", "blocks"),
    "flash_attn": ("flash-attn", "ops.flash_attention_score on Ascend", "blocks"),
    "triton": ("triton", "a custom operator (mindspore.ops.Custom)", "blocks"),
    "apex": ("apex", "mindspore.amp", "partial"),
    "mmcv": ("mmcv", "nothing as a whole; its compiled operators need equivalents", "blocks"),
    "mmengine": ("mmengine", "nothing as a whole", "blocks"),
    "mmdet": ("mmdet", "mindyolo, mindcv in part", "blocks"),
    "mmseg": ("mmsegmentation", "mindcv in part", "blocks"),
    "detectron2": ("detectron2", "nothing as a whole", "blocks"),
    "fvcore": ("fvcore", "nothing as a whole; small parts are plain Python", "partial"),
    "ultralytics": ("ultralytics", "mindyolo", "counterpart"),
    "segmentation_models_pytorch": ("segmentation-models-pytorch", "mindcv backbones; heads can be converted from source", "partial"),
    "monai": ("monai", "nothing as a whole; its transforms are NumPy in part", "partial"),
    "kornia": ("kornia", "can be converted from source; OpenCV for data", "partial"),
    "albumentations": ("albumentations", "itself (NumPy and OpenCV); leave out albumentations.pytorch", "none needed"),
    "torch_geometric": ("torch-geometric", "mindspore_gl", "counterpart"),
    "torch_scatter": ("torch-scatter", "ops.tensor_scatter_add, ops.unsorted_segment_sum", "counterpart"),
    "torch_sparse": ("torch-sparse", "COOTensor and CSRTensor in part; gather and unsorted_segment_sum", "partial"),
    "torch_cluster": ("torch-cluster", "SciPy, scikit-learn on the host", "partial"),
    "dgl": ("dgl", "mindspore_gl", "counterpart"),
    "gym": ("gym", "itself (independent of the framework)", "none needed"),
    "gymnasium": ("gymnasium", "itself (independent of the framework)", "none needed"),
    "stable_baselines3": ("stable-baselines3", "mindrl (mindspore-rl)", "blocks"),
    "tianshou": ("tianshou", "mindrl (mindspore-rl)", "blocks"),
    "einops": ("einops", "itself: einops has a MindSpore backend for PyNative mode only in some versions; else reshape and permute", "partial"),
    "tensorboard": ("tensorboard", "itself: mindspore SummaryRecord writes its own format; tensorboardX needs no framework", "none needed"),
    "tensorboardX": ("tensorboardX", "itself (NumPy)", "none needed"),
    "wandb": ("wandb", "itself", "none needed"),
    "thop": ("thop", "count on the PyTorch side; mindinsight is retired", "partial"),
    "torchsummary": ("torchsummary", "print(cell); count on the PyTorch side", "partial"),
    "torchinfo": ("torchinfo", "print(cell); count on the PyTorch side", "partial"),
    "pycocotools": ("pycocotools", "itself", "none needed"),
    "onnx": ("onnx", "itself; mindspore.export writes ONNX in part", "none needed"),
    "onnxruntime": ("onnxruntime", "itself", "none needed"),
    "tensorrt": ("tensorrt", "MindSpore Lite on Ascend", "blocks"),
    "horovod": ("horovod", "mindspore.communication", "partial"),
    "spacy": ("spacy", "itself", "none needed"),
    "sentencepiece": ("sentencepiece", "itself", "none needed"),
    "tokenizers": ("tokenizers", "itself", "none needed"),
    "datasets": ("datasets", "itself, with set_format('numpy')", "none needed"),
    "librosa": ("librosa", "itself", "none needed"),
    "fairseq": ("fairseq", "nothing as a whole", "blocks"),
    "lpips": ("lpips", "its network can be converted from source", "partial"),
    "faiss": ("faiss", "itself", "none needed"),
    "jax": ("jax", "another framework: it stays", "none needed"),
    "tensorflow": ("tensorflow", "another framework: it stays", "none needed"),
}

COUNTERPARTS |= {
    "pytorch3d": ("pytorch3d", "nothing as a whole", "blocks"), "spconv": ("spconv", "nothing: sparse convolutions have no counterpart", "blocks"),
    "MinkowskiEngine": ("MinkowskiEngine", "nothing: sparse convolutions have no counterpart", "blocks"), "torch_xla": ("torch-xla", "not needed: set_device", "partial"),
    "torchdata": ("torchdata", "mindspore.dataset, or a generator", "partial"), "webdataset": ("webdataset", "itself for reading; mindspore.dataset.GeneratorDataset around it", "partial"),
    "torchdiffeq": ("torchdiffeq", "can be converted from source", "partial"), "pytorch_metric_learning": ("pytorch-metric-learning", "can be converted from source", "partial"),
    "efficientnet_pytorch": ("efficientnet-pytorch", "mindcv", "counterpart"), "pretrainedmodels": ("pretrainedmodels", "mindcv", "counterpart"),
    "sentence_transformers": ("sentence-transformers", "mindnlp in part", "partial"), "open_clip": ("open-clip-torch", "mindone, mindnlp in part", "partial"), "clip": ("clip", "mindnlp in part", "partial"),
    "nvidia": ("nvidia-dali", "mindspore.dataset", "partial"), "kornia_rs": ("kornia-rs", "itself", "none needed"), "torchnet": ("torchnet", "its meters can be written with NumPy", "partial"),
    "trl": ("trl", "mindnlp in part", "blocks"), "vllm": ("vllm", "vllm-mindspore", "counterpart"), "torch_optimizer": ("torch-optimizer", "mindspore.experimental.optim, or convert its source", "partial"),
}  # fmt: skip
#: Packages that know no framework: what they do with arrays, files and figures goes on as it is.
INDEPENDENT: frozenset[str] = frozenset((
    "numpy", "scipy", "pandas", "matplotlib", "PIL", "cv2", "skimage", "sklearn", "seaborn", "plotly", "bokeh", "visdom", "imageio", "h5py", "lmdb", "yaml", "omegaconf",
    "hydra", "pyrallis", "tyro", "yacs", "ml_collections", "absl", "click", "typer", "fire", "tqdm", "rich", "colorama", "termcolor", "tabulate", "prettytable",
    "loguru", "psutil", "pynvml", "requests", "urllib3", "bs4", "aiohttp", "flask", "fastapi", "gradio", "streamlit", "IPython", "ipywidgets", "ipdb", "pudb", "pytest",
    "nltk", "regex", "jieba", "sacrebleu", "sacremoses", "ftfy", "unidecode", "phonemizer", "inflect", "pyworld", "soundfile", "resampy", "pyloudnorm", "parselmouth",
    "praatio", "webrtcvad", "sounddevice", "pydub", "networkx", "igraph", "rdkit", "ogb", "gdown", "dill", "joblib", "cloudpickle", "msgpack", "orjson", "pyarrow",
    "numba", "cython", "Cython", "pyximport", "setuptools", "pkg_resources", "attr", "attrs", "pydantic", "dataclasses_json", "addict", "easydict", "munch", "packaging",
    "six", "future", "typing_extensions", "d4rl", "mujoco_py", "dm_control", "dm_env", "atari_py", "ale_py", "pybullet", "box2d", "Box2D", "imgaug", "nibabel",
    "SimpleITK", "pydicom", "trimesh", "open3d", "plyfile", "shapely", "faker", "optuna", "ray", "mlflow", "neptune", "comet_ml", "clearml", "tensorboard_logger",
    "submitit", "evaluate", "rouge", "rouge_score", "pesq", "pystoi", "museval", "editdistance", "jiwer", "lxml", "openpyxl", "xlrd", "sqlalchemy", "pymysql", "redis",
    "boto3", "google", "github_clone", "snakemake", "xarray", "netCDF4", "cdsapi", "zarr", "dask", "timezonefinder", "pytz", "dateutil", "protobuf", "grpc", "onnxsim",
    "onnxoptimizer", "huggingface_hub", "safetensors", "tiktoken", "filelock", "flask_cors", "tornado", "uvicorn", "starlette", "jinja2", "tensorflow_hub", "cPickle", "pickle5",
))  # fmt: skip

#: Distributions that go by another name than what is imported.
IMPORTED_AS = {
    "opencv-python": "cv2", "opencv-python-headless": "cv2", "pillow": "PIL", "scikit-learn": "sklearn", "scikit-image": "skimage",
    "pyyaml": "yaml", "torch-geometric": "torch_geometric", "torch-scatter": "torch_scatter", "torch-sparse": "torch_sparse",
    "torch-cluster": "torch_cluster", "pytorch-lightning": "pytorch_lightning", "pytorch-ignite": "ignite", "flash-attn": "flash_attn",
    "segmentation-models-pytorch": "segmentation_models_pytorch", "stable-baselines3": "stable_baselines3", "mmsegmentation": "mmseg",
    "mmcv-full": "mmcv", "attrs": "attr", "protobuf": "google", "python-dateutil": "dateutil", "beautifulsoup4": "bs4", "absl-py": "absl", "hydra-core": "hydra", "pytorch": "torch", "grpcio": "grpc", "python-box": "box",
}  # fmt: skip

#: MindSpore 2.10 runs on these Python versions, and needs this NumPy (measured: with NumPy 2 its tensors' arithmetic fails).
PYTHON_VERSIONS = ("3.10", "3.11", "3.12")
NUMPY_LIMIT = "numpy<2"

_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*((?:[=<>!~]=?=?\s*[^#;,\s]+\s*,?\s*)*)")


def requirement(line: str) -> tuple[str, str] | None:
    """(distribution, version text) of a requirements line; None for comments, options and links."""
    line = line.split("#")[0].strip().strip("\"',")
    if not line or line.startswith(("-", "git+", "http", ".", "/")):
        return None
    found = _REQUIREMENT.match(line)
    return (found[1], "".join(found[2].split())) if found else None


def import_name(distribution: str) -> str:
    """What a distribution is imported as."""
    lowered = distribution.lower().replace("_", "-")
    return IMPORTED_AS.get(lowered, lowered.replace("-", "_"))
