"""One dtype for tensors that are joined."""

from mindport.equivalents.queries import promote_types


def promoted(tensors):
    """The tensors in the dtype that torch gives their join. Source: torch's type promotion rules."""
    common = tensors[0].dtype
    for x in tensors[1:]:
        if x.dtype != common:
            common = promote_types(common, x.dtype)
    return [x if x.dtype == common else x.astype(common) for x in tensors]
