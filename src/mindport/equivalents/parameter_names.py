"""Parameters of several networks in one graph: MindSpore tells them apart by their names, and two networks have the same ones."""

import mindspore as ms


def named_apart(parameters):
    """The parameters as a `ms.ParameterTuple`; of those that have one name, all but the first get a number behind it."""
    taken = set()
    for parameter in parameters:
        name, count = parameter.name, 1
        while parameter.name in taken:
            count += 1
            parameter.name = f"{name}_{count}"
        taken.add(parameter.name)
    return ms.ParameterTuple(parameters)
