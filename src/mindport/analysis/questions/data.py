"""D2–D5: data sets and how to get them, figures to reach, losses on record, weights."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from mindport.analysis import torch_names
from mindport.analysis.answers import Answer, Quote, Section, Table
from mindport.analysis.documents import WEIGHTS, links, purpose, readme_lines, results
from mindport.analysis.loss_logs import loss_logs
from mindport.analysis.subject import Subject, in_tests
from mindport.inference import values as v
from mindport.source.file import SourceFile

LETTER = "D"
_DATASET = "torch.utils.data."
#: Libraries whose data sets are public and fetched by name.
_PUBLIC = ("torchvision.datasets.", "torchaudio.datasets.", "torchtext.datasets.", "torch_geometric.datasets.", "datasets.load_dataset", "sklearn.datasets.", "dgl.data.", "keras.datasets.", "ogb.", "gym.make", "gymnasium.make")
_GENERIC = ("ImageFolder", "DatasetFolder", "VisionDataset", "FakeData", "CocoDetection", "Dataset", "load_dataset", "make")
_LOADED = re.compile(r"datasets\.(load\.)?load_(dataset|from_disk)")
#: A class that gives items without a base class, by its name.
_GIVES = re.compile(r".*(data|set|corpus|reader)s?|.*(Data|Set|Corpus).*")
#: A data set that training itself fills, by its name.
_FILLED = re.compile(r"[Rr]eplay|[Bb]uffer")
_ABSOLUTE = re.compile(r"^(/(?:home|data|mnt|root|media|Users|workspace|storage|nfs|raid|ssd|scratch|share|datasets?)/|[A-Za-z]:[\\/]|~/)")


def section(subject: Subject) -> Section:
    """Which data the project reads and whether it can be had, and what results are to be reached with it."""
    rows: list[tuple[str, str, str, str]] = []
    quotes: list[Quote] = []
    for name, kind, status, quote in dict.fromkeys([*_classes(subject), *_library(subject), *_by_name(subject)]):
        rows.append((name, kind, status, f"{quote.path}:{quote.line}"))
        quotes.append(quote)
    answers = [
        Answer(
            "D2", "Data sets", "found" if rows else "not found", "; ".join(list(dict.fromkeys(f"{name} ({status})" for name, _, status, _ in rows))[:10]) or "no data set class and no library's data set is used",
            tuple(dict.fromkeys(quotes))[:20], zh="数据集",
        ),
        _downloads(subject), _fixed_paths(subject), _figures(subject), loss_logs(subject), _weights(subject),
    ]  # fmt: skip
    parts = (Table("Data sets", ("data set", "how", "to be had", "place"), tuple(rows)),) if rows else ()
    return Section(LETTER, "Environment and data", "环境与数据", tuple(answers), parts)


def _classes(subject: Subject) -> Iterator[tuple[str, str, str, Quote]]:
    """Classes of the project that derive from a data set, or give items as one does."""
    for file, known in subject.facts.items():
        for cls in file.nodes if not in_tests(file.relative) else ():
            if isinstance(cls, ast.ClassDef) and not known.ancestors.get(cls) and _GIVES.fullmatch(cls.name):
                methods = {method.name for method in cls.body if isinstance(method, ast.FunctionDef)}
                if {"__getitem__", "__len__"} <= methods:
                    yield cls.name, "class with __getitem__ and __len__", "read from files: see the paths and links", subject.quote(file, cls)
        for node, ancestors in sorted(known.ancestors.items(), key=lambda item: item[0].lineno):
            base = next((a for a in ancestors if (a.startswith(_DATASET) and "Dataset" in a) or ".datasets." in a), None)
            if base is None or in_tests(file.relative):
                continue
            public = base.startswith(_PUBLIC) and base.rpartition(".")[2] not in _GENERIC
            status = "extended: a public one with changes of the project's own" if public else "filled while the program runs" if _FILLED.search(node.name) else "read from files: see the paths and links"
            yield node.name, f"class, derives from {base}", status, subject.quote(file, node)


def _library(subject: Subject) -> Iterator[tuple[str, str, str, Quote]]:
    """Data sets that a library fetches or reads."""
    for file, name, call in _library_calls(subject):
        short = name.rpartition(".")[2]
        download = any(k.arg == "download" and not (isinstance(k.value, ast.Constant) and not k.value.value) for k in call.keywords)
        first = call.args[0] if call.args else None
        said = f" {first.value}" if isinstance(first, ast.Constant) and isinstance(first.value, str) and short in ("load_dataset", "make") else ""
        if short in ("load_dataset", "make"):
            status = "public, by name" if said else "the name is not constant"
        elif short in _GENERIC:
            status = "read from files: see the paths and links"
        else:
            status = "public" + (", downloads itself" if download else "")
        yield short + said, name, status, subject.quote(file, call)


def _library_calls(subject: Subject) -> Iterator[tuple[SourceFile, str, ast.Call]]:
    """Calls of public data sets by their names, and by names that stand for them: ``kind = datasets.MNIST; kind(root)``."""
    seen: set[int] = set()
    for file, use in subject.uses(*_PUBLIC):
        if use.kind == "call" and isinstance(use.node, ast.Call) and not in_tests(file.relative):
            seen.add(id(use.node))
            yield file, use.name, use.node
    for file, known in subject.facts.items():
        for node in file.nodes if not in_tests(file.relative) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and id(node) not in seen:
                yield from ((file, o.name, node) for o in v.options(known.value(node.func)) if isinstance(o, v.Api) and o.name.startswith(_PUBLIC))


def _by_name(subject: Subject) -> Iterator[tuple[str, str, str, Quote]]:
    """Data sets of a library that knows no framework, so that its calls are no uses: ``load_dataset("glue", "mrpc")``."""
    for file, known in subject.facts.items():
        for node in file.nodes if not in_tests(file.relative) else ():
            if not isinstance(node, ast.Call) or not any(_LOADED.fullmatch(o.name if isinstance(o, v.Api) else o.origin) for o in v.options(known.value(node.func)) if isinstance(o, (v.Api, v.Unknown))):
                continue
            first = node.args[0] if node.args else None
            said = f" {first.value}" if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
            files = any(k.arg in ("data_files", "data_dir") for k in node.keywords)
            status = "read from files: see the paths and links" if files else "public, by name" if said else "the name is not constant"
            yield "load_dataset" + said, "datasets.load_dataset", status, subject.quote(file, node)


def _strings(file: SourceFile) -> Iterator[tuple[str, ast.Constant]]:
    for node in file.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 400:
            yield node.value, node


def _downloads(subject: Subject) -> Answer:
    """Web addresses of data: in code, in scripts, in documents' lines that speak of data."""
    found: dict[str, Quote] = {}
    for file in subject.files:
        for said, node in _strings(file):
            for link in links(said):
                if not WEIGHTS.search(link) and re.search(r"\.(zip|tar|gz|tgz|csv|npz|parquet|mat|h5|7z)$|/datasets?/", link, re.I):
                    found.setdefault(link, subject.quote(file, node))
    for path, text in subject.texts(".sh"):
        for number, line in enumerate(text.splitlines(), 1):
            for link in links(line):
                if re.search(r"\b(wget|curl|gdown|aria2c|download)\b", line) and not WEIGHTS.search(link) and not re.search(r"\.(whl|sh|py|deb|rpm)$|/whl/", link):
                    found.setdefault(link, Quote(path, number, line.strip()[:160]))
    for read in readme_lines(subject):
        for link in links(read.text):
            if purpose(link, read.text, read.heading) == "data":
                found.setdefault(link, read.quote)
    value = ", ".join(list(found)[:6])
    return Answer("D2", "Where data comes from", "found" if found else "not found", value or "no link to data", tuple(found.values())[:20], "Whether a link still answers is not looked up: open it before the work starts." if found else "Ask the authors for the data, or agree on a public set.", "数据下载")


def _fixed_paths(subject: Subject) -> Answer:
    quotes = [(said, subject.quote(file, node)) for file in subject.files for said, node in _strings(file) if _ABSOLUTE.match(said) and "\n" not in said]
    value = ", ".join(dict.fromkeys(text for text, _ in quotes))[:400]
    return Answer("D2", "Paths written into the code", "found" if quotes else "not found", value or "none that belong to one machine", tuple(q for _, q in quotes)[:20], "Data at such a path may be private: ask where it is from." if quotes else "", "硬编码路径")


def _figures(subject: Subject) -> Answer:
    found = list(results(subject))
    value = "; ".join(f"{r.of + ': ' if r.of else ''}{r.metric} {r.value}" for r in found[:12])
    return Answer("D3", "Figures to reach", "claimed only" if found else "not found", value or "the documents give no figure", tuple(dict.fromkeys(r.line.quote for r in found))[:30], "Run the reference once and record what it really reaches (mindport baseline record); port against that figure." if found else "Run the reference once: its figure is the one to reach.", "精度基线")


def _weights(subject: Subject) -> Answer:
    found: dict[str, Quote] = {}
    for kept in subject.others:
        if kept.suffix.lower() in (".pth", ".pt", ".ckpt", ".safetensors", ".bin", ".t7"):
            relative = kept.relative_to(subject.root).as_posix()
            found[relative] = Quote(relative, 1, f"{kept.stat().st_size} bytes")
    for read in readme_lines(subject):
        for link in links(read.text):
            if purpose(link, read.text, read.heading) == "weights":
                found.setdefault(link, read.quote)
    for file in subject.files:
        for said, node in _strings(file):
            for link in links(said):
                if WEIGHTS.search(link):
                    found.setdefault(link, subject.quote(file, node))
    for file, use in subject.uses(*torch_names.WEIGHTS_BY_NAME):
        if use.kind == "call":
            found.setdefault(use.name, subject.quote(file, use.node))
    for path, text in subject.texts(".sh"):
        for number, line in enumerate(text.splitlines(), 1):
            for link in links(line):
                if WEIGHTS.search(link):
                    found.setdefault(link, Quote(path, number, line.strip()[:160]))
    advice = "mindport weights converts a checkpoint; mindport verify compares the two networks' outputs." if found else "Without weights the port can only be compared by training: initialise both sides from one saved state."
    return Answer("D5", "Weights", "found" if found else "not found", ", ".join(list(found)[:6]) or "no checkpoint and no link to one", tuple(found.values())[:20], advice, "参数文件")
