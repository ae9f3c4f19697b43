"""Containers of modules."""

from mindspore import nn

from mindport.declare import equivalent, layer
from mindport.layers.contents_in_graphs import ContentsInGraphs
from mindport.layers.module_tree import name_parameters


@layer("torch.nn.Sequential", base_suffices=True)
class Sequential(nn.SequentialCell):
    """Calls its modules one after the other; an OrderedDict gives them names.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.Sequential.html
    `nn.SequentialCell` calls only what its constructor was given: a subclass that assigns modules to attributes
    would compute nothing.
    """

    def __init__(self, *args):
        super().__init__(*args)

    def construct(self, input):
        for module in self._cells.values():
            input = module(input)
        return input


@equivalent("torch.nn.Sequential.append")
def append(self, module):
    """Adds a module at the end; the result is None, so a chain of calls raises."""
    return self.append(module)


def appended(container, module):
    """The container, with a module more at its end: of a chain of calls."""
    container.append(module)
    return container


def joined(first, second):
    """A sequence of what two others hold, which they share with it."""
    made = nn.SequentialCell(*first, *second)
    made.training = True
    return made


def joined_lists(first, second):
    """A list of the modules of a list, and of another or any iterable."""
    made = nn.CellList([*first, *second])
    made.training = True
    return made


def repeated(sequence, times):
    """A sequence of what another holds, several times over: the modules are shared."""
    made = nn.SequentialCell(*list(sequence) * times)
    made.training = True
    return made


def repeat(sequence, times):
    """Adds what a sequence holds to its end, until it is there so many times."""
    return extend(sequence, list(sequence) * (times - 1))


@equivalent("torch.nn.Sequential.extend", "torch.nn.ModuleList.extend")
def extend(self, sequential):
    """Adds modules at the end; the container is the result."""
    for module in sequential:
        self.append(module)
    return self


@equivalent("torch.nn.Sequential.insert")
def insert(self, index, module):
    """Adds a module before position `index`; the container is the result."""
    self._insert(index % len(self) if index < 0 else index, module)
    return self


@equivalent("torch.nn.Sequential.pop", "torch.nn.ModuleList.pop")
def pop(self, key):
    """Takes the module at a position out."""
    module = self[key]
    del self[key]
    return module


@layer("torch.nn.ModuleList", base_suffices=True)
class ModuleList(nn.CellList):
    """A list whose modules belong to the one that holds it; None keeps a place.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ModuleList.html
    `nn.CellList` refuses None and, in `extend`, everything but lists.
    """

    def __init__(self, modules=None):
        if modules is None:
            super().__init__()
        elif isinstance(modules, list):
            super().__init__(modules)
        else:
            super().__init__(list(modules))

    def append(self, module):
        if module is None:
            self._cells[str(len(self))] = None
        elif None in self._cells.values():
            module.update_parameters_name(f"{len(self)}.")
            self._cells[str(len(self))] = module
        else:
            super().append(module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        if module is None or None in self._cells.values():
            modules = list(self._cells.values())
            modules.insert(index, module)
            self._cells.clear()
            self._cells.update({str(place): one for place, one in enumerate(modules)})
        else:
            super().insert(index, module)

    def __setitem__(self, index, module):
        if module is None or None in self._cells.values():
            place = str(range(len(self))[index])
            if module is not None:
                module.update_parameters_name(f"{place}.")
            self._cells[place] = module
        else:
            super().__setitem__(index, module)

    def set_grad(self, flag=True):
        self.requires_grad = flag
        for module in self._cells.values():
            if module is not None:
                module.set_grad(flag)


@equivalent("torch.nn.ModuleList.append")
def append_to_list(self, module):
    """Adds a module at the end; the result is None, so a chain of calls raises."""
    return self.append(module)


@equivalent("torch.nn.ModuleList.insert")
def insert_into_list(self, index, module):
    """Adds a module before position `index`."""
    return self.insert(index, module)


@layer("torch.nn.ModuleDict")
class ModuleDict(ContentsInGraphs, nn.Cell):
    """A dict whose modules belong to the one that holds it; each is an attribute, too.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.ModuleDict.html
    `nn.CellDict` refuses containers as values.
    """

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def contents_in_graphs(self):
        return dict(self._cells)

    def update(self, modules):
        for name, module in modules.items() if hasattr(modules, "items") else modules:
            self[name] = module

    def __setitem__(self, name, module):
        if isinstance(module, nn.Cell) and not (name.isascii() and f"_{name.replace('-', '_')}".isidentifier()):
            self._cells[name] = module
            name_parameters(module, f"{name}.")
        else:
            setattr(self, name, module)

    def __getitem__(self, name):
        return self._cells[name]

    def __delitem__(self, name):
        del self._cells[name]

    def __len__(self):
        return len(self._cells)

    def __iter__(self):
        return iter(self._cells)

    def __contains__(self, name):
        return name in self._cells

    def keys(self):
        return self._cells.keys()

    def values(self):
        return self._cells.values()

    def items(self):
        return self._cells.items()

    def pop(self, name):
        module = self[name]
        del self[name]
        return module

    def clear(self):
        self._cells.clear()


@equivalent("torch.nn.ModuleDict.items")
def items(self):
    """(name, module) in order of insertion."""
    return self.items()


@equivalent("torch.nn.ModuleDict.keys")
def keys(self):
    """The names in order of insertion."""
    return self.keys()


@equivalent("torch.nn.ModuleDict.values")
def values(self):
    """The modules in order of insertion."""
    return self.values()


@equivalent("torch.nn.ModuleDict.update")
def update(self, modules):
    """Adds or replaces modules."""
    return self.update(modules)


@equivalent("torch.nn.ModuleDict.pop")
def pop_named(self, key):
    """Takes a module out by name."""
    return self.pop(key)


@equivalent("torch.nn.ModuleDict.clear")
def clear(self):
    """Takes all modules out."""
    return self.clear()
