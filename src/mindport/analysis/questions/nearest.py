"""C1 and C2: existing MindSpore models to start from, why, and how much of the work they may save."""

from __future__ import annotations

from mindport.analysis.answers import Answer, Section, Table
from mindport.analysis.network_tree import NetworkTree
from mindport.analysis.subject import Subject
from mindport.analysis.zoo.nearest import index, nearest

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
    found = nearest(names, classes, layers)
    zoos = ", ".join(f"{zoo['name']} ({zoo['models']})" for zoo in index()["zoos"])
    if not found:
        return Section(LETTER, title, zh, (Answer("C1", "Nearest models", "not found", f"no name of a network or of its classes agrees with a model of {zoos}", tuple(classes.values())[:4], zh="相近模型"),))
    rows = tuple((str(rank), near.name, f"{near.zoo}: {near.path}", near.task, f"{len(near.shared)} of {near.of} ({near.share:.0f} %)", "; ".join(near.reasons)) for rank, near in enumerate(found, 1))
    roots = tuple(root.place for root in tree.roots[:6])
    best = max(found, key=lambda near: near.share)
    answers = (
        Answer("C1", "Nearest models", "found", "; ".join(f"{near.name} ({near.zoo})" for near in found), roots, f"Names agree, their code was not compared: read the model before you build on it. Searched: {zoos}.", "相近模型"),
        Answer("C2", "Modules in common", "found" if best.shared else "not found", f"{best.name} has {len(best.shared)} of the {best.of} module classes under the same name ({best.share:.0f} %): " + ", ".join(best.shared[:8]) if best.shared else "no module class has the same name there", tuple(classes[name] for name in best.shared[:12]), "An upper bound of what can be taken over: same names, not same code." if best.shared else "", "可复用模块比例"),
    )  # fmt: skip
    table = Table("Nearest models in MindSpore's public zoos", ("rank", "model", "place", "task", "classes in common", "why"), rows, "By an index of facts about the zoos, built offline: names of files and classes, and counts of layers.")
    return Section(LETTER, title, zh, answers, (table,))
