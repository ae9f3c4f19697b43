"""Functions of several forms (``arange(end)``, ``arange(start, end, step)``), chosen when they are called.

Conversion chooses by the arguments it reads; where a function is passed on as a value, or called with ``*args``, only
the call shows which form is meant.
"""

import inspect


def whichever(*forms):
    """A function that calls the first of several forms whose parameters its arguments fit; TypeError where none does."""

    def called(*args, **kwargs):
        for form in forms:
            try:
                inspect.signature(form).bind(*args, **kwargs)
            except TypeError:
                continue
            return form(*args, **kwargs)
        raise TypeError(f"{forms[0].__name__}: the arguments fit none of its {len(forms)} forms")

    return called
