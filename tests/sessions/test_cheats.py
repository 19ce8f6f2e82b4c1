"""Cheats by mail, each tried on a real file: copies, replays, cuts, other keys, other rules."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from by_mail import DICE, Table, codes, forged, next_place, secrets_of

from gdl.interpreter.sessions.correspondence import acting
from gdl.interpreter.sessions.rounds import Round
from gdl.interpreter.sessions.saves import read_record, write_record
from gdl.interpreter.sessions.signing.entries import Entry
from gdl.interpreter.sessions.signing.keys import as_text, from_text, is_public, is_weak
from gdl.interpreter.sessions.signing.protocol import NEWEST, UNBOUND, number_drawn
from gdl.interpreter.sessions.signing.secrets import ChanceDraws

OLD = Path(__file__).parents[1] / "old_saves"
PENNIES, THREE = (OLD / "pennies.yaml").read_text(), (OLD / "three.yaml").read_text()


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    return Table(tmp_path, monkeypatch)


def begun(table: Table, rules: str) -> None:
    """Begin a game of these rules, in which nobody but Ann has a seat as yet."""
    path = table.save.with_name("rules.yaml")
    path.write_text(rules)
    table.begin(path)


def joins(table: Table, name: str, seat: int, committed: bytes) -> Entry:
    return Entry(seat, key=table.key(name).public, name=name, commitment=as_text(committed))


def begun_unbound(table: Table, rules: str, monkeypatch: pytest.MonkeyPatch, *joining: str) -> None:
    """Begin a game by the old protocol, which others join without a move."""
    with monkeypatch.context() as before:
        before.setattr(acting, "NEWEST", UNBOUND)
        begun(table, rules)
        for name in joining:
            assert table.move(name).exit_code == 0


# ---------------------------------------------------------------------------- copies


def test_a_decision_is_not_copied(table: Table) -> None:
    begun(table, PENNIES)
    table.move("Bob")
    table.move("Ann", "a1")
    mirrored = read_record(table.save).entries[-1].decision
    write_record(forged(table, "Bob", Entry(2, decision=mirrored)), table.save)
    for told in (table.move("Ann"), table.at("Bob", "show", table.save)):
        assert told.exit_code != 0 and "error[copied-commitment]" in told.stderr


def test_a_copied_commitment_can_t_be_opened(table: Table) -> None:
    begun(table, PENNIES)
    places = [next_place(table, seat) for seat in (1, 2)]
    places += [replace(places[1], number=9), replace(places[1], before=b"another")]
    places += [replace(places[1], game=b"another")]
    nonce = bytes(32)
    committed = places[0].commitment("a1", nonce)
    round = Round()
    for place in places:
        round.decide(committed, place)
        assert round.fits(place.seat, "a1", nonce) is (place == places[0])
    unbound = [replace(place, version=UNBOUND) for place in places]
    assert len({place.commitment("a1", nonce) for place in unbound}) == 1


def test_each_decision_has_a_nonce_of_its_own(table: Table) -> None:
    begun(table, PENNIES)
    place, key = next_place(table, 1), table.key("Ann")
    assert place.nonce(key, "a1") != place.nonce(key, "b1")


def test_secrets_for_chance_are_not_copied(table: Table) -> None:
    begun(table, DICE)
    own = from_text(read_record(table.save).entries[0].commitment, 32) or b""
    assert codes(forged(table, "Bob", joins(table, "Bob", 2, own))) == {"copied-commitment"}


@pytest.mark.parametrize("version", [UNBOUND, NEWEST])
def test_nobody_goes_along_another_s_secrets(
    table: Table, version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commit to what comes before another's commitment, and show what the other has shown."""
    if version == UNBOUND:
        begun_unbound(table, DICE, monkeypatch)
    else:
        begun(table, DICE)
    first = from_text(read_record(table.save).entries[0].commitment, 32) or b""
    place = next_place(table, 2)
    write_record(
        forged(table, "Bob", joins(table, "Bob", 2, place.secret_before(first))), table.save
    )
    assert table.move("Ann").exit_code == 0
    shown = from_text(read_record(table.save).entries[-1].secret, 32) or b""
    move = str(number_drawn(1, 1, shown + first, 6) + 1)
    cheat = forged(table, "Bob", Entry(2, 1, secret=as_text(first)), (move,))
    assert "copied-commitment" in codes(cheat)
    draws = ChanceDraws()
    draws.join(sha256(first).digest(), replace(place, version=NEWEST))
    assert not draws.show(2, first)


# ------------------------------------------------------------- replays, another order, two games


def test_what_was_signed_fits_one_place(table: Table) -> None:
    begun(table, DICE)
    table.move("Bob")
    table.move("Ann")
    table.move("Ann", "a1")
    table.move("Bob")
    record = read_record(table.save)
    last, before = record.entries[-1], record.entries[:-1]
    assert codes(replace(record, entries=(*record.entries, last))) == {"edited-record"}
    swapped = (*before[:-1], last, before[-1])
    assert codes(replace(record, entries=swapped)) & {"edited-record", "damaged-record"}
    table.save.unlink()
    table.begin(table.save.with_name("rules.yaml"))
    table.move("Bob")
    other = read_record(table.save)
    assert codes(replace(other, entries=(*other.entries, *record.entries[2:3]))) == {
        "edited-record"
    }
    assert codes(replace(other, entries=record.entries, moves=record.moves)) == {"edited-record"}


def test_two_games_with_one_key_share_no_secret(table: Table) -> None:
    secrets = []
    for _ in range(2):
        table.save.unlink(missing_ok=True)
        begun(table, PENNIES)
        table.move("Bob")
        place = next_place(table, 1)
        secrets += [secrets_of(table, "Ann", 1).number(1), place.nonce(table.key("Ann"), "a1")]
    assert len(set(secrets)) == len(secrets)


def test_nothing_is_signed_twice_in_a_round(table: Table) -> None:
    begun(table, PENNIES)
    table.move("Bob")
    copies = []
    for text in ("a1", "b1"):
        place, nonce = next_place(table, 2), bytes(32)
        copies.append(Entry(2, decision=as_text(place.commitment(text, nonce))))
    write_record(forged(table, "Bob", copies[0]), table.save)
    assert codes(forged(table, "Bob", copies[1])) == {"wrong-decision"}
    table.move("Ann", "a1")
    tells = Entry(2, nonce=as_text(bytes(32)), text="a1")
    write_record(forged(table, "Bob", tells), table.save)
    assert codes(forged(table, "Bob", tells)) == {"wrong-decision"}


# ------------------------------------------------------------------- cuts, other courses, keys


def test_two_courses_of_a_game_are_told_apart(table: Table) -> None:
    table.begin("hex")
    table.move("Ann", "a1")
    table.move("Bob", "b1")
    record = read_record(table.save)
    cut = replace(record, entries=record.entries[:2], moves=record.moves[:1])
    write_record(cut, table.save)
    assert "error[cut-record]" in table.move("Bob", "c1").stderr
    other = forged(table, "Bob", replace(record.entries[2], signature=""))
    write_record(other, table.save)
    write_record(forged(table, "Bob", Entry(2, 2), ("c2",)), table.save)
    assert "warning[other-course]" in table.at("Bob", "show", table.save).stderr
    assert "error[other-course]" in table.move("Bob", "d1").stderr


def test_who_withholds_is_named(table: Table) -> None:
    begun(table, PENNIES)
    table.move("Bob")
    table.move("Ann", "a1")
    table.move("Bob", "b1")
    assert "Ann to tell what was decided" in table.at("Bob", "show", table.save).stdout
    assert "waits for Ann" in table.move("Bob").stderr


def test_a_seat_is_not_taken_over(table: Table) -> None:
    table.at("Carl", "key", "--name", "Bob")
    table.begin("hex")
    table.move("Ann", "a1")
    before = table.save.read_text()
    table.move("Bob", "b1")
    record = read_record(table.save)
    own, others = table.key("Carl").public, table.key("Bob").public
    exchanged = replace(record.entries[2], key=own)
    assert codes(replace(record, entries=(*record.entries[:2], exchanged, record.entries[3]))) == {
        "edited-record"
    }
    table.move("Ann", "c1")
    table.save.write_text(before)
    assert table.move("Carl", "b1").exit_code == 0
    assert "error[cut-record]" in table.move("Ann", "c1").stderr
    table.save.unlink()
    table.begin("hex", "--seat", f"2={others}")
    kept = table.save.read_text()
    cheat = forged(table, "Carl", joins(table, "Carl", 2, bytes(32)))
    assert codes(cheat) == {"damaged-record"}
    table.save.write_text(kept.replace(others, own))
    assert "error[edited-record]" in table.move("Carl", "b1").stderr


_SMALL_ORDER = (
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
)
"""All points whose order divides 8, as "Taming the many EdDSAs" (2020) lists them."""


def test_weak_keys_are_refused(table: Table) -> None:
    assert all(is_weak(bytes.fromhex(text)) for text in _SMALL_ORDER)
    signs = (0, 2**255)
    beyond = ((y + s).to_bytes(32, "little") for y in range(2**255 - 19, 2**255) for s in signs)
    assert all(map(is_weak, beyond))
    own = table.key("Ann").public
    assert not is_weak(from_text(own.partition(":")[2], 32) or b"")
    weak = f"ed25519:{as_text(bytes.fromhex(_SMALL_ORDER[0]))}"
    assert is_public(weak)
    told = table.at("Ann", "new", "hex", "-o", table.save, "--seat", "1=me", "--seat", f"2={weak}")
    assert "error[weak-key]" in told.stderr and not table.save.exists()


# ----------------------------------------------------------------------------- after the end


def test_nothing_is_added_after_the_end(table: Table) -> None:
    begun(table, THREE)
    table.at("Carl", "key", "--name", "Carl")
    for name, text in (("Ann", "a1"), ("Bob", "b1"), ("Carl", "c1")):
        assert table.move(name, text).exit_code == 0
    assert "error[game-over]" in table.move("Ann", "resign").stderr
    resigned = replace(forged(table, "Ann", Entry(1, resigns=True)), result="B and C win")
    for cheat in (resigned, forged(table, "Ann", Entry(1, 3))):
        assert codes(cheat) == {"game-over"}
    write_record(resigned, table.save)
    assert "error[game-over]" in table.at("Bob", "show", table.save).stderr


def test_nothing_is_added_after_giving_up(table: Table) -> None:
    table.begin("hex")
    table.move("Ann", "a1")
    table.move("Bob", "resign")
    again = forged(table, "Ann", Entry(1, resigns=True))
    assert codes(again) == {"game-over"}
    table.at("Carl", "key", "--name", "Carl")
    table.save.unlink()
    begun(table, THREE)
    table.move("Ann", "resign")
    assert codes(forged(table, "Carl", joins(table, "Carl", 3, bytes(32)))) == {"game-over"}


def test_an_entry_adds_something_when_it_may(table: Table) -> None:
    begun(table, DICE)
    assert codes(forged(table, "Ann", Entry(1))) == {"damaged-record"}
    secret = as_text(secrets_of(table, "Ann", 1).number(1))
    assert codes(forged(table, "Ann", Entry(1, secret=secret))) == {"missing-secret"}


# ----------------------------------------------------------- what is not signed, and other rules


def test_signatures_that_were_taken_out_are_missed(table: Table) -> None:
    table.begin("hex")
    table.move("Ann", "a1")
    table.move("Bob", "b1")
    signed = table.save.read_text()
    bare = re.sub(r"^(id|protocol): .*\n|signed:(.|\n)*", "", signed, flags=re.MULTILINE)
    for left in (signed.replace("signed:", "variants:"), bare + "protocol: 2\n"):
        table.save.write_text(left)
        assert "error[" in table.move("Ann", "c1").stderr
    table.save.write_text(bare)
    assert "warning[not-signed]" in table.at("Ann", "show", table.save).stderr
    assert "error[not-signed]" in table.move("Ann", "c1").stderr
    mail = table.save.with_name("mail.txt")
    mail.write_text(table.at("Bob", "show", table.save, "--mail").stdout)
    table.save.write_text(signed)
    assert "error[other-course]" in table.move("Ann", "c1", "--from", mail).stderr
    table.save.unlink()
    assert "error[not-signed]" in table.move("Ann", "c1", "--from", mail).stderr
    assert table.at("Ann", "new", "hex", "-o", table.save).exit_code == 0
    assert table.move("Ann", "c1").exit_code == 0


@pytest.mark.parametrize("part", ["winners: ['2']", "payoffs: ['0', '1']", "match: {seed: '1'}"])
def test_what_only_matches_tell_is_not_in_a_signed_game(table: Table, part: str) -> None:
    table.begin("hex")
    table.save.write_text(f"{table.save.read_text()}{part}\n")
    assert "error[unsigned-part]" in table.at("Ann", "show", table.save).stderr


def test_rules_are_not_exchanged(table: Table) -> None:
    """Rules of other meaning, made of the same texts, have another digest in a signed game."""
    phase = (
        "  {0}:\n    turn: |\n      choose s in empty\n      place Stone at s\n      go to {1}\n"
    )
    phases = f"phases:\n{phase.format('odd', 'even')}{phase.format('even', 'odd')}"
    rules = f"game: Exchanged\nplayers: A, B\nboard: square(3, 1)\n{phases}"
    begun(table, f"{rules}    stuck: loses\nend: draw when full\n")
    table.move("Ann", "a1")
    table.save.with_name("rules.yaml").write_text(f"{rules}stuck: loses\nend: draw when full\n")
    assert "warning[other-rules]" in table.at("Bob", "show", table.save).stderr
    assert "error[other-rules]" in table.move("Bob", "b1").stderr


def test_rules_without_a_digest_are_other_rules(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acting, "digest_of", lambda record, game: "")
    table.begin("hex")
    assert "error[other-rules]" in table.move("Bob", "a1").stderr


# -------------------------------------------------------------------- versions of the protocol


def test_a_game_is_not_brought_to_the_old_protocol(table: Table) -> None:
    table.begin("hex")
    table.move("Ann", "a1")
    text = table.save.read_text()
    assert "\nprotocol: 2\n" in text
    for line, code in (
        ("", "edited-record"),
        ("protocol: 1\n", "damaged-record"),
        ("protocol: 3\n", "damaged-record"),
    ):
        table.save.write_text(text.replace("protocol: 2\n", line))
        assert f"error[{code}]" in table.at("Bob", "show", table.save).stderr


def test_an_old_game_is_gone_on_with_and_said_to_be_weaker(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun_unbound(table, DICE, monkeypatch, "Bob")
    table.move("Ann")
    told = table.move("Ann", "a1")
    assert told.exit_code == 0 and "warning[old-protocol]" in told.stderr
    table.save.unlink()
    begun_unbound(table, PENNIES, monkeypatch, "Bob")
    for name, move in (("Ann", "a1"), ("Bob", "b1"), ("Ann", "")):
        assert table.move(name, *move.split()).exit_code == 0
    assert table.played.last.over


def test_nobody_joins_an_old_game(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    begun_unbound(table, PENNIES, monkeypatch)
    assert "error[old-protocol]" in table.move("Bob", "a1").stderr


@pytest.mark.parametrize("command", ["show", "replay"])
def test_an_old_save_is_read(table: Table, command: str) -> None:
    told = table.at("Carl", command, OLD / "honest.yaml")
    assert told.exit_code == 0 and "warning[old-protocol]" in told.stderr
    assert "White" in told.stdout


@pytest.mark.parametrize(("save", "protocol"), [(OLD / "honest.yaml", 1), (None, 2)])
def test_signatures_tell_the_protocol(table: Table, save: Path | None, protocol: int) -> None:
    table.begin("hex")
    command = "show", save or table.save, "--signatures"
    assert f"\nProtocol {protocol}" in table.at("Carl", *command).stdout
    told = json.loads(table.at("Carl", *command, "--json").stdout)
    assert (told["protocol"], told["weak"]) == (protocol, protocol == 1)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("copied-decision", "copied-commitment"),
        ("copied-chain", "copied-commitment"),
        ("shifted-chain", "copied-commitment"),
        ("resigned-after-end", "game-over"),
        ("resigned-after-payoff", "game-over"),
        ("weak-key", "weak-key"),
    ],
)
def test_cheats_that_old_programs_took_are_refused(table: Table, name: str, code: str) -> None:
    told = table.at("Carl", "show", OLD / f"{name}.yaml", "--signatures")
    assert told.exit_code == 1 and f"error[{code}]" in told.stderr


@pytest.mark.parametrize("code", ["copied-commitment", "weak-key", "old-protocol", "not-signed"])
def test_what_is_told_of_cheats_is_explained(table: Table, code: str) -> None:
    assert table.at("Ann", "explain", code).stdout.startswith(f"{code}\n\n")
