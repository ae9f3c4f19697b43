"""Einstein summation by permutation, product and sum: `ops.einsum` has no CPU kernel."""

from mindspore import ops

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
    terms, output = einsum_terms(equation, [operand.ndim for operand in operands])
    labels, result = einsum_diagonals(terms[0], operands[0])
    for index in range(1, len(operands)):
        later = set(output).union(*terms[index + 1 :])
        other, tensor = einsum_diagonals(terms[index], operands[index])
        labels, result = einsum_contract(labels, result, other, tensor, later)
    gone = tuple(i for i, label in enumerate(labels) if label not in output)
    if gone:
        result = ops.sum(result, gone)
        labels = [label for label in labels if label in output]
    order = tuple(labels.index(label) for label in output)
    return result if order == tuple(range(len(order))) else ops.permute(result, order)


def einsum_terms(equation, ranks):
    """The labels of each operand and of the output; the ellipsis becomes numbers, counted from the right."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    parts = left.split(",")
    widths = [rank - len(part.replace("...", "")) for part, rank in zip(parts, ranks, strict=True)]
    widest = [width for part, width in zip(parts, widths, strict=True) if "..." in part]
    broadcast = list(range(sorted(widest)[-1], 0, -1)) if widest else []

    def expand(part, width):
        before, dots, after = part.partition("...")
        return [*before, *(broadcast[len(broadcast) - width :] if dots else []), *after]

    terms = [expand(part, width) for part, width in zip(parts, widths, strict=True)]
    if arrow:
        return terms, expand(right, len(broadcast))
    letters = [label for term in terms for label in term if isinstance(label, str)]
    return terms, broadcast + sorted(label for label in set(letters) if letters.count(label) == 1)


def einsum_diagonals(labels, tensor):
    """The operand with every label once: a repeated one is a diagonal."""
    labels = list(labels)
    for label in set(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            tensor = ops.diagonal(tensor, 0, first, second)
            labels = [kept for i, kept in enumerate(labels) if i not in (first, second)] + [label]
    return labels, tensor


def einsum_contract(labels, tensor, other_labels, other, later):
    """The product of two operands, summed over what neither the output nor a later operand needs."""
    sizes = {}
    for names, operand in ((labels, tensor), (other_labels, other)):
        for label, size in zip(names, operand.shape, strict=True):
            sizes[label] = size if sizes.get(label, 1) == 1 else sizes[label]
    shared = [label for label in labels if label in other_labels]
    summed = [label for label in shared if label not in later]
    batch = [label for label in shared if label in later]
    rows = [label for label in labels if label not in shared]
    columns = [label for label in other_labels if label not in shared]

    def arrange(names, operand, groups):
        operand = ops.permute(operand, tuple(names.index(label) for group in groups for label in group))
        full = [sizes[label] for group in groups for label in group]
        if tuple(operand.shape) != tuple(full):
            operand = ops.broadcast_to(operand, tuple(full))
        return operand.reshape([einsum_size(sizes, group) for group in groups])

    if einsum_size(sizes, summed) == 0:
        shape = [sizes[label] for label in [*batch, *rows, *columns]]
        return [*batch, *rows, *columns], ops.full(tuple(shape), 0, dtype=tensor.dtype)
    left = arrange(labels, tensor, [batch, rows, summed])
    right = arrange(other_labels, other, [batch, summed, columns])
    product = left * right if not summed and not rows and not columns else ops.bmm(left, right)
    found = [*batch, *rows, *columns]
    return found, product.reshape([sizes[label] for label in found])


def einsum_size(sizes, labels):
    """The number of elements over some labels."""
    count = 1
    for label in labels:
        count *= sizes[label]
    return count
