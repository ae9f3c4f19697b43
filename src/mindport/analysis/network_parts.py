"""Which part of a network is its stem, backbone, neck, head, encoder, decoder, generator, discriminator, and why."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from mindport.analysis.answers import Quote
from mindport.analysis.network_tree import Child, Network, NetworkTree
from mindport.analysis.recipe.settings import normal

#: Roles in the order in which data passes them, each with the names that say so. What a class is called
#: comes before what an attribute is called: ``self.backbone = YOLOPAFPN()`` is a neck that holds the backbone.
ROLES: tuple[tuple[str, str], ...] = (
    ("stem", r"(.*_)?stem|inc|in_?conv|init_?conv|patch_?embed(ding)?|tok(en)?_?emb(edding)?s?|wte|wpe"),
    ("embedding", r"(.*_)?(embed(ding)?s?|emb|pos_enc|positional_?(encoding|embedding)|position_enc)(_.*)?"),
    ("backbone", r"(.*_)?(backbone|trunk|feature_?extractor|base_?net(work)?|body|csp_?darknet|darknet\d*|res_?net\d*|vgg\d*(_bn)?|mobile_?net(_?v\d)?|efficient_?net.*|base_?layers)|base"),
    ("encoder", r"(.*_)?(encoder|down(_?(sample|block|conv|path)s?)?_?\d*|downs|contract(ing)?)(_?\d+)?"),
    ("neck", r"(?!.*bottle_?neck)(.*_)?(neck|(yolo)?(x_)?(pa|bi|yolo_?pa)?_?fpn|pan(et)?|feature_?pyramid.*|aspp|ppm)(_?\d+)?"),
    ("bottleneck", r"(.*_)?(mid_?block\d*|bottle_?neck_?layer|bridge|latent)"),
    ("separator", r"(.*_)?(separator|temporal_?conv_?net|separation)"),
    ("decoder", r"(.*_)?(decoder|up(_?(block|conv|path)s?)?_?\d*|ups|expand(ing)?)(_?\d+)?"),
    ("generator", r"(.*_)?(generator|net_?g|gen)"),
    ("discriminator", r"(.*_)?(discriminator|net_?d|disc)"),
    ("actor", r"(.*_)?(actor(_(linear|head|net|layer|fc))?|policy(_net)?|dist)"),
    ("critic", r"(.*_)?(critic(_(linear|head|net|layer|fc))?|value(_net|_head)|q_?net(work)?)|(to_|fc_)?value"),
    ("head", r"(.*_)?(heads?|classifier|cls_?head|fc_?(out|\d)?|out_?c(onv)?|final_?(conv|layer|linear)|predict(or|_layer)|lm_head|logits|output_layer|trg_word_prj|mask_net|linear_?out|loc|conf)"),
)  # fmt: skip
_MOST_DEEP = 5
_TRUNK = ("backbone", "neck", "encoder", "decoder", "generator", "discriminator", "head", "actor", "critic", "separator", "stem", "embedding")


@dataclass(frozen=True)
class Part:
    """A part of a network. `inside`: the classes from the root down to the one that keeps it; `layers`: of a part without a class of its own."""

    role: str
    kind: str
    attribute: str
    why: str
    built: Quote
    defined: Quote
    inside: tuple[str, ...]
    network: Network | None
    layers: tuple[tuple[str, ast.Call], ...] = ()


def role_of(name: str) -> str:
    """The role that a name says; "" where it says none."""
    plain = normal(re.sub(r"(?<=[A-Z])(?=[A-Z][a-z])", "_", name))
    return next((role for role, pattern in ROLES if re.fullmatch(pattern, plain)), "")


#: A name that a first layer has as well as a last one: inside of another class, and where layers come after it, it is no head.
_PLAIN = re.compile(r"fc_?\d*|loc|conf")


def parts(tree: NetworkTree, root: Network) -> list[Part]:
    """The parts of one network, in the order in which data passes them."""
    found: list[Part] = []
    role = role_of(root.name)
    if role in ("generator", "discriminator", "encoder", "decoder", "head", "backbone", "actor", "critic"):
        found.append(Part(role, root.name, "", f"the class is called {root.name}", root.place, root.place, (), root))
    _collect(tree, root, (root.name,), role, found, set())
    order = {role: place for place, (role, _) in enumerate(ROLES)}
    return sorted(found, key=lambda part: order[part.role])


def _collect(tree: NetworkTree, network: Network, inside: tuple[str, ...], above: str, found: list[Part], seen: set[ast.ClassDef]) -> None:
    if len(inside) > _MOST_DEEP or network.node in seen:
        return
    seen.add(network.node)
    # inside a backbone, an encoder or a head the small parts have no role of their own in the network
    closed = above in ("backbone", "head", "embedding", "stem", "bottleneck")
    for child in network.children:
        role, why = _why(child)
        target = tree.networks.get(child.cls) if child.cls is not None else None
        if role in _TRUNK + ("bottleneck",) and not closed and role != above and target is not None:
            found.append(Part(role, child.kind, child.attribute, why, child.place, target.place, inside, target))
        if target is not None and not closed:
            _collect(tree, target, (*inside, child.kind), role or above, found, seen)
    if closed or above in ("encoder", "decoder", "neck", "separator"):
        return
    held = {(part.role, part.attribute) for part in found}
    for name, value in _kept(network):
        role = role_of(name)
        if role and role != above and (role, name) not in held and not any(c.attribute == name for c in network.children):
            within = {id(inner) for inner in ast.walk(value)}
            layers = tuple((kind, call) for kind, call in network.layers if id(call) in within)
            layer = layers[0][1] if layers else None
            if layer is not None and not (_PLAIN.fullmatch(name) and (len(inside) > 1 or any(call.lineno > layer.lineno for _, call in network.layers))):
                place = tree.subject.quote(network.file, value)
                made = value if len(layers) > 1 and isinstance(value, ast.Call) else layer
                found.append(Part(role, ast.unparse(made.func).rpartition(".")[2], name, f"the attribute is called {name}", place, place, inside, None, layers))


def _why(child: Child) -> tuple[str, str]:
    if role := role_of(child.kind):
        return role, f"the class is called {child.kind}"
    if child.attribute and (role := role_of(child.attribute)):
        return role, f"the attribute is called {child.attribute}"
    return "", ""


def _kept(network: Network) -> list[tuple[str, ast.expr]]:
    """(attribute, expression) of what methods assign to self."""
    return [
        (target.attr, node.value)
        for node in ast.walk(network.node) if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
    ]  # fmt: skip


#: The two branches of a head that predicts class and place apart.
_CLASS_BRANCH = re.compile(r"(cls|class|classification)_?(convs?|tower|subnet|branch(es)?|layers|feat)")
_PLACE_BRANCH = re.compile(r"(reg|bbox|box|loc|regression)_?(convs?|tower|subnet|branch(es)?|layers|feat)")


def decoupled(tree: NetworkTree) -> list[tuple[Network, str, tuple[Quote, ...]]]:
    """(class, why, places) of heads with separate branches for classification and for regression."""
    found = []
    for network in tree.networks.values():
        kept = dict(reversed(_kept(network)))
        one = [(name, value) for name, value in kept.items() if _CLASS_BRANCH.fullmatch(normal(name))]
        other = [(name, value) for name, value in kept.items() if _PLACE_BRANCH.fullmatch(normal(name))]
        if one and other:
            why = f"separate branches: {one[0][0]} for the class, {other[0][0]} for the box"
            quotes = (network.place, *(tree.subject.quote(network.file, value) for _, value in (one[0], other[0])))
            found.append((network, why, quotes))
    return found


def free_of_anchors(tree: NetworkTree) -> list[Quote]:
    """Places where box sizes are exp(prediction) × stride: no anchor's size enters."""
    quotes = []
    for network in tree.networks.values():
        for node in ast.walk(network.node):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and "stride" in ast.unparse(node.right).lower():
                left = node.left
                if isinstance(left, ast.Call) and isinstance(left.func, ast.Attribute) and left.func.attr == "exp" and "anchor" not in ast.unparse(node).lower():
                    quotes.append(tree.subject.quote(network.file, node))
    return quotes
