"""What the ninth set showed beside the recipe: data under other names, addresses, figures in sentences, decorated constructors, first layers, neighbours."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from mindport import catalog
from mindport.analysis.answers import Answer
from mindport.analysis.documents import purpose
from mindport.analysis.questions import data, features, nearest, network_sizes, reference, sparsity, structure
from mindport.analysis.subject import Subject
from mindport.inference.project import Project
from mindport.source.discover import discover


def answers(root: Path, question: ModuleType, **files: str) -> list[Answer]:
    """The rows of a question about a project that consists of these files (``README="…"`` is README.md)."""
    for name, text in files.items():
        (root / (f"{name}.md" if name.isupper() else f"{name}.py")).write_text(text)
    found = discover([root])
    project = Project(found.files)
    subject = Subject(found.root, {file: project.facts(file) for file in found.files}, project, catalog.load(), (), found.others)
    rows: list[Answer] = list(question.section(subject).answers)
    return rows


def value(rows: list[Answer], title: str) -> str:
    """What the first row of the title says."""
    return next(row.value for row in rows if row.title.startswith(title))


@pytest.mark.parametrize(("link", "text", "heading", "expected"), [
    ("https://drive.google.com/folders/1", "You can download the pre-trained models [here](https://drive.google.com/folders/1)", "", "weights"),
    ("https://drive.google.com/folders/1", "| 16 -> 128 | [Google Drive](https://drive.google.com/folders/1) |", "Pretrained Model", "weights"),
    ("https://drive.google.com/folders/1", "download the data [here](https://drive.google.com/folders/1)", "", "data"),
    ("https://x.edu/projects/datasets.tar", "We pack the original datasets [here](https://x.edu/projects/datasets.tar)", "", "data"),
    ("https://github.com/o/p/releases/a.zip", "| RESA | F1: 75 | [model](https://github.com/o/p/releases/a.zip) |", "", "weights"),
    ("https://github.com/UKPLab/sentence-transformers", "To generate embeddings for datasets use [it](https://github.com/UKPLab/sentence-transformers)", "", ""),
    ("https://github.com/drivendata/cookiecutter-data-science", "version your data as in [it](https://github.com/drivendata/cookiecutter-data-science)", "", ""),
    ("https://github.com/NVlabs/ffhq-dataset", "- [FFHQ](https://github.com/NVlabs/ffhq-dataset)", "", "data"),
    ("http://download.pytorch.org/whl/cu80/torch.whl", "download it and the data", "", ""),
    ("https://storage.googleapis.com/vit_models/imagenet21k/B_16.npz", "wget https://storage.googleapis.com/vit_models/imagenet21k/B_16.npz", "", "weights"),
    ("https://github.com/o/p/blob/master/datasets/folder.py", "see https://github.com/o/p/blob/master/datasets/folder.py", "", ""),
    ("https://x.edu/mnist.npz", "the data: https://x.edu/mnist.npz", "", "data"),
    ("https://datashare.is.ed.ac.uk/handle/10283/2791", "[valentini]: https://datashare.is.ed.ac.uk/handle/10283/2791", "", "data"),
])  # fmt: skip
def test_what_an_address_is_for(link: str, text: str, heading: str, expected: str) -> None:
    assert purpose(link, text, heading) == expected


def test_data_sets_under_other_names(tmp_path: Path) -> None:
    text = "import torch\nfrom torchvision import datasets\nkind = datasets.MNIST\nkind('data', download=True)\nkind('data', download=True)\nclass NoisyCleanSet:\n    def __len__(self):\n        return 1\n    def __getitem__(self, i):\n        return i\nclass Table:\n    def __len__(self):\n        return 1\n    def __getitem__(self, i):\n        return i\n"
    assert value(answers(tmp_path, data, train=text), "Data sets") == "NoisyCleanSet (read from files: see the paths and links); MNIST (public, downloads itself)"


def test_figures_in_sentences_and_cells(tmp_path: Path) -> None:
    readme = "A single A100 runs at what is 34.4 img/s.\nstart it with env_args.map_name=2s3z\n\n| Model | Metric |\n|---|---|\n| RESA | F1: 75.92 |\n\nIt reaches an IS of 9.1.\n"
    assert value(answers(tmp_path, reference, train="import torch\n", README=readme), "Results") == "RESA: F1 75.92; IS 9.1"


def test_a_decorated_constructor_has_no_size(tmp_path: Path) -> None:
    text = "import functools\nimport torch.nn as nn\ndef keep(init):\n    @functools.wraps(init)\n    def __init__(self, *args, **kwargs):\n        init(self, *args, **kwargs)\n    return __init__\nclass Net(nn.Module):\n    @keep\n    def __init__(self):\n        super().__init__()\n        self.out = nn.Linear(3, 4)\n    def forward(self, x):\n        return self.out(x)\nnet = Net()\n"
    assert "0 parameters" not in value(answers(tmp_path, network_sizes, train=text), "Size of Net")


def test_a_first_layer_is_no_head(tmp_path: Path) -> None:
    text = "import torch.nn as nn\nclass Agent(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc1 = nn.Linear(3, 4)\n        self.fc2 = nn.Linear(4, 5)\n    def forward(self, x):\n        return self.fc2(self.fc1(x))\n"
    parts = next(row for row in answers(tmp_path, structure, net=text) if row.title.startswith("Parts of Agent"))
    assert parts.value == "head Linear" and [q.line for q in parts.quotes if "fc" in q.text] == [6]


def test_common_words_make_no_neighbours(tmp_path: Path) -> None:
    text = "import torch.nn as nn\nclass SimpleDenseNet(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.model = nn.Sequential(nn.Linear(3, 4), nn.ReLU())\n    def forward(self, x):\n        return self.model(x)\n"
    root = tmp_path / "p"
    root.mkdir()
    assert next(row for row in answers(root, nearest, net=text) if row.row == "C1").status == "not found"


def test_a_sparse_product_by_its_name(tmp_path: Path) -> None:
    text = "import torch\na = torch.sparse_coo_tensor([[0], [0]], [1.0], (2, 2))\ndef layer(adj, x):\n    return torch.spmm(adj, x)\n"
    assert value(answers(tmp_path, sparsity, net=text), "Operators").startswith("1 of 1 have")


def test_a_precision_that_fabric_is_given_is_a_reason(tmp_path: Path) -> None:
    text = "import torch\nimport lightning as L\nfabric = L.Fabric(precision='bf16-mixed')\n"
    assert "Mixed precision" in [row.title for row in answers(tmp_path, features, train=text)]


def test_a_figure_before_its_name_is_one_to_reach(tmp_path: Path) -> None:
    text = "It surpasses the others with 88.11% Dice score.\n\nWe train 2.5% faster, and lose by 0.3 % accuracy.\n"
    assert "88.11%" in value(answers(tmp_path, data, README=text, net="import torch\n"), "Figures to reach")
    (tmp_path / "README.md").write_text("We train 2.5% faster, and lose by 0.3 % accuracy.\n")
    assert value(answers(tmp_path, data), "Figures to reach") == "the documents give no figure"


def test_a_replay_buffer_is_read_from_no_file(tmp_path: Path) -> None:
    text = "from torch.utils.data import Dataset\nclass ReplayBuffer(Dataset):\n    pass\nclass Images(Dataset):\n    pass\n"
    assert value(answers(tmp_path, data, net=text), "Data sets") == "ReplayBuffer (filled while the program runs); Images (read from files: see the paths and links)"
