"""The sizes of a project's networks, computed once for all questions."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from mindport.analysis.network_run.plans import Input, Plan, Sites, inputs
from mindport.analysis.network_run.sizes import Sizes, sizes_of, unknown
from mindport.analysis.network_run.statements import Run
from mindport.analysis.network_run.values import Class, Instance, Scope, Undecided
from mindport.analysis.network_tree import Network, NetworkTree
from mindport.analysis.subject import Subject
from mindport.inference.scopes import ClassScope

#: Networks of one project that are computed.
_MOST_NETWORKS = 12


@dataclass(frozen=True)
class Computed:
    """One network, constructed in one way, and what comes of it. `plan` is None where no construction is known."""

    network: Network
    plan: Plan | None
    given: Input | None
    sizes: Sizes


_KEPT: WeakKeyDictionary[NetworkTree, list[Computed]] = WeakKeyDictionary()


def computed(subject: Subject) -> list[Computed]:
    """The largest networks that no other builds, each as often as it is constructed differently."""
    tree = subject.network_tree
    if tree not in _KEPT:
        sites = Sites(subject)
        roots = sorted(tree.roots, key=lambda network: -sum(tree.counts(network).values()))[:_MOST_NETWORKS]
        _KEPT[tree] = [found for network in roots for found in _of(sites, network)]
    return _KEPT[tree]


def _of(sites: Sites, network: Network) -> list[Computed]:
    scope = _scope(sites.subject, network)
    if scope is None:
        return []
    found = [_one(sites, network, scope, plan) for plan in sites.plans(network)]
    return found or [Computed(network, None, None, unknown("no construction of it with known arguments was found"))]


def _one(sites: Sites, network: Network, cls: ClassScope, plan: Plan) -> Computed:
    run = Run()
    scope = Scope(network.facts, str(network.file.relative))
    try:
        made = run.call(Class(cls), plan.args, dict(plan.keywords), scope)
    except (Undecided, RecursionError) as reason:
        return Computed(network, plan, None, unknown(reason))
    if not isinstance(made, Instance):
        return Computed(network, plan, None, unknown("it is no network"))
    given = inputs(sites, network, made, plan)
    return Computed(network, plan, given, sizes_of(run, made, given.shapes if given is not None else None, scope))


def _scope(subject: Subject, network: Network) -> ClassScope | None:
    for module in subject.inference.modules.modules.values():
        found = module.scopes.get(id(network.node))
        if isinstance(found, ClassScope):
            return found
    return None
