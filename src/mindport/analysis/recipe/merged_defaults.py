"""Defaults that configuration files are merged into: what a file does not set, it leaves at the default.

``_C.TRAIN.EPOCHS = 300`` beside ``config.merge_from_file(path)``: where some of the files of a folder set it and others do not, both values train.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from mindport.analysis.recipe.settings import Setting
from mindport.analysis.subject import Subject

_MERGING = frozenset(("merge_from_file", "merge_from_other_cfg"))
_FILES = (".yaml", ".yml")


def of_files_that_leave_them(subject: Subject, by_name: dict[str, list[Setting]]) -> None:
    """Make such defaults count as the files' own settings do."""
    merging = {
        str(file.relative) for file in subject.files
        if any(isinstance(n, ast.Attribute) and n.attr in _MERGING for n in file.nodes)
    }  # fmt: skip
    if not merging:
        return
    everything = {s.quote.path for found in by_name.values() for s in found if s.kind == "file" and s.quote.path.endswith(_FILES)}
    for name, found in by_name.items():
        setting = {s.quote.path for s in found if s.kind == "file"} & everything
        folders = {path.rpartition("/")[0] for path in setting}
        leaving = [path for path in everything - setting if path.rpartition("/")[0] in folders]
        if setting and leaving:
            by_name[name] = [replace(s, kind="file") if s.kind == "attribute" and s.quote.path in merging else s for s in found]
