"""Which folders of what was given hold projects of their own, and which of them is the better reference."""

from __future__ import annotations

from dataclasses import dataclass

from mindport.analysis import torch_names
from mindport.analysis.answers import Quote
from mindport.analysis.questions.class_tree import module_classes
from mindport.analysis.subject import Subject

_MARKS = ("setup.py", "pyproject.toml", "requirements.txt", "environment.yml", "README.md", "readme.md")


@dataclass(frozen=True)
class Candidate:
    """A folder with code of its own, what it holds, and why it ranks where it does."""

    folder: str
    networks: int
    trains: int
    score: int
    why: str
    place: Quote


def candidates(subject: Subject) -> list[Candidate]:
    """Folders at the root that each say they are a project (a README or requirements), the best first.

    One that defines networks, trains them, pins what it needs and has a README ranks above one that does less.
    """
    marks: dict[str, set[str]] = {}
    for path in [*subject.others, *(subject.root / file.relative for file in subject.files)]:
        parts = path.relative_to(subject.root).parts
        if len(parts) == 2 and parts[1] in _MARKS:
            marks.setdefault(parts[0], set()).add(parts[1])
    if len(marks) < 2:
        return []
    networks: dict[str, list[Quote]] = {}
    for file, node, _ in module_classes(subject):
        networks.setdefault(file.relative.parts[0], []).append(subject.quote(file, node))
    trains: dict[str, int] = {}
    for file, _use in subject.uses(*torch_names.TRAINING):
        trains[file.relative.parts[0]] = trains.get(file.relative.parts[0], 0) + 1
    made = []
    for folder, found in marks.items():
        if folder not in networks:
            continue
        told = [f"{len(networks[folder])} network classes"]
        score = 2
        if trains.get(folder):
            told, score = [*told, "trains"], score + 3
        pins = found & {"setup.py", "pyproject.toml", "requirements.txt", "environment.yml"}
        if pins:
            told, score = [*told, f"says what it needs ({', '.join(sorted(pins))})"], score + 2
        if any(name.lower() == "readme.md" for name in found):
            told, score = [*told, "has a README"], score + 1
        made.append(Candidate(folder, len(networks[folder]), trains.get(folder, 0), score, ", ".join(told), networks[folder][0]))
    return sorted(made, key=lambda c: (-c.score, -c.networks, c.folder)) if len(made) > 1 else []
