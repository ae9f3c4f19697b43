"""Import statements."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from mindport.findings import CODES, Finding
from mindport.inference import torchfacts
from mindport.inference.frame import Frame
from mindport.inference.imports import above, exported
from mindport.inference.overlays.libraries import STDLIB, root
from mindport.inference.public import has_public_names
from mindport.inference.scopes import ModuleScope
from mindport.inference.values import Api, Unknown, Value

if TYPE_CHECKING:
    from mindport.inference.project import Project


def import_module(frame: Frame, node: ast.Import) -> bool:
    """``import a.b as c``."""
    for alias in node.names:
        found = frame.project.modules.absolute(alias.name, frame.module)
        if found is not None:
            frame.project.load(found)
            if alias.asname:
                frame.bind(alias.asname, frame.project.module_value(found))
            else:
                top = alias.name.partition(".")[0]
                length = len(found.split(".")) - len(alias.name.split(".")) + 1
                frame.bind(top, frame.project.module_value(".".join(found.split(".")[:length])))
        elif alias.asname:
            frame.bind(alias.asname, Api(torchfacts.canonical(alias.name)))
        else:
            top = alias.name.partition(".")[0]
            frame.bind(top, Api(top))
    return True


def import_from(frame: Frame, node: ast.ImportFrom) -> bool:
    """``from a.b import c``."""
    name = node.module
    if node.level:
        source = frame.project.modules.relative(node.level, node.module, frame.module)
        outside = False
        if source is None and node.level:
            name = above(frame.project.modules.around, frame.module, node.level, node.module)
            outside = name is not None
    else:
        source = frame.project.modules.absolute(node.module or "", frame.module)
        outside = source is None
    for alias in node.names:
        if alias.name == "*":
            _star(frame, node, source)
            continue
        if outside:
            value: Value = Api(torchfacts.canonical(f"{name}.{alias.name}"))
        elif source is None:
            value = Unknown("it is imported from outside of the project's root")
        else:
            value = frame.project.module_attribute(source, alias.name)
            frame.module.origins[alias.asname or alias.name] = (source, alias.name)
        frame.bind(alias.asname or alias.name, value)
    return True


def imported_later(project: Project, module: ModuleScope, name: str) -> Value | None:
    """What a module whose body is being run (its imports lead back to it) imports further down under a name.

    In which order the files of a circle are imported shows only at run time: in an order that works, the name is bound.
    """
    asked = (module.name, name)
    for node in module.file.tree.body:
        alias = next((a for a in node.names if (a.asname or a.name) == name), None) if isinstance(node, ast.ImportFrom) else None
        if alias is None or asked in project.ahead:
            continue
        assert isinstance(node, ast.ImportFrom)
        modules = project.modules
        source = modules.relative(node.level, node.module, module) if node.level else modules.absolute(node.module or "", module)
        if source is None or source == module.name:
            continue
        project.ahead.add(asked)
        found = project.module_attribute(source, alias.name)
        project.ahead.discard(asked)
        return None if isinstance(found, Unknown) else found
    return None


def _star(frame: Frame, node: ast.ImportFrom, source: str | None) -> None:
    if source is None:
        if node.level:
            return
        name = node.module or ""
        frame.module.stars.append(name)
        if not name.startswith("torch.") and name != "torch" and root(name) not in STDLIB and not has_public_names(name):
            frame.module.facts.findings.append(
                Finding(
                    "MP908",
                    f"`from {name} import *` brings names that cannot be seen without running {name}",
                    frame.module.file.relative,
                    frame.module.file.span(node),
                    CODES["MP908"].risk,
                    advice="Import the names that are used, one by one.",
                )
            )
        return
    module = frame.project.load(source)
    if module is None or module is frame.module:
        return  # a file that takes its own names has them already
    for name, value in star_names(module).items():
        frame.bind(name, value)
        frame.module.imported.add(name)
        frame.module.origins[name] = (source, name)
    frame.module.stars += [star for star in module.stars if star not in frame.module.stars]


def star_names(module: ModuleScope) -> dict[str, Value]:
    """What ``from module import *`` binds."""
    listed = exported(module)
    names = module.env
    if listed is None:
        return {name: value for name, value in names.items() if not name.startswith("_") and "." not in name}
    return {name: names[name] for name in listed if name in names}
