"""Proof that a seat can force a win, or that it can't, where there are too many positions for more.

In: a position, and a seat. Out: whether that seat can force a win. What then holds: what is proven
is true, whatever was forgotten meanwhile and however positions come again; that something can't be
forced is certain only if no position came again (`REPEATED`), and what it means depends on whether
a draw was met (`DRAWS`).

Depth-first proof-number search: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
applications" (2002). How hard a new position is, is guessed by a few random games: J.-T. Saito and
others, "Monte-Carlo proof-number search" (2006); in small games of connection that saves nine
positions of ten. A child is searched on until it is a quarter harder than the next: J.
Pawlewicz and L. Lew, "Improving depth-first PN-search: 1+ε trick" (2007). Positions are known by
keys of 128 bits.
"""

from __future__ import annotations

from gdl.interpreter.search.machine.instructions import address, call, copy, native
from gdl.interpreter.search.memory.positions import (
    Desk,
    Fields,
    GameFunctions,
    chooser,
    is_stopped,
    prepare,
)
from gdl.interpreter.solve.images import KEY_OF_TABLES, SECOND_KEY, key, take_least
from gdl.interpreter.solve.proof_table import (
    ABORTED,
    ARENA,
    BROKE,
    DEEPEST,
    DN,
    DRAWS,
    INFINITE,
    MOST_CHILDREN,
    NEXT_ONE,
    NODES,
    PLIES,
    PN,
    REPEATED,
    STORED,
    WIDEN_AT,
    Proof,
    entry_of,
    remember_proof,
    set_found,
    take_entry,
)
from gdl.interpreter.solve.workspace import (
    DRAWN,
    ERROR,
    FAILED,
    OVER,
    PASS,
    WON,
    WORD_BYTES,
    Bench,
    is_over,
    keep_here,
    made,
    number_of_moves,
    outcome,
)

_GAMES, _WEIGHT, _MOST_PLIES = 4, 8, 200
"""How many random games are played of a new position; how much they count; how long they may be."""
_SLACK = 4
"""How much harder a child may get than the next one: by one part of so many."""


@native
def _found_outcome(proof: Proof, desk: Desk, fields: Fields, bench: Bench) -> None:
    """Say what the outcome of the game in front of a thread proves."""
    value = outcome(desk, fields, bench)
    if value == DRAWN:
        proof.state[DRAWS] = 1
    if (value if proof.goal == 0 else WON - value) == WON:
        set_found(proof, 0, INFINITE, 0)
    else:
        set_found(proof, INFINITE, 0, 0)


@native
def _came_before(proof: Proof, depth: int) -> bool:
    """Return whether the position at the end of the way stands on it already, or it is too long."""
    if depth + 1 >= DEEPEST:
        return True
    first, second = proof.path_keys[2 * depth], proof.path_keys[2 * depth + 1]
    for n in range(depth):
        if proof.path_keys[2 * n] == first and proof.path_keys[2 * n + 1] == second:
            return True
    return False


@native
def _child_made(
    proof: Proof, depth: int, number: int, desk: Desk, code: GameFunctions, bench: Bench
) -> bool:
    """Put the position after a move of one on the way in front of a thread."""
    size = bench.words * WORD_BYTES
    copy(address(bench.here), address(proof.path) + depth * size, size)
    return made(number, desk, code, bench)


@native
def _guess(proof: Proof, desk: Desk, code: GameFunctions, fields: Fields, bench: Bench) -> None:
    """Say how hard the position in front of a thread is likely to be, by a few random games."""
    size = bench.words * WORD_BYTES
    position, world = address(desk.position), address(desk.world)
    copy(address(bench.here), position, size)
    worth = 0
    for _ in range(_GAMES):
        prepare(desk, code)
        call(code.playout, position, world, address(desk.random), _MOST_PLIES)
        if desk.world[ERROR] != 0 and not is_stopped(desk):
            desk.world[ERROR] = 0
        worth += outcome(desk, fields, bench)
        copy(position, address(bench.here), size)
    if proof.goal != 0:
        worth = WON * _GAMES - worth
    lacking = WON * _GAMES - worth
    set_found(proof, 1 + lacking * _WEIGHT // _GAMES, 1 + worth * _WEIGHT // _GAMES, 0)


@native
def _children_made(
    proof: Proof,
    depth: int,
    moves: int,
    is_goal: bool,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
    bench: Bench,
) -> int:
    """Keep what is known of the children of a position on the way; return how many are kept.

    No more are looked at when one of them settles it. -1 is a failure.
    """
    begin = proof.state[ARENA]
    children = max(1, moves)
    if begin + children > MOST_CHILDREN:
        return -1
    for place in range(children):
        child = begin + place
        if not _child_made(proof, depth, PASS if moves == PASS else place, desk, code, bench):
            return -1
        proof.child_keys[2 * child] = 0
        if is_over(desk, fields):
            _found_outcome(proof, desk, fields, bench)
        else:
            take_least(desk, bench)
            first, second = key(bench, KEY_OF_TABLES), key(bench, SECOND_KEY)
            proof.child_keys[2 * child] = first
            proof.child_keys[2 * child + 1] = second
            entry = entry_of(proof, first, second)
            if entry >= 0:
                take_entry(proof, entry)
            else:
                _guess(proof, desk, code, fields, bench)
        proof.child_pn[child] = proof.state[PN]
        proof.child_dn[child] = proof.state[DN]
        proof.child_plies[child] = proof.state[PLIES]
        if (proof.state[PN] if is_goal else proof.state[DN]) == 0:
            return place + 1
    return children


@native
def _summed_up(proof: Proof, begin: int, children: int, is_goal: bool) -> int:
    """Say what the children of a position prove of it; return the one to go to.

    It is the easiest for the seat that decides; `found` has how hard the next one is.
    """
    best, easiest, next_one = begin, INFINITE + 1, INFINITE
    together = 0
    most, least = 0, INFINITE
    for child in range(begin, begin + children):
        ease = proof.child_pn[child] if is_goal else proof.child_dn[child]
        against = proof.child_dn[child] if is_goal else proof.child_pn[child]
        if ease < easiest:
            next_one = easiest
            easiest = ease
            best = child
        elif ease < next_one:
            next_one = ease
        together = min(INFINITE - 1, together + against)
        if ease == 0:
            least = min(least, proof.child_plies[child] + 1)
        most = max(most, proof.child_plies[child] + 1)
    if easiest == 0:
        together = INFINITE
    elif together == 0:
        easiest = INFINITE
    plies = least if easiest == 0 else most
    if is_goal:
        set_found(proof, min(easiest, INFINITE), together, plies)
    else:
        set_found(proof, together, min(easiest, INFINITE), plies)
    proof.state[NEXT_ONE] = min(next_one, INFINITE)
    return best


@native
def _search(
    proof: Proof,
    depth: int,
    pn_limit: int,
    dn_limit: int,
    desk: Desk,
    code: GameFunctions,
    fields: Fields,
    bench: Bench,
) -> None:
    """Search below the position in front of a thread, until it is as hard as the limits say.

    Its keys stand at the end of the way already. `state` has what was found out of it.
    """
    if _came_before(proof, depth):
        proof.state[REPEATED] = 1
        set_found(proof, INFINITE, 0, 0)
        return
    size = bench.words * WORD_BYTES
    copy(address(proof.path) + depth * size, address(desk.position), size)
    seat = chooser(desk, fields)
    moves = number_of_moves(desk, code, fields)
    if moves == OVER:
        _found_outcome(proof, desk, fields, bench)
        remember_proof(proof, depth, 1)
        return
    is_goal = seat == proof.goal
    children = -1
    if moves != FAILED:
        children = _children_made(proof, depth, moves, is_goal, desk, code, fields, bench)
    if children < 0:
        set_found(proof, 1, 1, 0)
        proof.state[ABORTED] = 1
        proof.state[BROKE] = 1
        return
    begin, before = proof.state[ARENA], proof.state[NODES]
    proof.state[ARENA] = begin + children
    proof.state[NODES] = before + 1
    while True:
        child = _summed_up(proof, begin, children, is_goal)
        pn, dn = proof.state[PN], proof.state[DN]
        if is_stopped(desk) or proof.state[STORED] >= proof.state[WIDEN_AT]:
            proof.state[ABORTED] = 1
        if pn >= pn_limit or dn >= dn_limit or pn == 0 or dn == 0 or proof.state[ABORTED] != 0:
            break
        next_one = proof.state[NEXT_ONE]
        next_one += next_one // _SLACK + 1
        more_pn, more_dn = pn_limit - pn, dn_limit - dn
        child_pn_limit = min(pn_limit, next_one) if is_goal else proof.child_pn[child] + more_pn
        child_dn_limit = proof.child_dn[child] + more_dn if is_goal else min(dn_limit, next_one)
        number = PASS if moves == PASS else child - begin
        if not _child_made(proof, depth, number, desk, code, bench):
            proof.state[ABORTED] = 1
            proof.state[BROKE] = 1
            break
        proof.path_keys[2 * depth + 2] = proof.child_keys[2 * child]
        proof.path_keys[2 * depth + 3] = proof.child_keys[2 * child + 1]
        _search(proof, depth + 1, child_pn_limit, child_dn_limit, desk, code, fields, bench)
        proof.child_pn[child] = proof.state[PN]
        proof.child_dn[child] = proof.state[DN]
        proof.child_plies[child] = proof.state[PLIES]
    proof.state[ARENA] = begin
    remember_proof(proof, depth, proof.state[NODES] - before)


@native
def prove(proof: Proof, desk: Desk, code: GameFunctions, fields: Fields, bench: Bench) -> int:
    """Search on from the position in front of a thread; return 1 if a call failed, else 0.

    It ends when the position is settled, when work is stopped, or when the table is to be widened.
    `state` has what was found out.
    """
    proof.state[ABORTED] = 0
    proof.state[BROKE] = 0
    proof.state[ARENA] = 0
    take_least(desk, bench)
    proof.path_keys[0] = key(bench, KEY_OF_TABLES)
    proof.path_keys[1] = key(bench, SECOND_KEY)
    keep_here(desk, bench)
    _search(proof, 0, INFINITE, INFINITE, desk, code, fields, bench)
    return proof.state[BROKE]
