"""What a repository's git metadata says of its history, from the files alone: git is never run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from mindport.analysis.answers import Quote

#: A line of ``.git/logs/HEAD``: old id, new id, who, when (seconds, zone), what.
_LOG = re.compile(r"^[0-9a-f]+ [0-9a-f]+ .*> (\d{6,12}) [+-]\d{4}\t(.*)$")
_MOST_LOG = 5_000_000


@dataclass(frozen=True)
class History:
    """`said`: what the metadata shows, in words."""

    said: str
    quotes: tuple[Quote, ...]


def history(root: Path) -> History | None:
    """Date of the newest entry in the log, its entries, tags; None where there is no readable metadata.

    The log is this copy's: a clone has one entry, whose date is the clone's. That is said, and never
    taken for the project's own.
    """
    folder = root / ".git"
    if not folder.is_dir():
        return None
    quotes: list[Quote] = []
    said: list[str] = []
    log = folder / "logs" / "HEAD"
    if log.is_file() and log.stat().st_size <= _MOST_LOG:
        entries = [(number, m) for number, line in enumerate(log.read_text("utf-8", "replace").splitlines(), 1) if (m := _LOG.match(line))]
        if entries:
            number, last = entries[-1]
            when = datetime.fromtimestamp(int(last[1]), timezone.utc).date().isoformat()
            if all(m[2].startswith(("clone", "checkout", "reset", "pull")) for _, m in entries):
                said.append(f"a clone, last brought up to date on {when}; the dates of the project's own commits are packed")
            else:
                commits = sum(m[2].startswith("commit") for _, m in entries)
                said.append(f"{commits} commits in this copy's log, the last on {when}")
            quotes.append(Quote(".git/logs/HEAD", number, last[2][:120]))
    tags = sorted(path.name for path in (folder / "refs" / "tags").glob("*")) if (folder / "refs" / "tags").is_dir() else []
    packed = folder / "packed-refs"
    if packed.is_file() and packed.stat().st_size <= _MOST_LOG:
        for number, line in enumerate(packed.read_text("utf-8", "replace").splitlines(), 1):
            if " refs/tags/" in line:
                tags.append(line.rpartition("/")[2])
                quotes.append(Quote(".git/packed-refs", number, line))
    if tags:
        said.append(f"{len(set(tags))} tags, up to {sorted(set(tags))[-1]}")
    return History("; ".join(said), tuple(quotes[:10])) if quotes else None
