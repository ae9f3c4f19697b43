"""The documents of a project: README files and logs, line by line, with what a line of them claims."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mindport.analysis.answers import Quote
from mindport.analysis.subject import MOST_QUOTED, Subject

_READMES = (".md", ".rst", ".markdown")
#: Files of this size and more are no documents that a person reads line by line.
_MOST_LINES = 20_000
_LINK = re.compile(r"https?://[^\s)\]>\"'|<`]+")
WEIGHTS = re.compile(r"\.(pth|pt|ckpt|safetensors|pkl|tar|pth\.tar|bin|onnx|t7|caffemodel|h5)(\?|$)", re.I)
#: Names of figures that results are given in.
METRICS = re.compile(
    r"(?<![A-Za-z])(m?AP(?:\s*val|\s*test|50|75|@[\d.:]+|_\w+)?|m?IoU|Dice|(?:top|acc)[-@ ]?[15]|accuracy|acc\.?|error(?: rate)?"
    r"|BLEU(?:-\d)?|ROUGE(?:-\w)?|perplexity|ppl|F1|precision|recall|AUC|HR@\d+|NDCG@\d+|Hit@\d+|FID|IS|PSNR|SSIM|LPIPS"
    r"|WER|CER|PESQ|STOI|SI-?SNRi?|SDRi?|EER|RMSE|MAE|MSE|reward|return|val(?:idation)? loss|test loss|bits/dim|NLL|JGA|EM|MRR"
    r"|hits@\d+|STS(?:-?B|\d+|Benchmark)?|Spearman|Pearson|(?:s|p)?correlation|Avg\.?|average|score|MPJPE|CLIP score|Kappa|MCC|BPC|DER|CIDEr|METEOR|MOTA|PCK|Params|FLOPs|Speed|Latency|FPS)(?![A-Za-z])",
    re.I,
)  # fmt: skip
#: Figures of size and speed: a baseline of performance, not of accuracy.
COSTS = re.compile(r"^(params|flops|speed|latency|fps)$", re.I)
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?\s*(?:%|M|G|ms)?")


@dataclass(frozen=True)
class Line:
    """A line of a document."""

    path: str
    number: int
    text: str
    #: The heading that the line stands under.
    heading: str = ""

    @property
    def quote(self) -> Quote:
        """The place."""
        return Quote(self.path, self.number, self.text.strip()[:MOST_QUOTED])


def readme_lines(subject: Subject) -> Iterator[Line]:
    """Lines of README files and other documents that people read; the one nearest the root first."""
    found = sorted(subject.texts(*_READMES), key=lambda item: (item[0].count("/"), item[0]))
    for path, text in found:
        name = path.rpartition("/")[2].lower()
        if name.startswith(("changelog", "contributing", "code_of_conduct", "license", "security", "issue_template", "pull_request")):
            continue
        heading = ""
        for number, line in enumerate(text.splitlines()[:_MOST_LINES], 1):
            heading = line.strip("# ") if line.startswith("#") else heading
            yield Line(path, number, line, heading)


#: What an address of data, and of weights, is like; a repository is neither by itself.
_OF_DATA = re.compile(r"data(?![-_]?science|parallel)|corpus|corpora|kaggle\.com/|zenodo|\.(zip|tar|gz|tgz|csv|npz|parquet|mat|7z|rar|lmdb)(\?|$)|benchmark", re.I)
_STORED = re.compile(r"drive\.google|dropbox|pan\.baidu|onedrive|1drv\.ms|sharepoint|amazonaws|storage\.googleapis|cloudfront|huggingface\.co/datasets|box\.com|mega\.nz|figshare", re.I)
_NO_DATA = re.compile(r"arxiv|/blob/.*\.(py|md|rst|ipynb)(#|$)|shields\.io|\.(png|jpe?g|gif|svg|whl)(\?|$)|badge|colab|/whl/|forum|blog|/articles?/|docs\.|readthedocs|pypi\.org|youtu", re.I)
_SPEAKS_OF_DATA = re.compile(r"data ?sets?|\bdata\b|corpus|\bcorpora\b", re.I)
_SPEAKS_OF_WEIGHTS = re.compile(r"pre-?trained|checkpoints?|\bweights?\b|model zoo|trained models?", re.I)


def purpose(link: str, text: str, heading: str = "") -> str:
    """``"data"``, ``"weights"`` or nothing: what an address is for, by itself, by its line and by the heading above."""
    line = re.sub(r"https?://\S+", " ", text)
    if _NO_DATA.search(link):
        return ""
    if WEIGHTS.search(link) and not re.search(r"data|corpus", link.rpartition("/")[2], re.I):
        return "weights"
    if re.search(r"\.npz(\?|$)", link) and re.search(r"models?[/_]|checkpoint|ckpt|pre-?train|weights", link, re.I):
        return "weights"  # arrays of parameters, as JAX's models are given away
    if re.search(r"huggingface\.co/datasets", link):
        return "data"
    anchor = re.search(r"\[([^\]\[]*)\]\(" + re.escape(link), text)
    if anchor is not None and re.fullmatch(r"(the )?(pre-?trained )?(models?|ckpt|checkpoints?|weights?)|model\s*\W*", anchor[1].strip(), re.I) and not re.search(r"github\.com/[^/]+/[^/]+/?$", link):
        return "weights"
    stored = bool(_STORED.search(link))
    if stored and _SPEAKS_OF_WEIGHTS.search(line) and not _SPEAKS_OF_DATA.search(line):
        return "weights"
    named = re.sub(r"github\.com/[^/]+/", "github.com/", link)
    if _OF_DATA.search(named) or (stored or re.search(r"\bdownload", line, re.I) and not re.search(r"github\.com/[^/]+/[^/]+/?$", link)) and _SPEAKS_OF_DATA.search(line):
        return "data"
    if stored and not _SPEAKS_OF_DATA.search(line):
        return "weights" if _SPEAKS_OF_WEIGHTS.search(heading) else "data" if _SPEAKS_OF_DATA.search(heading) else ""
    return ""


def links(line: str) -> list[str]:
    """The web addresses in a line."""
    return [found.rstrip(".,;") for found in _LINK.findall(line)]


def numbers(text: str) -> list[str]:
    """The figures in a cell or sentence."""
    return [found.strip() for found in _NUMBER.findall(text)]


@dataclass(frozen=True)
class Result:
    """One figure that a document claims: for what, in which metric, how much."""

    of: str
    metric: str
    value: str
    line: Line


def results(subject: Subject) -> Iterator[Result]:
    """Figures in tables of documents whose heading names a metric, and in sentences that give one."""
    heading: list[str] | None = None
    previous: list[str] | None = None
    for line in readme_lines(subject):
        cells = _cells(line.text)
        if cells is None:
            heading = previous = None
            yield from _sentence(line)
            continue
        if all(re.fullmatch(r":?-+:?", cell) for cell in cells if cell) and any(cells):
            heading = previous
        elif heading is not None:
            for name, cell in zip(heading[1:], cells[1:], strict=False):
                found = METRICS.search(plain(name))
                value = plain(cell)
                if found and numbers(value) and not COSTS.match(found[0]):
                    yield Result(plain(cells[0]), plain(name), value, line)
                elif not found and (told := _CLAIM.match(value)) and not _WORD.fullmatch(told[1]):
                    yield Result(plain(cells[0]), told[1], told[2].strip(), line)  # a column "Metric" with "F1: 75.92"
        previous = cells


def _cells(text: str) -> list[str] | None:
    stripped = text.strip()
    if stripped.count("|") < 1 or not (stripped.startswith("|") or re.match(r"^[^|]*\|", stripped) and stripped.count("|") >= 1):
        return None
    return [cell.strip() for cell in stripped.strip("|").split("|")]


def plain(cell: str) -> str:
    """A cell's text without mark-up."""
    cell = re.sub(r"<br\s*/?>", " ", cell)
    cell = re.sub(r"<[^>]+>", "", cell)
    cell = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", cell)
    return re.sub(r"[*`_]{1,3}(?=\S)|(?<=\S)[*`]{1,3}", "", cell).strip()


#: A figure claimed in a sentence: "accuracy of 93.5%", "PSNR: 31.2", "val loss of 1.4697".
_CLAIM = re.compile(METRICS.pattern + r"\s*(?:of|is|was|:|=|≈|~|score of|reaches|about|around|to)+\s*(?:about |around |roughly |~)?([-+]?\d+(?:\.\d+)?\s?%?)", re.I)
#: The same the other way round: "88.11% Dice score".
_REACHED = re.compile(r"(?<![\w.])(?<!by )(\d+\.\d+\s?%)\s+(?:(?:mean|average|overall|test|validation|val) )?" + METRICS.pattern, re.I)
#: Metrics that are words in small letters: what is 34.4, a map of 2.
_WORD = re.compile(r"is|em|der|m?ap(_\w+)?|return|score|average")
_CODE = re.compile(r"^(\s{4,}|\t|```|\$|>|python )")


def _sentence(line: Line) -> Iterator[Result]:
    if _CODE.match(line.text):
        return
    for found in _CLAIM.finditer(line.text):
        if not COSTS.match(found[1]) and not _WORD.fullmatch(found[1]) and not re.match(r"[vV]?\d+$", found[1]):
            yield Result("", found[1], found[2].strip(), line)
    for found in _REACHED.finditer(line.text):
        if not COSTS.match(found[2]) and not _WORD.fullmatch(found[2]):
            yield Result("", found[2], found[1].strip(), line)
