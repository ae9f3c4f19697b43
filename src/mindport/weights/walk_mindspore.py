"""Records the cell tree of a MindSpore model as plain data (the shape that `tree.Tree` reads).

Runs in the process that has MindSpore; imports nothing else. MindSpore's own walks leave out
the second path of a shared cell, so this one goes through the cells itself.
"""

from __future__ import annotations

from typing import Any


def walk(model: Any) -> dict[str, Any]:
    """The tree of an ``nn.Cell``: every path under which a cell, parameter or persistent buffer can be reached.

    A parameter's ``name`` is the one that ``save_checkpoint`` and ``load_param_into_net`` use.
    """
    modules: list[dict[str, Any]] = []
    tensors: list[dict[str, Any]] = []

    def tensor(path: str, name: str, kind: str, value: Any) -> None:
        tensors.append({
            "path": path, "name": name, "kind": kind, "shape": list(value.shape), "dtype": str(value.dtype).lower(),
            "trainable": kind == "parameter" and bool(value.requires_grad),
        })

    def visit(cell: Any, path: str, above: tuple[int, ...]) -> None:
        modules.append({"path": path, "classes": [f"{c.__module__}.{c.__qualname__}" for c in type(cell).__mro__]})
        prefix = f"{path}." if path else ""
        for name, value in cell._params.items():
            if value is not None:
                tensor(prefix + name, value.name, "parameter", value)
        transient: set[str] = getattr(cell, "_non_persistent_buffers_set", set())
        for name, value in getattr(cell, "_buffers", {}).items():
            if value is not None and name not in transient:
                tensor(prefix + name, prefix + name, "buffer", value)
        for name, child in cell._cells.items():
            # A cell that contains itself is reached once on each way down.
            if child is not None and id(child) not in above:
                visit(child, prefix + name, (*above, id(child)))

    visit(model, "", (id(model),))
    return {"framework": "mindspore", "modules": modules, "tensors": tensors}
