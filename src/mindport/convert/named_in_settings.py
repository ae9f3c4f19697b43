"""``_target_: torch.optim.Adam`` in a configuration file becomes ``torch_equivalents.Adam``, where the project imports what texts name.

So do configurations in Hydra's manner (https://hydra.cc/docs/advanced/instantiate_objects/overview/). In Python files: `rewrites.paths_in_texts`, which says when a
project imports so. A name that has no equivalent, and names in a project whose root is itself a package, are told (MP107): the file keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from mindport.convert.context import Shared
from mindport.convert.log import LogRecord
from mindport.convert.module_values import LARGEST
from mindport.convert.rewrites.paths_in_texts import NAME, called_by
from mindport.convert.script_paths import Reach
from mindport.findings import Finding, Span
from mindport.inference import torchfacts

_SUFFIXES = (".yaml", ".yml", ".json", ".toml")
#: A whole value: behind a colon, an equals sign, a bracket, a comma or a dash, and nothing but its end after it.
_PATH = re.compile(r"""(?P<before>(?:[:=\[,{]|^[ \t]*-)[ \t]*(?P<quote>["']?))(?P<path>""" + NAME + r""")(?=(?P=quote)[ \t]*(?:[,\]}#\r\n]|\Z))""", re.MULTILINE)


def named_in_settings(
    others: Iterable[Path], root: Path, home: Reach, shared: Shared, findings: list[Finding], log: list[LogRecord],
) -> Mapping[PurePosixPath, str]:  # fmt: skip
    """The new texts of the configuration files that name what has an equivalent; what is written goes to `log`, what is told to `findings`."""
    found: dict[PurePosixPath, str] = {}
    for path in others:
        text = _text(path)
        place = PurePosixPath(path.relative_to(root).as_posix())

        def named(match: re.Match[str], text: str = text, place: PurePosixPath = place) -> str:
            span = _span(text, match)
            called = called_by(shared.catalog, match["path"])
            if len(called) == 1 and home.whole:
                entry = called[0]
                new = f"{home.whole}.{shared.vendored.need(entry)}"
                log.append(LogRecord(str(place), span.line, span.column, match["path"], "value", "vendored", match["path"], new, entry.place, shared.status(entry)))
                return match["before"] + new
            if called or _is_absent(shared, match["path"]):  # a dtype is not called
                message = f"the file names {match['path']}, which the program may import: write MindSpore's counterpart there"
                findings.append(Finding("MP107", message, place, span, api=match["path"]))
            return match[0]

        new = _PATH.sub(named, text)
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
