"""Games by correspondence whose moves are signed: keys, cheats, chance, copies, mails."""

from __future__ import annotations

import json
import random
import re
import stat
from base64 import urlsafe_b64decode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from by_mail import DICE, Table, codes, forged, next_place, secrets_of
from click.testing import CliRunner

from gdl.diagnostic import GameError, Source
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.sessions.replaying import replay
from gdl.interpreter.sessions.saves import block, parse_record, read_record, write_record
from gdl.interpreter.sessions.signing.entries import Entry
from gdl.interpreter.sessions.signing.keys import as_text, key_file
from gdl.interpreter.sessions.signing.protocol import NEWEST, Place
from gdl.interpreter.sessions.signing.secrets import ChanceDraws, Secrets


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(tmp_path, monkeypatch)


@pytest.fixture
def dice(tmp_path: Path) -> Path:
    path = tmp_path / "dice.yaml"
    path.write_text(DICE)
    return path


# ---------------------------------------------------------------------------- keys


def test_a_key_is_the_user_s_alone(table: Table) -> None:
    told = table.at("Ann", "key")
    assert told.stdout.startswith("Ann ed25519:")
    path = key_file()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert told.stdout.split()[1] not in path.read_text()
    assert table.at("Ann", "key", "--name", "Other").exit_code == 2
    assert table.at("Ann", "key", "--json").stdout.count(str(path)) == 1
    assert table.at("Carl", "key").stderr.startswith("error[no-key]")
    path.write_text("name: Ann\n-----BEGIN")
    assert "damaged-key" in table.at("Ann", "key").stderr


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\x1b[31mb"])
def test_a_name_is_plain(table: Table, name: str) -> None:
    assert "wrong-name" in table.at("Carl", "key", "--name", name).stderr


def test_a_passphrase_locks_the_key(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GDL_PASSPHRASE", "open sesame")
    made = table.at("Carl", "key", "--name", "Carl", "--passphrase").stdout
    assert table.at("Carl", "key").stdout == made
    assert "ENCRYPTED" in key_file().read_text()
    monkeypatch.setenv("GDL_PASSPHRASE", "open barley")
    assert "wrong-passphrase" in table.at("Carl", "key").stderr
    monkeypatch.delenv("GDL_PASSPHRASE")
    assert "Nobody is there" in table.at("Carl", "key").stderr


# --------------------------------------------------------------- who moves, and what is noticed


def test_two_people_play(table: Table) -> None:
    table.begin("hex", "--option", "size=2")
    assert "Ann (Red) played a1. Blue to move." in table.move("Ann", "a1").stdout
    assert "not-your-turn" in table.move("Ann", "b1").stderr
    assert "Bob (Blue) played b1. Ann (Red) to move." in table.move("Bob", "b1").stdout
    assert "not-your-turn" in table.move("Bob", "a2").stderr
    stranger = table.at("Carl", "key", "--name", "Carl")
    assert stranger.exit_code == 0
    assert "not-your-seat" in table.move("Carl", "a2").stderr
    assert "wrong-move" in table.move("Ann").stderr
    assert table.move("Ann", "a2").stdout.endswith("Ann (Red) played a2. Red wins.\n")
    assert "game-over" in table.move("Bob", "b2").stderr
    told = table.at("Carl", "show", table.save, "--signatures").stdout
    assert "Seat 2, Blue: Bob ed25519:" in told and "Ann        a2" in told
    assert json.loads(table.at("Carl", "show", table.save, "--signatures", "--json").stdout)[
        "signed"
    ]


def test_a_seat_is_kept_for_a_key(table: Table) -> None:
    bob = table.key("Bob").public
    table.begin("hex", "--seat", f"2={bob}")
    table.at("Carl", "key", "--name", "Carl")
    table.move("Ann", "a1")
    assert "not-your-seat" in table.move("Carl", "b1").stderr
    assert table.move("Bob", "b1").exit_code == 0


def test_giving_up(table: Table, tmp_path: Path) -> None:
    table.begin("hex")
    table.move("Ann", "a1")
    told = table.move("Bob", "resign")
    assert told.stdout.endswith("Bob resigns. Red wins.\n")
    assert "game-over" in table.move("Ann", "b1").stderr
    plain = tmp_path / "plain.yaml"
    table.at("Ann", "new", "hex", "-o", plain)
    assert "Blue wins" in table.at("Ann", "move", plain, "resign").stdout


def changed(text: str) -> list[str]:
    """Return texts that differ from this one in a character, or in lines."""
    lines = text.splitlines(keepends=True)
    other = [
        text[:place] + ("B" if char == "A" else "A") + text[place + 1 :]
        for place, char in enumerate(text)
    ]
    fewer = ["".join(lines[:n] + lines[n + 1 :]) for n in range(len(lines))]
    swapped = [
        "".join([*lines[:n], lines[n + 1], lines[n], *lines[n + 2 :]])
        for n in range(len(lines) - 1)
    ]
    return other + fewer + swapped


def test_every_change_is_noticed(table: Table) -> None:
    table.begin("hex", "--option", "size=2", "--option", "pie=yes")
    table.move("Ann", "a2")
    table.move("Bob", "swap")
    text = table.save.read_text()
    whole = parse_record(Source("game", text))
    same = 0
    for other in changed(text):
        try:
            found = parse_record(Source("game", other))
            replay(found)
        except GameError:
            continue
        assert found == whole, other
        same += 1
    assert same < 5


def test_the_entry_that_was_edited_is_told(table: Table) -> None:
    table.begin("hex")
    for name, text in (("Ann", "a1"), ("Bob", "b1"), ("Ann", "c1")):
        table.move(name, text)
    table.save.write_text(table.save.read_text().replace("- b1\n", "- b2\n"))
    told = table.at("Ann", "show", table.save)
    assert told.exit_code == 1
    assert "error[edited-record]: The signature of Bob does not fit: move 2 was changed" in (
        told.stderr
    )
    assert "- b2" in told.stderr


def test_what_nobody_has_signed_is_refused(table: Table) -> None:
    table.begin("hex")
    table.move("Ann", "a1")
    record = read_record(table.save)
    assert codes(replace(record, moves=("a1", "b1"))) == {"unsigned-part"}
    assert codes(replace(record, variations=(("b1",),))) == {"unsigned-part"}
    assert codes(replace(record, seed=1)) == {"unsigned-part"}
    assert codes(replace(record, result="Red wins")) == {"unsigned-part"}
    assert codes(replace(record, entries=())) == {"damaged-record"}
    assert codes(replace(record, game_id="other")) == {"damaged-record"}
    assert codes(replace(record, game_id="A" * 22)) == {"edited-record"}


def test_other_rules_are_not_played_on_with(table: Table, tmp_path: Path) -> None:
    game = tmp_path / "mine.yaml"
    game.write_text("extends: hex\ngame: Mine\n")
    table.begin(game)
    table.move("Ann", "a1")
    game.write_text("extends: hex\ngame: Mine\nstuck: draw\n")
    told = table.move("Bob", "b1")
    assert told.exit_code != 0 and "error[other-rules]" in told.stderr


def test_an_older_copy_is_noticed(table: Table) -> None:
    table.begin("hex")
    table.move("Ann", "a1")
    older = table.save.read_text()
    table.move("Bob", "b1")
    newer = table.save.read_text()
    table.save.write_text(older)
    assert "error[cut-record]" in table.move("Bob", "c1").stderr
    assert "warning[cut-record]" in table.at("Bob", "show", table.save).stderr
    assert table.save.read_text() == older
    table.save.write_text(newer)
    table.move("Ann", "c1")
    table.save.write_text(newer)
    assert "error[cut-record]" in table.move("Ann", "c2").stderr


def test_a_game_that_went_another_way_is_noticed(table: Table, tmp_path: Path) -> None:
    table.begin("hex")
    begun = table.save.read_text()
    table.move("Ann", "a1")
    table.move("Bob", "b1")
    table.save.write_text(begun)
    for name in ("Ann", "Bob"):
        (tmp_path / name / "seen").rename(tmp_path / name / "forgotten")
    table.move("Ann", "a2")
    table.move("Bob", "b1")
    assert table.move("Ann", "c1").exit_code == 0
    (tmp_path / "Bob" / "seen").rename(tmp_path / "Bob" / "later")
    (tmp_path / "Bob" / "forgotten").rename(tmp_path / "Bob" / "seen")
    assert "error[other-course]" in table.move("Bob", "c2").stderr
    assert "warning[other-course]" in table.at("Bob", "show", table.save).stderr


def test_a_move_is_kept_where_nothing_can_be_noted(table: Table, tmp_path: Path) -> None:
    table.begin("hex")
    notes = tmp_path / "Ann" / "seen"
    notes.rename(tmp_path / "elsewhere")
    notes.write_text("no folder")
    told = table.move("Ann", "a1")
    assert told.exit_code == 0 and "warning[file-unwritable]" in told.stderr
    assert table.played.record is not None and table.played.record.moves == ("a1",)


# ---------------------------------------------------------------------------- chance


def play_on(table: Table, chance: random.Random) -> int:
    """Play a game to its end, as each side is told to; return how often the file was sent."""
    turns = 0
    while True:
        played = table.played
        standing = played.standing
        assert standing is not None
        if played.record is not None and played.record.result:
            return turns
        if played.last.seat is None:
            name = standing.name(standing.waits_for[0]) or "Bob"
            told = table.move(name)
        else:
            name = standing.name(played.last.seat) or "Bob"
            told = table.move(name, chance.choice(played.last.moves()).text)
        assert told.exit_code == 0, told.stderr
        turns += 1


@pytest.mark.slow
def test_a_race_with_dice_is_played_to_the_end(table: Table) -> None:
    table.begin("royal-game-of-ur", "--option", "team=1")
    assert table.move("Ann").exit_code == 2
    assert play_on(table, random.Random(3)) > 10
    played = table.played
    assert played.last.over and played.standing is not None
    assert played.standing.draws.done > 5


def test_the_same_side_rolls_again(table: Table, dice: Path) -> None:
    table.begin(dice)
    play_on(table, random.Random(1))
    assert table.played.last.outcome is not None


def test_dice_can_t_be_chosen(table: Table, dice: Path) -> None:
    table.begin(dice)
    table.move("Bob")
    table.move("Ann")
    first = table.played.last
    assert first.seat == 1
    table.move("Ann", "a1")
    played = table.played
    done = len(played.moves)
    assert played.last.seat is None
    secret = secrets_of(table, "Bob", 2).number(2)
    other = as_text(sha256(b"another one").digest())
    for text in "123456":
        cheat = forged(table, "Bob", Entry(2, done + 1, secret=other), (text,))
        assert codes(cheat) == {"wrong-secret"}
    rolls = []
    for text in "123456":
        tried = forged(table, "Bob", Entry(2, done + 1, secret=as_text(secret)), (text,))
        try:
            replay(tried, dice)
            rolls.append(text)
        except GameError as error:
            assert error.diagnostics[0].code == "wrong-draw"
    table.move("Bob")
    assert rolls == [table.played.moves[done].text]


def test_chance_does_not_go_on_without_a_secret(table: Table, dice: Path) -> None:
    table.begin(dice)
    table.move("Bob")
    early = forged(table, "Bob", Entry(2, 1), ("3",))
    assert codes(early) == {"missing-secret"}
    again = forged(table, "Bob", Entry(2, 0, secret=as_text(secrets_of(table, "Bob", 2).number(2))))
    assert codes(again) == {"missing-secret"}
    silent = forged(
        table, "Ann", Entry(1, 0, secret=as_text(secrets_of(table, "Ann", 1).number(1)))
    )
    assert codes(silent) == {"missing-secret"}


def test_nobody_moves_for_another(table: Table) -> None:
    table.begin("hex")
    table.move("Ann", "a1")
    table.move("Bob", "b1")
    assert codes(forged(table, "Bob", Entry(2, 3), ("c1",))) == {"wrong-signer"}
    assert codes(forged(table, "Bob", Entry(1, 3), ("c1",))) == {"edited-record"}
    assert codes(forged(table, "Bob", Entry(3, 3), ("c1",))) == {"damaged-record"}
    bob = table.key("Bob")
    joins = Entry(1, key=bob.public, name="Ann", commitment=as_text(bytes(32)))
    assert codes(forged(table, "Bob", joins)) == {"damaged-record"}


def test_a_draw_depends_on_each_secret(table: Table) -> None:
    keys = [table.key("Ann"), table.key("Bob")]
    places = [Place(NEWEST, b"game", 1, seat, b"game") for seat in (1, 2)]
    chains = [Secrets(key, place) for key, place in zip(keys, places, strict=True)]
    draws = ChanceDraws()
    for place, chain in zip(places, chains, strict=True):
        draws.join(chain.number(0), place)
    assert draws.missing(2) == (1, 2)
    assert draws.show(1, chains[0].number(1)) and draws.missing(2) == (2,)
    assert not draws.show(2, chains[0].number(1))
    assert draws.show(2, chains[1].number(2)) and draws.shown(2) == 2
    assert chains[0].number(1) == places[0].secret_before(chains[0].number(2))
    assert chains[0].number(1) != places[1].secret_before(chains[0].number(2))
    other = Secrets(keys[0], replace(places[0], before=b"other"))
    assert other.number(1) != chains[0].number(1)


def test_a_draw_can_be_checked_from_the_file_alone(table: Table, dice: Path) -> None:
    table.begin(dice)
    table.move("Bob")
    table.move("Ann")
    lines = [line.split() for line in table.save.read_text().splitlines()]
    shown = {line[1]: line[4] for line in lines if len(line) == 6 and line[2] == "plays"}
    secrets = b"".join(urlsafe_b64decode(shown[seat] + "=") for seat in "12")
    number = int.from_bytes(sha256(b"gdl draw\0" + b"1\0" + b"1\0" + secrets).digest())
    record = table.played.record
    assert record is not None and record.moves == (str(number % 6 + 1),)


def test_three_people_play_with_dice(table: Table, dice: Path) -> None:
    dice.write_text(DICE.replace("White, Black", "White, Black, Red"))
    assert table.at("Carl", "key", "--name", "Carl").exit_code == 0
    table.begin(dice)
    assert "waits for seat 3" in table.move("Bob").stdout
    people = {1: "Ann", 2: "Bob", 3: "Carl"}
    while not (played := table.played).last.over:
        standing, seat = played.standing, played.last.seat
        assert standing is not None
        if seat is None:
            assert table.move(people[standing.waits_for[0]]).exit_code == 0
        else:
            told = table.move(people[seat], played.last.moves()[0].text)
            assert told.exit_code == 0, told.stderr
    assert played.standing is not None and played.standing.draws.done == 6


def test_what_can_t_be_had_is_refused(table: Table, tmp_path: Path) -> None:
    for game in (["phantom-tic-tac-toe"], ["goofspiel", "--variant", "hidden bids"]):
        told = table.at("Ann", "new", *game, "-o", tmp_path / "x", "--seat", "1=me")
        assert "error[not-secret]" in told.stderr and not (tmp_path / "x").exists()
    alone = tmp_path / "alone.yaml"
    alone.write_text(DICE.replace("White, Black", "White"))
    told = table.at("Ann", "new", alone, "-o", tmp_path / "x", "--seat", "1=me")
    assert "error[chance-alone]" in told.stderr
    for seats in (("--seat", "1=ann"), ("--seat", "1=me", "--seed", "1"), ("--seat", "3=me")):
        told = table.at("Ann", "new", "hex", "-o", tmp_path / "x", *seats)
        assert "error[wrong-option]" in told.stderr


# --------------------------------------------------------- deciding at the same time


@pytest.fixture
def bids(table: Table) -> Table:
    """Give a game in which both are to bid."""
    table.begin("goofspiel", "--option", "cards=2")
    table.move("Bob")
    table.move("Ann")
    return table


def test_who_decides_first_gives_nothing_away(bids: Table) -> None:
    told = bids.move("Ann", "a1")
    assert told.stdout.endswith("Bob to decide.\n")
    before = bids.save.read_text()
    assert "a1" not in re.split(r"[^\w-]+", before)
    assert bids.at("Bob", "show", bids.save).exit_code == 0
    assert "waits for Bob" in bids.move("Ann", "b1").stderr
    assert "not a legal move" in bids.move("Bob", "a1").stderr
    assert bids.move("Bob", "b3").stdout.endswith("Ann to tell what was decided.\n")
    assert "tells b3" in bids.at("Ann", "show", bids.save, "--signatures").stdout
    assert "gdl move game.yaml --from" in bids.at("Bob", "show", bids.save, "--mail").stdout
    told = bids.move("Ann", "--mail")
    assert "Ann (First) played a1; Bob (Second) played b3." in told.stdout
    bids.move("Bob")
    assert bids.move("Bob", "a3").stdout.endswith("Ann to decide.\n")
    assert bids.move("Ann", "b1").stdout.endswith("Bob to tell what was decided.\n")
    assert bids.move("Bob").exit_code == 0
    assert bids.played.last.over and bids.played.record is not None
    assert bids.played.record.result != ""


def decided(table: Table, text: str, nonce: bytes = bytes(32)) -> str:
    return as_text(next_place(table, 2).commitment(text, nonce))


def test_a_decision_can_t_be_changed(bids: Table) -> None:
    bids.move("Ann", "a1")
    write_record(forged(bids, "Bob", Entry(2, decision=decided(bids, "b3"))), bids.save)
    nonce = as_text(bytes(32))
    for entry in (
        Entry(2, nonce=nonce, text="a3"),
        Entry(2, nonce=as_text(b"x" * 32), text="b3"),
        Entry(2, decision=decided(bids, "a3")),
    ):
        assert codes(forged(bids, "Bob", entry)) == {"wrong-decision"}
    write_record(forged(bids, "Bob", Entry(2, nonce=nonce, text="b3")), bids.save)
    assert codes(forged(bids, "Bob", Entry(2, 3), ("a1", "b3"))) == {"wrong-decision"}
    done = bids.move("Ann")
    assert done.exit_code == 0, done.stderr
    assert bids.played.record is not None and bids.played.record.moves[1:3] == ("a1", "b3")


def test_nobody_tells_too_early_or_what_is_not_legal(bids: Table) -> None:
    write_record(forged(bids, "Bob", Entry(2, decision=decided(bids, "c3"))), bids.save)
    tells = Entry(2, nonce=as_text(bytes(32)), text="c3")
    assert codes(forged(bids, "Bob", tells)) == {"wrong-decision"}
    bids.move("Ann", "a1")
    with pytest.raises(GameError, match="has decided is not a legal move"):
        replay(forged(bids, "Bob", tells))


@pytest.mark.parametrize("code", ["edited-record", "wrong-draw", "cut-record", "chance-alone"])
def test_what_is_told_of_a_signed_game_is_explained(code: str) -> None:
    told = CliRunner().invoke(make_app(), ["explain", code])
    assert told.exit_code == 0 and told.stdout.startswith(f"{code}\n\n")


# ----------------------------------------------------------------------------- mails

Mailed = Callable[[str], str]


@pytest.mark.parametrize(
    "mailed",
    [
        str,
        lambda text: "".join(f"> {line}\n" for line in text.splitlines()),
        lambda text: "".join(f"Ann>> {line}  \r\n" for line in text.splitlines()),
        lambda text: "".join(f"{line[:40]}\n{line[40:]}\n" for line in text.splitlines()),
        lambda text: f"Thanks!\n{text}\n" + "".join(f"> {line}\n" for line in OLDER.splitlines()),
    ],
    ids=["plain", "quoted", "quoted twice", "wrapped", "with what it answers"],
)
@pytest.mark.parametrize("is_signed", [True, False])
def test_a_game_is_mailed(table: Table, tmp_path: Path, mailed: Mailed, is_signed: bool) -> None:
    if is_signed:
        table.begin("hex")
    else:
        table.at("Ann", "new", "hex", "-o", table.save)
    table.move("Ann", "a1")
    sent = table.at("Ann", "show", table.save, "--mail").stdout
    assert sent.startswith("Hex, move 1: ") and "gdl move game.yaml MOVE --from mail.txt" in sent
    mail, other = tmp_path / "mail.txt", tmp_path / "bob.yaml"
    mail.write_text(mailed(sent), newline="")
    assert "played a1" in table.at("Bob", "show", mail).stdout
    told = table.at("Bob", "move", other, "b1", "--from", mail, "--mail")
    assert told.exit_code == 0, told.stderr
    assert "move 2" in told.stdout
    back = table.at("Ann", "move", table.save, "--from", "-", typed=told.stdout)
    assert back.exit_code == 0, back.stderr
    assert table.save.read_text() == other.read_text()
    assert "wrong-option" in table.at("Bob", "move", mail, "b1").stderr
    old = table.at("Ann", "move", table.save, "--from", mail)
    assert "error[cut-record]" in old.stderr


def test_a_mail_counts_no_moves_of_chance(table: Table) -> None:
    table.at("Ann", "new", "einstein", "-o", table.save)
    sent = table.at("Ann", "show", table.save, "--mail").stdout
    move = table.at("Ann", "moves", table.save).stdout.split()[0]
    moved = table.at("Ann", "move", table.save, move, "--mail").stdout
    assert "move" not in sent.splitlines()[0].partition(":")[0]
    assert " move 1: " in moved.splitlines()[0]


OLDER = block("game: hex\nmoves: []\n")


def test_a_damaged_mail_is_told(table: Table, tmp_path: Path) -> None:
    table.begin("hex")
    sent = table.at("Ann", "show", table.save, "--mail").stdout
    lines = sent.splitlines()
    mail = tmp_path / "mail.txt"
    for damaged in ([*lines[:-2]], [*lines[:5], *lines[6:]], [*lines[:5], "x" + lines[5]]):
        mail.write_text("\n".join(damaged))
        assert "error[damaged-mail]" in table.at("Bob", "move", table.save, "--from", mail).stderr
    other = tmp_path / "other.yaml"
    table.at("Ann", "new", "hex", "-o", other, "--seat", "1=me")
    mail.write_text(table.at("Ann", "show", other, "--mail").stdout)
    assert "error[other-course]" in table.at("Bob", "move", table.save, "--from", mail).stderr


def test_a_large_game_in_a_small_mail_is_refused(tmp_path: Path, table: Table) -> None:
    mail = tmp_path / "mail.txt"
    mail.write_text(block("game: hex\n" + "#" * 5_000_000))
    assert "damaged-mail" in table.at("Bob", "show", mail, "--mail").stderr


def test_a_mail_does_not_tell_what_is_hidden(table: Table) -> None:
    table.at("Ann", "new", "phantom-tic-tac-toe", "-o", table.save)
    told = table.move("Ann", "b2", "--mail").stdout
    assert told.startswith("Phantom tic-tac-toe, move 1: X has played. O to move.\n")


# ----------------------------------------------------------------------- other commands


def test_a_signed_game_is_not_written_over_by_play(table: Table, dice: Path) -> None:
    table.begin("hex")
    table.move("Ann", "a1")
    before = table.save.read_text()
    told = table.at("Ann", "play", table.save, typed=f"save {table.save}\nno\nb1\nquit\n")
    assert told.exit_code == 0
    assert "Write over it?" in told.stdout
    assert table.save.read_text() == before


def test_a_signed_record_is_written_and_read(table: Table, tmp_path: Path) -> None:
    table.begin("hex", "--seat", f"2={table.key('Bob').public}")
    record = read_record(table.save)
    copy = tmp_path / "copy.yaml"
    write_record(record, copy)
    assert read_record(copy) == record and record.reserved.keys() == {2}
