"""A4: the network's parts (backbone, neck, head; encoder, decoder; generator, discriminator), sizes, and a picture."""

from __future__ import annotations

import ast

from mindport.analysis.answers import Answer, Picture, Quote, Section, Table
from mindport.analysis.network_parts import Part, decoupled, parts
from mindport.analysis.network_tree import Network, NetworkTree
from mindport.analysis.parameter_count import parameter_count
from mindport.analysis.structure_picture import picture
from mindport.analysis.subject import Subject

LETTER = "A"
_MOST_PICTURES, _MOST_ROOTS = 3, 12


def section(subject: Subject) -> Section:
    """One answer a network, a table of parts, pictures of the largest."""
    tree = subject.network_tree
    heads = {network.node: (why, quotes) for network, why, quotes in decoupled(tree)}
    answers: list[Answer] = []
    rows: list[tuple[str, ...]] = []
    pictures: list[Picture] = []
    split = [(root, parts(tree, root)) for root in tree.roots]
    # a network with parts first, then the larger
    split.sort(key=lambda item: (-len({part.role for part in item[1]}), -sum(tree.counts(item[0]).values())))
    for root, found in split[:_MOST_ROOTS]:
        quotes: list[Quote] = [root.place]
        taken = {part.network.node for part in found if part.network is not None}
        for part, built in _grouped(found):
            note = part.why
            if part.network is not None and part.network.node in heads:
                note += f"; decoupled head, because of {heads[part.network.node][0]}"
                quotes += heads[part.network.node][1]
            quotes += [part.defined, *built]
            rows.append(
                (tree.title(root), part.role, part.kind, f"{part.defined.path}:{part.defined.line}", ", ".join(f"{q.path}:{q.line}" for q in built), _layers(tree, part, taken), _size(tree, part, taken), note)
            )
        said = ", ".join(dict.fromkeys(f"{part.role} {part.kind}" for part in found))
        answers.append(
            Answer(
                "A4", f"Parts of {tree.title(root)}", "found" if found else "unknown",
                said or "no name of a class or attribute says a role; its layers: " + _counted(tree.counts(root)),
                tuple(dict.fromkeys(quotes))[:30], "Port and test it part by part, in this order." if len(found) > 1 else "", "网络拆分",
            )
        )  # fmt: skip
        if len(pictures) < _MOST_PICTURES and (len(found) > 1 or root.children):
            pictures.append(picture(tree, root, [part for part, _ in _grouped(found)]))
    if not answers:
        answers.append(Answer("A4", "Parts of the network", "not found", "no network is constructed here", zh="网络拆分"))
    columns = ("network", "part", "class", "defined", "constructed", "layers as written", "parameters", "why")
    tables = (Table("Parts of the networks", columns, tuple(rows), "A layer that is constructed in a loop is counted once."),) if rows else ()
    return Section(LETTER, "Reference and structure", "参考实现与结构", tuple(answers), (*tables, *pictures))


def _grouped(found: list[Part]) -> list[tuple[Part, list[Quote]]]:
    """Parts of one role and class once, with every line that constructs one."""
    made: dict[tuple[str, str, str], tuple[Part, list[Quote]]] = {}
    for part in found:
        key = (part.role, part.kind, "" if part.network is not None else part.attribute)
        made.setdefault(key, (part, []))[1].append(part.built)
    return [(part, list(dict.fromkeys(built))) for part, built in made.values()]


def _layers(tree: NetworkTree, part: Part, taken: set[ast.ClassDef]) -> str:
    """Counts of the part alone: without the parts inside it that have a row of their own."""
    if part.network is None:
        kinds = [kind for kind, _ in part.layers]
        return _counted({kind: kinds.count(kind) for kind in dict.fromkeys(kinds)})
    return _counted(tree.counts(part.network, taken - {part.network.node}))


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{kind} ×{count}" if count > 1 else kind for kind, count in list(counts.items())[:6]) + (" …" if len(counts) > 6 else "")


def _size(tree: NetworkTree, part: Part, taken: set[ast.ClassDef]) -> str:
    """Parameters of the layers whose arguments are constant; the formulas of the others."""
    total, counted, open_ones = 0, 0, []
    if part.layers:
        home = next((n for n in tree.networks.values() for _, call in n.layers if call is part.layers[0][1]), None)
        calls = [(kind, call, home) for kind, call in part.layers] if home is not None else []
    else:
        calls = [(kind, call, network) for network in _built(tree, part.network, taken) for kind, call in network.layers]
    for kind, call, network in calls:
        found = parameter_count(kind, call, network.facts)
        if isinstance(found, int):
            total, counted = total + found, counted + 1
        elif found is not None:
            open_ones.append(found)
    said = [f"{total:,} in {counted} layers of constant size"] if counted else []
    if open_ones:
        said.append(f"{len(open_ones)} layer{'s depend' if len(open_ones) > 1 else ' depends'} on arguments: " + "; ".join(list(dict.fromkeys(open_ones))[:3]) + (" …" if len(set(open_ones)) > 3 else ""))
    return "; ".join(said)


def _built(tree: NetworkTree, network: Network | None, taken: set[ast.ClassDef]) -> list[Network]:
    """The class and all that it builds, each once, other parts left out."""
    found: list[Network] = []
    waiting = [network] if network is not None else []
    while waiting:
        current = waiting.pop()
        if current not in found:
            found.append(current)
            waiting += [tree.networks[c.cls] for c in current.children if c.cls in tree.networks and c.cls not in taken and c.cls is not None]
    return found
