"""Binds a call's arguments to an entry's parameters, as Python itself would.

The signature is torch's, so Python's rules *are* the argument matcher. What cannot be bound
without running the program (``*args`` into named parameters, ``**kwargs``) is a reason, not
a guess.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from mindport.source.defaults import parameters_and_defaults


@dataclass(frozen=True)
class Unbound:
    """Why a call does not fit a signature. `star`: only a run could tell; it may fit."""

    why: str
    star: bool = False


@dataclass(frozen=True)
class Binding:
    """What each parameter receives.

    `given`: the user's expression by parameter; `defaults`: the signature's default where the
    user gave none; `extra`: the items that a ``*parameter`` collects (they may be starred);
    `order`: the user's parameters in the order their arguments are evaluated.
    """

    given: dict[str, ast.expr] = field(default_factory=dict)
    defaults: dict[str, ast.expr] = field(default_factory=dict)
    extra: dict[str, list[ast.expr]] = field(default_factory=dict)
    keywords: dict[str, list[ast.keyword]] = field(default_factory=dict)
    order: tuple[str, ...] = ()


def bind(
    arguments: ast.arguments, args: list[ast.expr], keywords: list[ast.keyword], other_names: Mapping[str, str] | None = None
) -> Binding | Unbound:
    """Bind `args` and `keywords` (a method's receiver already put first) to `arguments`.

    `other_names`: further spellings of parameters (``axis`` for ``dim``).
    """
    binding = Binding()
    order: list[str] = []
    positional = [*arguments.posonlyargs, *arguments.args]
    problem = _bind_positional(arguments, positional, args, binding, order)
    if problem:
        return problem
    names = {a.arg for a in arguments.args} | {a.arg for a in arguments.kwonlyargs}
    for keyword in keywords:
        if keyword.arg is None:
            return Unbound("the call passes **keywords", star=True)
        name = keyword.arg if keyword.arg in names else (other_names or {}).get(keyword.arg, keyword.arg)
        if name in names:
            if name in binding.given:
                return Unbound(f"{name} is given twice")
            binding.given[name] = keyword.value
            order.append(name)
        elif arguments.vararg and name == arguments.vararg.arg and not binding.extra.get(name):
            binding.extra[name] = [keyword.value]  # torch takes `size=(2, 3)` for `*size`
            if name not in order:
                order.append(name)
        elif arguments.kwarg:
            binding.keywords.setdefault(arguments.kwarg.arg, []).append(keyword)
        else:
            return Unbound(f"no parameter is called {keyword.arg}")
    for parameter, default in parameters_and_defaults(arguments):
        if parameter.arg in binding.given:
            continue
        if default is None:
            return Unbound(f"{parameter.arg} is missing")
        binding.defaults[parameter.arg] = default
    return Binding(binding.given, binding.defaults, binding.extra, binding.keywords, tuple(order))


def _bind_positional(
    arguments: ast.arguments, positional: list[ast.arg], args: list[ast.expr], binding: Binding, order: list[str]
) -> Unbound | None:
    for index, argument in enumerate(args):
        if index < len(positional):
            if isinstance(argument, ast.Starred):
                return Unbound("the call passes *arguments", star=True)
            binding.given[positional[index].arg] = argument
            order.append(positional[index].arg)
        elif arguments.vararg:
            binding.extra.setdefault(arguments.vararg.arg, []).append(argument)
            if arguments.vararg.arg not in order:
                order.append(arguments.vararg.arg)
        elif isinstance(argument, ast.Starred):
            return Unbound("the call passes *arguments", star=True)
        else:
            return Unbound(f"at most {len(positional)} positional arguments fit, {len(args)} are given")
    if arguments.vararg:
        binding.extra.setdefault(arguments.vararg.arg, [])
    if arguments.kwarg:
        binding.keywords.setdefault(arguments.kwarg.arg, [])
    return None
