"""The search for a step along a direction that fulfils the strong Wolfe conditions, with cubic interpolation.

Nocedal and Wright, Numerical Optimization (2006), algorithms 3.5 and 3.6; safeguards as in minFunc, which torch follows.
"""

from collections import namedtuple

import numpy as np

#: A place along the direction, the loss and gradient there, and the loss's slope in the direction.
Point = namedtuple("Point", "place loss gradient slope")


def cubic_minimum(one, two, least=None, most=None):
    """Where the cubic through two points and slopes is smallest, between bounds (without them, the points)."""
    left, right = (one, two) if one.place <= two.place else (two, one)
    if least is None:
        least, most = left.place, right.place
    middle = one.slope + two.slope - 3 * (one.loss - two.loss) / (one.place - two.place)
    square = middle**2 - one.slope * two.slope
    if not square >= 0:
        return (least + most) / 2.0
    root = np.sqrt(square)
    found = right.place - (right.place - left.place) * ((right.slope + root - middle) / (right.slope - left.slope + 2 * root))
    return min(max(found, least), most)


def strong_wolfe(evaluate, start, place, size, tolerance, tries, decrease=1e-4, curvature=0.9):
    """The point found, and how often `evaluate(place)` gave a Point. `size`: the direction's largest element."""

    def too_high(point):
        return point.loss > start.loss + decrease * point.place * start.slope

    def flat(point):
        return abs(point.slope) <= -curvature * start.slope

    before, now, tried, found = start, evaluate(place), 0, None
    while tried < tries:
        if too_high(now) or (tried > 1 and now.loss >= before.loss):
            break
        if flat(now):
            found = now
            break
        if now.slope >= 0:
            break
        place = cubic_minimum(before, now, now.place + 0.01 * (now.place - before.place), now.place * 10)
        before, now, tried = now, evaluate(place), tried + 1
    if found is not None:
        return found, tried + 1
    ends = [start if tried >= tries else before, now]
    stuck = False
    best = 0 if ends[0].loss <= ends[1].loss else 1
    while tried < tries and not abs(ends[1].place - ends[0].place) * size < tolerance:
        place = cubic_minimum(ends[0], ends[1])
        least, most = min(end.place for end in ends), max(end.place for end in ends)
        margin = 0.1 * (most - least)
        close = min(most - place, place - least) < margin
        if close and (stuck or place >= most or place <= least):
            place = most - margin if abs(place - most) < abs(place - least) else least + margin
            close = False
        stuck = close
        now, tried = evaluate(place), tried + 1
        if too_high(now) or now.loss >= ends[best].loss:
            ends[1 - best] = now
            best = 0 if ends[0].loss <= ends[1].loss else 1
            continue
        finished = flat(now)
        if not finished and now.slope * (ends[1 - best].place - ends[best].place) >= 0:
            ends[1 - best] = ends[best]
        ends[best] = now
        if finished:
            break
    return ends[best], tried + 1
