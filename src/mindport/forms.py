"""Names of knowledge about a form of an API that one kind of operand takes: torch's name with an ending."""

from __future__ import annotations

#: Over as many elements as the data decide.
OF_COUNTED = "_of_counted"
#: Of functions whose arguments are dicts and lists of tensors.
OF_STRUCTURES = "_of_structures"
#: By the tensors of a dictionary or list, inside of what is differentiated.
OF_ROWS = "_of_rows"
#: Of a function that takes derivatives by what it gets from around it.
OF_DERIVATIVES = "_of_derivatives"
#: Of a function that reads tensors from around it.
OF_CLOSURES = "_of_closures"
#: Of a function to which arguments are bound.
OF_PARTIALS = "_of_partials"
#: Of a function that reads what changes between its calls.
OF_STATE = "_of_state"
#: Of logits that hold minus infinity.
OF_MASKED = "_of_masked"
#: Of scores that masks may hide altogether.
OF_HIDDEN = "_of_hidden"
#: Of tensors that may be complex.
OF_COMPLEX = "_of_complex"
#: Of logarithms whose differences count.
OF_DIFFERENCES = "_of_differences"
#: Of matrices that may be sparse tensors.
OR_SPARSE = "_or_sparse"
#: Of random functions with a generator.
OF_GENERATOR = "_of_generator"
#: What ``with`` enters.
AS_CONTEXT = "_as_context"

#: Of calls with a number first, as PyTorch took it before 1.5 (``x.add_(0.1, y)``).
FORMER_ORDER = "_in_former_order"
#: Of a parameter that takes another one's place and name.
IN_PLACE_OF = "_in_place_of"
#: Of a tensor that is the argument `out`, and takes a result's size.
AS_OUT = "_as_out"
#: Of what a compiled step differentiates twice.
TWICE = "_differentiated_twice"
#: Of windows whose gradient is differentiated.
OF_WINDOWS = "_of_windows_differentiated_twice"
#: Of a tensor that a function overwrites where an argument says so when the program runs.
WHERE_ASKED = "_where_asked"


def public(name: str) -> str:
    """The API's own name, which logs and findings say."""
    for ending in (OF_STRUCTURES, OF_ROWS, OF_DERIVATIVES, OF_CLOSURES, OF_STATE, OF_MASKED, OF_HIDDEN, OF_COMPLEX, OF_DIFFERENCES, AS_CONTEXT, OR_SPARSE, FORMER_ORDER, IN_PLACE_OF, AS_OUT, WHERE_ASKED, OF_WINDOWS, TWICE, OF_COUNTED, OF_GENERATOR, OF_PARTIALS):
        name = name.removesuffix(ending)
    return name
