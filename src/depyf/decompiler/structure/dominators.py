"""Dominators: the block that every way to a block passes (Cooper, Harvey, Kennedy: A Simple, Fast Dominance
Algorithm).
"""

from __future__ import annotations

from typing import Callable, Dict, List, Sequence, Tuple


def reverse_postorder(entry: int, targets: Callable[[int], Sequence[int]]) -> List[int]:
    """Every block reached from ``entry``, each before the blocks it leads to, back edges aside."""
    postorder: List[int] = []
    seen = {entry}
    trail = [(entry, list(targets(entry)))]
    while trail:
        number, remaining = trail[-1]
        if not remaining:
            postorder.append(number)
            trail.pop()
            continue
        target = remaining.pop()
        if target not in seen:
            seen.add(target)
            trail.append((target, list(targets(target))))
    return postorder[::-1]


def immediate_dominators(order: Sequence[int], targets: Callable[[int], Sequence[int]]) -> Dict[int, int]:
    """Immediate dominator by block; ``order`` is the reverse postorder, whose first block dominates itself."""
    place = {number: index for index, number in enumerate(order)}
    before: Dict[int, List[int]] = {number: [] for number in order}
    for number in order:
        for target in targets(number):
            before[target].append(number)
    dominator = {order[0]: order[0]}
    changed = True
    while changed:
        changed = False
        for number in order[1:]:
            best = -1
            # The latest first: then what is met climbs only once, however many ways lead here.
            for earlier in reversed(before[number]):
                if earlier in dominator:
                    best = earlier if best < 0 else _meet(best, earlier, dominator, place)
            if dominator.get(number) != best:
                dominator[number] = best
                changed = True
    return dominator


def subtrees(order: Sequence[int], dominator: Dict[int, int]) -> Dict[int, Tuple[int, int]]:
    """Preorder numbers of the dominator tree: a block's own, and the first one behind the blocks that it dominates."""
    sizes = dict.fromkeys(order, 1)
    for number in reversed(order[1:]):
        sizes[dominator[number]] += sizes[number]
    free = {order[0]: 1}
    found = {order[0]: (0, len(order))}
    for number in order[1:]:
        start = free[dominator[number]]
        free[dominator[number]] = start + sizes[number]
        free[number] = start + 1
        found[number] = (start, start + sizes[number])
    return found


def _meet(one: int, other: int, dominator: Dict[int, int], place: Dict[int, int]) -> int:
    while one != other:
        while place[one] > place[other]:
            one = dominator[one]
        while place[other] > place[one]:
            other = dominator[other]
    return one
