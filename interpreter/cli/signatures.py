"""Who has signed what in a saved game, as it is printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.cli.output import write, write_json, write_table
from interpreter.sessions.judging import SignedState, added
from interpreter.sessions.replaying import Replay
from interpreter.sessions.signing.entries import Entry


def write_signatures(played: Replay, *, as_json: bool = False) -> None:
    """Print the players of a saved game and its entries; all of them are in order."""
    standing = played.standing
    if as_json:
        write_json(_as_json(standing))
        return
    if standing is None:
        write("This game is not signed: anybody may have changed anything in it.")
        return
    sides = played.positions[0].rules.sides
    for seat in range(1, standing.seats + 1):
        entry = standing.players.get(seat)
        kept = standing.record.reserved.get(seat)
        told = f"kept for {kept}" if kept else "free"
        write(f"Seat {seat}, {sides[seat - 1]}: {f'{entry.name} {entry.key}' if entry else told}")
    rows = [
        (str(number), standing.name(entry.seat), told)
        for number, (entry, told) in enumerate(_entries(standing), start=1)
    ]
    write_table(("entry", "signed by", "what"), rows)
    write("Each signature is of all above it, too. Nothing else in the file counts.")
    age = "" if standing.is_bound else ", which is weak: commitments are bound to no game"
    write(f"Protocol {standing.record.protocol}{age}.")


def _entries(standing: SignedState) -> Iterator[tuple[Entry, str]]:
    for entry, moves in zip(standing.record.entries, added(standing.record), strict=True):
        yield entry, _what(entry, moves)


def _what(entry: Entry, moves: Sequence[str]) -> str:
    if entry.joins:
        return f"joins at seat {entry.seat}"
    if entry.resigns:
        return "resigns"
    if entry.decision:
        return "decides"
    if entry.nonce:
        return f"tells {entry.text}"
    shown = "shows a secret for chance" if entry.secret else ""
    return "; ".join(filter(None, (", ".join(moves), shown)))


def _as_json(standing: SignedState | None) -> dict[str, object]:
    if standing is None:
        return {"signed": False, "protocol": None, "weak": True, "players": [], "entries": []}
    players = [
        {"seat": seat, "name": entry.name, "key": entry.key}
        for seat, entry in sorted(standing.players.items())
    ]
    entries = [
        {"seat": entry.seat, "name": standing.name(entry.seat), "what": told}
        for entry, told in _entries(standing)
    ]
    return {
        "signed": True,
        "protocol": standing.record.protocol,
        "weak": not standing.is_bound,
        "players": players,
        "entries": entries,
    }
