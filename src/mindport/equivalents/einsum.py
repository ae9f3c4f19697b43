"""Einstein summation by permutation, product and sum: `ops.einsum` has no CPU kernel.

What depends on the equation and the shapes alone is planned in plain Python (`constexpr`: at compile time in graph
mode); what touches tensors is a handful of MindSpore operators.
"""

from mindspore import ops
from mindspore.ops import constexpr

from mindport.declare import Refused, equivalent


@equivalent("torch.einsum")
def einsum(equation, *operands):
    """The sum of products that `equation` names, operands from left to right.

    Letters, spaces, an ellipsis that broadcasts, repeated letters (diagonals) and an implicit output are
    understood. https://docs.pytorch.org/docs/2.13/generated/torch.einsum.html
    """
    if not isinstance(equation, str):
        raise Refused("the sublist form is not supported: write the equation as a string")
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    diagonals, steps, gone, order = einsum_plan(equation, tuple([operand.shape for operand in operands]))
    result = einsum_diagonal(operands[0], diagonals[0])
    for index in range(1, len(operands)):
        left, right, elementwise, shape = steps[index - 1]
        first = einsum_arrange(result, left)
        second = einsum_arrange(einsum_diagonal(operands[index], diagonals[index]), right)
        product = first * second if elementwise else ops.bmm(first, second)
        result = ops.reshape(product, shape)
    if gone:
        result = ops.sum(result, gone)
    if order:
        result = ops.permute(result, order)
    return result


def einsum_diagonal(tensor, pairs):
    """The tensor with each pair of axes, taken in turn, replaced by its diagonal in the last place."""
    for first, second in pairs:
        tensor = ops.diagonal(tensor, 0, first, second)
    return tensor


def einsum_arrange(tensor, plan):
    """The tensor permuted, broadcast and reshaped to (batch, rows, columns)."""
    order, full, shape = plan
    tensor = ops.permute(tensor, order) if order else tensor
    return ops.reshape(ops.broadcast_to(tensor, full), shape)


@constexpr
def einsum_plan(equation, shapes):
    """What to do: diagonals of each operand, products from left to right, axes to sum, the final order."""
    terms, output = einsum_terms(equation, [len(shape) for shape in shapes])
    diagonals, once = [], []
    for term, shape in zip(terms, shapes):
        pairs, labels, sizes = [], list(term), list(shape)
        for label in sorted(set(term), key=str):
            while labels.count(label) > 1:
                first = labels.index(label)
                second = labels.index(label, first + 1)
                size = sizes[first]
                pairs.append((first, second))
                for place in (second, first):
                    labels.pop(place)
                    sizes.pop(place)
                labels.append(label)
                sizes.append(size)
        diagonals.append(tuple(pairs))
        once.append((labels, sizes))
    labels, sizes = once[0]
    steps = []
    for index in range(1, len(terms)):
        later = set(output).union(*terms[index + 1 :])
        step, labels, sizes = einsum_product(labels, sizes, *once[index], later)
        steps.append(step)
    gone = tuple(place for place, label in enumerate(labels) if label not in output)
    kept = [label for label in labels if label in output]
    order = tuple(kept.index(label) for label in output)
    return tuple(diagonals), tuple(steps), gone, () if order == tuple(range(len(order))) else order


def einsum_terms(equation, ranks):
    """The labels of each operand and of the output; the ellipsis becomes numbers, counted from the right."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    parts = left.split(",")
    widths = [rank - len(part.replace("...", "")) for part, rank in zip(parts, ranks)]
    widest = sorted(width for part, width in zip(parts, widths) if "..." in part)
    broadcast = list(range(widest[-1], 0, -1)) if widest else []

    def expand(part, width):
        before, dots, after = part.partition("...")
        return [*before, *(broadcast[len(broadcast) - width :] if dots else []), *after]

    terms = [expand(part, width) for part, width in zip(parts, widths)]
    if arrow:
        return terms, expand(right, len(broadcast))
    letters = [label for term in terms for label in term if isinstance(label, str)]
    return terms, broadcast + sorted(label for label in set(letters) if letters.count(label) == 1)


def einsum_product(labels, sizes, other_labels, other_sizes, later):
    """The product of two operands, summed over what they share and nothing later needs; its labels and sizes."""
    size_of = dict(zip(labels, sizes))
    for label, size in zip(other_labels, other_sizes):
        size_of[label] = size if size_of.get(label, 1) == 1 else size_of[label]
    shared = [label for label in labels if label in other_labels]
    summed = [label for label in shared if label not in later]
    batch = [label for label in shared if label in later]
    rows = [label for label in labels if label not in shared]
    columns = [label for label in other_labels if label not in shared]

    def count(group):
        total = 1
        for label in group:
            total *= size_of[label]
        return total

    def arrange(names, groups):
        order = tuple(names.index(label) for group in groups for label in group)
        full = tuple(size_of[label] for group in groups for label in group)
        return () if order == tuple(range(len(order))) else order, full, tuple(count(group) for group in groups)

    found = [*batch, *rows, *columns]
    shape = tuple(size_of[label] for label in found)
    elementwise = not summed and not rows and not columns
    step = arrange(labels, [batch, rows, summed]), arrange(other_labels, [batch, summed, columns]), elementwise, shape
    return step, found, list(shape)
