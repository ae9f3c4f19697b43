"""What inference hands to everyone else: one `Facts` per file.

`Project(files)` analyses lazily; `project.facts(file)` returns the file's facts. Nothing
else of `inference` is meant to be used from outside.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Literal

from mindport.findings import Certainty, Finding
from mindport.inference.values import Const, Unknown, Value

UseKind = Literal[
    "call",        # node is the ast.Call
    "method",      # node is the ast.Call; the receiver is node.func.value; name is torch.Tensor.x, torch.nn.Module.x …
    "attribute",   # node is the ast.Attribute read on an instance: x.shape, m.weight, module.training
    "store",       # node is the ast.Attribute assigned on an instance: m.momentum = 0.03
    "value",       # node is the ast.Name or ast.Attribute, used as a value: norm_layer=nn.BatchNorm2d
    "base",        # node is the base expression of a class statement
    "decorator",   # node is the decorator expression (a call's func is not reported again)
    "type",        # node stands in an annotation
    "check",       # node stands in the second argument of isinstance/issubclass, behind except, or is a pattern's class
    "with",        # node is the context expression of a with statement (the Call, where it is one)
]


@dataclass(frozen=True)
class Use:
    """One use of an outside API that the project makes.

    `name` is canonical ("torch.nn.functional.relu", "torch.Tensor.view", "torch.nn.Conv2d").
    A method inherited by a library class carries the defining class's documented name:
    ``conv.parameters()`` is ``torch.nn.Module.parameters``; a call of a project class that
    derives from nn.Module, and of its instance, is not a use.
    An attribute of a library layer (``m.weight`` on a Conv2d) is ``torch.nn.Conv2d.weight``.
    """

    node: ast.expr
    name: str
    kind: UseKind
    certainty: Certainty = "certain"
    scope: str = ""  # "ResNet.forward"; "" at module level


@dataclass(frozen=True)
class Unresolved:
    """A place that may be a torch API, and why that is not known: it counts in the denominator."""

    node: ast.expr
    text: str  # ".view"
    candidates: tuple[str, ...]  # ("torch.Tensor.view",)
    why: str
    scope: str = ""


@dataclass
class Facts:
    """Everything known about one file."""

    values: dict[int, Value] = field(default_factory=dict)  # by id(node)
    uses: list[Use] = field(default_factory=list)
    #: calls of outside APIs through a variable or parameter (``norm = nn.BatchNorm2d; norm(8)``): the
    #: place where the API is named is in `uses`, the place where it runs is here.
    indirect: list[Use] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    #: class statement → canonical names of all outside ancestors, nearest first
    #: ("torch.nn.Sequential", "torch.nn.Module"), through project classes and across files.
    ancestors: dict[ast.ClassDef, tuple[str, ...]] = field(default_factory=dict)
    #: classes without such ancestors → those of the classes that join them with others (``class Conv(Mixin, nn.Conv2d)``).
    mixed_into: dict[ast.ClassDef, frozenset[str]] = field(default_factory=dict)
    #: class statement of a container module (``class Block(nn.Sequential)``) → what its instances hold.
    held: dict[ast.ClassDef, Value] = field(default_factory=dict)

    #: what others have found out of these facts, by what they asked
    answers: dict[object, bool] = field(default_factory=dict, repr=False)

    def value(self, node: ast.expr) -> Value:
        """What `node` can be at its place."""
        found = self.values.get(id(node))
        if found is not None:
            return found
        if isinstance(node, ast.Constant):
            return Const.of(node.value)
        return Unknown("the expression was not reached")
