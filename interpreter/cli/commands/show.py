"""`gdl show`: a position, drawn; the game that shows a finding; who has signed what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, refused
from gdl.interpreter.cli.beginning import begin, refuse_secret
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.drawing import (
    ColourBlind,
    Export,
    Flip,
    Look,
    Png,
    Rotate,
    Seconds,
    Size,
    Svg,
    Themed,
    ThemeName,
    Turn,
    draw,
    export_game,
)
from gdl.interpreter.cli.failures import results_first
from gdl.interpreter.cli.output import (
    print_diagnostics,
    print_message,
    write,
    write_json,
    write_table,
)
from gdl.interpreter.cli.parameters import (
    Ascii,
    AsJson,
    AsMail,
    AsSide,
    Request,
)
from gdl.interpreter.cli.picture import write_position
from gdl.interpreter.sessions.correspondence.mail import mail_line, mail_text
from gdl.interpreter.sessions.correspondence.seen import bareness, departure
from gdl.interpreter.sessions.judging import SignedState, added
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.signing.entries import Entry


def show(
    request: Request,
    as_side: AsSide = None,
    ascii: Ascii = False,
    svg: Svg = None,
    png: Png = None,
    export: Export = None,
    pace: Seconds = 1.0,
    theme: Themed = ThemeName.LIGHT,
    colour_blind: ColourBlind = False,
    flip: Flip = False,
    rotate: Rotate = Turn.NONE,
    size: Size = None,
    witness: Annotated[
        str | None,
        option(
            metavar="CODE[:LINE]",
            help="Check the game, and play what shows this finding.",
            show_default=False,
        ),
    ] = None,
    signatures: Annotated[
        bool,
        option("--signatures", help="Of a saved game, tell who has signed what instead."),
    ] = False,
    mail: AsMail = False,
    as_json: AsJson = False,
) -> None:
    """Draw a position.

    Of a game it is the first, or that after some moves, or that which shows a finding of
    `gdl check`; of a saved game where it stands. Of a saved game that hides something, only what a
    side sees is shown until it is over. `--export` draws all positions up to there.
    """
    if witness is not None:
        request = _with_witness(request, witness)
    played = begin(request, hides=True)
    if played.record is not None:
        known = played.standing
        found = bareness(Path(request.game)) if known is None else departure(known)
        print_diagnostics([] if found is None else [replace(found, severity="warning")])
    if signatures or mail:
        _tell(played, request, mail=mail, as_json=as_json)
        return
    shown = played.last
    if as_side is None:
        refuse_secret(played, f"Say who looks: `--as {shown.mover}`.")
    look = Look.asked(theme, colour_blind, flip, rotate, size)
    scene = shown.scene() if as_side is None else shown.view(as_side).scene
    with results_first() as tried:
        tried(lambda: draw(scene, look, svg, png))
        if export is not None:
            tried(lambda: export_game(played, look, export, pace))
        if as_json or svg is png is export is None:
            write_position(
                shown,
                as_side=as_side,
                as_json=as_json,
                ascii=ascii,
                theme=look.theme,
                flip=flip,
                told="" if played.record is None or request.after else mail_line(played),
            )


def _tell(played: Replay, request: Request, *, mail: bool, as_json: bool) -> None:
    """Print a saved game as it is mailed, or who has signed what."""
    if played.record is None or request.after:
        hint = "`gdl new GAME -o FILE` begins one."
        raise refused(Code.WRONG_OPTION, "That is an option of a saved game.", hint)
    if mail:
        write(mail_text(played, played.record.to_text(), Path(request.game).name))
    else:
        _write_signatures(played, as_json=as_json)


def _with_witness(request: Request, wanted: str) -> Request:
    """Return what to show of a game to see a finding; tell the finding and its moves.

    Raises GameError where there is no such finding, or none that a game shows.
    """
    if request.options or request.variants or request.after or request.example or request.position:
        raise refused(
            Code.WRONG_OPTION,
            "A witness has its options, variants and moves already.",
            "Leave them out beside `--witness`.",
        )
    from gdl.interpreter.check import Effort, check_game

    code, _, line = wanted.partition(":")
    findings = check_game(request.game, Effort())
    shown = [found for found in findings if found.witness is not None]
    for found in shown:
        if found.diagnostic.code != code or not _stands_in(found.diagnostic, line):
            continue
        assert found.witness is not None
        witness = found.witness
        print_diagnostics([found.diagnostic])
        moves = ", ".join(witness.moves)
        print_message(f"  after: {moves}" if moves else "  at the start")
        return replace(
            request,
            options=[f"{name}={value}" for name, value in witness.combination.options.items()],
            variants=list(witness.combination.variants),
            after=moves or None,
        )
    codes = ", ".join(dict.fromkeys(f"`{found.diagnostic.code}`" for found in shown))
    raise refused(
        Code.NO_WITNESS,
        f"No finding `{wanted}` of this game has a game that shows it.",
        f"These have one: {codes}." if codes else "`gdl check` tells what is found.",
    )


def _stands_in(found: Diagnostic, line: str) -> bool:
    return not line or (found.span is not None and str(found.span.line) == line)


def _write_signatures(played: Replay, *, as_json: bool) -> None:
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
