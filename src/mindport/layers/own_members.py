"""A cell's own parameters and buffers by torch's names, to be written to, and taken in as a whole (``clone._parameters = clone._parameters.copy()``)."""

from collections.abc import MutableMapping

from mindspore import Parameter, Tensor, nn

from mindport.layers.state_names import RENAMED, inner_names, own_buffers, own_parameters, torch_name


def place_of(cell, name):
    """The dictionary that holds what torch calls so, and the name in it; None where the cell has nothing of the name."""
    renamed = {}
    for cls, names in RENAMED:
        if isinstance(cell, cls):
            renamed = names
    for held in (cell._params, cell._buffers):
        for own in held:
            if (renamed.get(own) or torch_name(own)) == name:
                return held, own
    for inner in inner_names(cell):
        found = place_of(cell._cells[inner], name)
        if found is not None:
            return found
    return None


def placed(held, own, value):
    """What stands in a place for a value: a statistic stays a parameter that MindSpore moves on, and a tensor in a parameter's place says that it is trained, as one does."""
    former = held.get(own)
    if isinstance(former, Parameter) and not former.requires_grad and isinstance(value, Tensor) and not isinstance(value, Parameter):
        return Parameter(value, name=former.name, requires_grad=False)
    if isinstance(value, Tensor) and not hasattr(value, "requires_grad"):
        value.requires_grad = True
    return value


class Members(MutableMapping):
    """The parameters or the buffers of a cell by torch's names: what is written stands where the cell reads it."""

    def __init__(self, cell, listed):
        self.cell, self.listed = cell, listed

    def __getitem__(self, name):
        return dict(self.listed(self.cell))[name]

    def __iter__(self):
        return iter([name for name, _ in self.listed(self.cell)])

    def __len__(self):
        return len(self.listed(self.cell))

    def __setitem__(self, name, value):
        held, own = place_of(self.cell, name) or (self.cell._params if self.listed is own_parameters else self.cell._buffers, name)
        held[own] = placed(held, own, value)

    def __delitem__(self, name):
        if name not in self:
            raise KeyError(name)
        held, own = place_of(self.cell, name)
        del held[own]

    def copy(self):
        return dict(self.listed(self.cell))


def holds_tensors(cell):
    """Whether some cell inside has a tensor in the place of a parameter: weights that a step computed."""
    return any(value is not None and not isinstance(value, Parameter) for part in cell.cells_and_names() for value in part[1]._params.values())


def bare(kind):
    """``kind.__new__(kind)``, to be given what another object holds: a cell has a part that its own constructor does not make."""
    made = kind.__new__(kind)
    if isinstance(made, nn.Cell):
        nn.Cell.__base__.__init__(made, f"{kind.__module__}.{kind.__qualname__}")
    return made


def put_members(cell, kind, members):
    """``cell._parameters = members``, `_buffers`, `_modules`: the cell goes on with these; one that shares its dictionary with it (a shallow copy) keeps its own."""
    if not isinstance(cell, nn.Cell):
        setattr(cell, kind, members)
        return
    cell.__dict__["_is_check_and_refresh"] = True  # MindSpore would give names to what a cell runs with, and tensors have none
    if inner_names(cell):
        raise NotImplementedError(f"{type(cell).__name__} keeps its parameters in cells of its own: give it no other {kind}")
    elif kind == "_modules":
        names = {torch_name(own): own for own in cell._cells}
        cell.__dict__["_cells"] = type(cell._cells)((names.get(name, name), child) for name, child in members.items())
        if isinstance(cell, nn.SequentialCell):
            cell.__dict__["cell_list"] = list(cell._cells.values())
            cell.__dict__["_is_dynamic_name"] = [False] * len(cell._cells)
    else:
        given, listed = dict(members), own_parameters if kind == "_parameters" else own_buffers
        former = [name for name, _ in listed(cell)]
        cell.__dict__["_params"], cell.__dict__["_buffers"] = cell._params.copy(), cell._buffers.copy()
        for name in former:
            held, own = place_of(cell, name)
            if name in given:
                held[own] = placed(held, own, given.pop(name))
            else:
                del held[own]
        (cell._params if kind == "_parameters" else cell._buffers).update(given)
