"""``_target_: torch.optim.Adam`` in a configuration file becomes ``torch_equivalents.Adam``, where the project imports what texts name; ``nn.Upsample``, where it evaluates them.

So do configurations in Hydra's manner (https://hydra.cc/docs/advanced/instantiate_objects/overview/) and YOLO's tables of layers. In Python files: `rewrites.paths_in_texts`,
`rewrites.evaluated_texts`, which say when a project does so. A name that has no equivalent, and names in a project whose root is itself a package, are told (MP107): the file keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path, PurePosixPath

from mindport.convert.context import Shared
from mindport.convert.log import LogRecord
from mindport.convert.module_values import LARGEST
from mindport.convert.rewrites import evaluated_texts
from mindport.convert.rewrites.paths_in_texts import BEFORE, IN_SETTINGS, called_by, imports_by_texts
from mindport.convert.script_paths import Reach
from mindport.findings import Finding, Span
from mindport.inference import torchfacts

_SUFFIXES = (".yaml", ".yml", ".json", ".toml")
#: The same of what is evaluated, which may be a call.
_EVALUATED = re.compile(BEFORE + rf"""(?P<path>{evaluated_texts.NAME})(?=(?P=quote)[ \t]*(?:[,\]}}#\r\n]|\Z)|\()""", re.MULTILINE)


def names_layers(others: Iterable[Path]) -> bool:
    """Whether a configuration file names what only an evaluation finds: ``nn.Upsample``."""
    return any(_EVALUATED.search(_text(path)) for path in others)


def named_in_settings(
    others: Iterable[Path], root: Path, home: Reach, shared: Shared, findings: list[Finding], log: list[LogRecord],
) -> Mapping[PurePosixPath, str]:  # fmt: skip
    """The new texts of the configuration files that name what has an equivalent; what is written goes to `log`, what is told to `findings`."""
    found: dict[PurePosixPath, str] = {}
    patterns = [(pattern, owner) for pattern, owner, asked in ((IN_SETTINGS, "", imports_by_texts), (_EVALUATED, "torch.", evaluated_texts.evaluates_texts)) if shared.once(asked)]
    for path in others if patterns else ():
        text = _text(path)
        place = PurePosixPath(path.relative_to(root).as_posix())

        def named(match: re.Match[str], text: str = text, place: PurePosixPath = place, owner: str = "") -> str:
            span = _span(text, match)
            api = owner + match["path"]
            called = called_by(shared.catalog, api)
            if len(called) == 1 and home.whole and not (owner and home.package):  # what a file evaluates, it has to bind
                entry = called[0]
                new = f"{home.whole}.{shared.vendored.need(entry)}"
                log.append(LogRecord(str(place), span.line, span.column, api, "value", "vendored", match["path"], new, entry.place, shared.status(entry)))
                return match["before"] + new
            if called or _is_absent(shared, api):  # a dtype is not called
                message = f"the file names {api}, which the program may {'evaluate' if owner else 'import'}: write MindSpore's counterpart there"
                findings.append(Finding("MP107", message, place, span, api=api))
            return match[0]

        new = text
        for pattern, owner in patterns:
            new = pattern.sub(partial(named, text=new, owner=owner), new)
        if new != text:
            found[place] = new
    return found


def _text(path: Path) -> str:
    if path.suffix not in _SUFFIXES or not path.is_file() or path.stat().st_size > LARGEST:
        return ""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _is_absent(shared: Shared, name: str) -> bool:
    return any(entry.kind == "absent" for entry in shared.catalog.find(torchfacts.canonical(name)))


def _span(text: str, match: re.Match[str]) -> Span:
    before = text[: match.start("path")]
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n") - 1
    return Span(line, column, line, column + len(match["path"]))
