"""Who else holds the storage that an in-place operation changes.

`liveness` says which names a function reads after a statement, `objects` what a name can stand for, `flow` follows
the names through a function, and `holders` puts both together: the other names, attributes and callers through which
the change can be seen.
"""
