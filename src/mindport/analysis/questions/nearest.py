"""C1 and C2: existing MindSpore models to start from, why, and how much of the work they may save."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mindport.analysis.answers import Answer, Quote, Section, Table
from mindport.analysis.network_tree import NetworkTree
from mindport.analysis.subject import Subject
from mindport.analysis.zoo.nearest import Near, build_of, index, nearest

LETTER = "C"


def section(subject: Subject) -> Section:
    """The three nearest models of the public zoos, by the index that is shipped."""
    tree = NetworkTree(subject)
    title, zh = "Existing MindSpore models", "已有 MindSpore 模型"
    if not tree.networks:
        return Section(LETTER, title, zh, (Answer("C1", "Nearest models", "not found", "the project defines no network", zh="相近模型"),))
    classes = {network.name: network.place for network in tree.networks.values()}
    layers: dict[str, int] = {}
    for network in tree.networks.values():
        for kind, _ in network.layers:
            layers[kind] = layers.get(kind, 0) + 1
    names = [subject.root.name, *(root.name for root in tree.roots)]
    builds = {network.name: build for network in tree.networks.values() if (build := build_of(_counted(network.layers)))}
    found = nearest(names, classes, layers, builds=builds)
    zoos = ", ".join(f"{zoo['name']} ({zoo['models']})" for zoo in index()["zoos"])
    if not found:
        return Section(LETTER, title, zh, (Answer("C1", "Nearest models", "not found", f"no name of a network or of its classes agrees with a model of {zoos}", tuple(classes.values())[:4], zh="相近模型"),))
    rows = tuple((str(rank), near.name, f"{near.zoo}: {near.path}", near.task, _modules(near), "; ".join(near.reasons)) for rank, near in enumerate(found, 1))
    roots = tuple(root.place for root in tree.roots[:6])
    best = max(found, key=lambda near: near.share)
    answers = (
        Answer("C1", "Nearest models", "found", "; ".join(f"{near.name} ({near.zoo})" for near in found), roots, f"Names agree, their code was not compared: read the model before you build on it. Searched: {zoos}.", "相近模型"),
        _in_common(best, classes),
    )  # fmt: skip
    table = Table("Nearest models in MindSpore's public zoos", ("rank", "model", "place", "task", "classes in common", "why"), rows, "By an index of facts about the zoos, built offline: names of files and classes, and the layers that each class constructs.")
    return Section(LETTER, title, zh, answers, (table,))


def _counted(layers: Iterable[tuple[str, object]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for kind, _ in layers:
        found[kind] = found.get(kind, 0) + 1
    return found


def _modules(near: Near) -> str:
    return f"{len(near.shared) + len(near.alike)} of {near.of} ({near.share:.0f} %): {len(near.shared)} by name, {len(near.alike)} by layers"


def _in_common(best: Near, classes: Mapping[str, Quote]) -> Answer:
    """C2: how many of the project's modules the nearest model has."""
    title, zh = "Modules in common", "可复用模块比例"
    if not best.shared and not best.alike:
        return Answer("C2", title, "not found", "no module class has the same name or the same layers there", zh=zh)
    said = [f"{best.name} has {_modules(best)}"]
    if best.shared:
        said.append("the same name: " + ", ".join(best.shared[:8]))
    if best.alike:
        said.append("the same layers: " + ", ".join(ours if ours == theirs else f"{ours} (there {theirs})" for ours, theirs in best.alike[:6]))
    quotes = tuple(classes[name] for name in [*best.shared[:8], *(ours for ours, _ in best.alike[:6])])
    return Answer("C2", title, "found", "; ".join(said), quotes, "An upper bound of what can be taken over: same names and layers, not same code.", zh)
