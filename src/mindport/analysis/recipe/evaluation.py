"""What belongs to evaluation, sampling and demonstrations: their batch sizes and steps are not those of training."""

from __future__ import annotations

import re

_WORD = r"(eval\w*|test\w*|val|val(loader|set|dataset|data|dl|iter|dataloader|gen\w*)s?|valid\w*|infer\w*|predict\w*|sampl(e|es|ing)|generat(e|ion)\w*|demo\w*|speed\w*|benchmark\w*|export\w*|fid\w*|visuali[sz]e\w*|plot\w*|deploy\w*|serve\w*|gifs?|enjoy|watch|render\w*)"
_PART = re.compile(_WORD)


def evaluates(name: str) -> bool:
    """Whether a name of a file, function or section is that of something that trains nothing: ``generate``, ``get_test_loader``, ``eval``."""
    words = [word for word in re.split(r"[^a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()) if word]
    return any(_PART.fullmatch(word) for word in words) and not any(word.startswith(("train", "fit", "learn")) for word in words)


def file_evaluates(path: str) -> bool:
    """The same for a file, by its own name and that of its folder (one called after a task, ``property_prediction``, says nothing)."""
    folder, _, name = path.rpartition("/")
    return evaluates(name.rpartition(".")[0] or name) or evaluates(re.sub(r"_?predictions?$", "", folder.rpartition("/")[2]))
