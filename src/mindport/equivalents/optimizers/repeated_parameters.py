"""Parameters that a group lists several times, as generators over modules and all modules inside of them give them (``for m in net.modules(): yield from m.parameters()``).

torch updates such a parameter as often in a step, with the same gradient. A kernel or graph for all of a group would see the old value each time.
"""


def update_in_turn(optimizer, group, params, grads):
    """The optimizer's update: of each parameter once, then of those that the group lists twice, and so on."""
    if len({id(p) for p in params}) == len(params):
        optimizer.update(group, params, grads)
        return
    fresh = {id(p) for p in params if not optimizer.state.get(p)}
    turns, listed = [], {}
    for p, grad in zip(params, grads):
        turn = listed[id(p)] = listed.get(id(p), -1) + 1
        if turn == len(turns):
            turns.append(([], []))
        turns[turn][0].append(p)
        turns[turn][1].append(grad)
    for turn, (members, theirs) in enumerate(turns):
        if turn and optimizer.looks_before:
            for p in members:
                if id(p) in fresh:
                    optimizer.state.pop(p, None)
        optimizer.update(group, members, theirs)
