"""Slips of ends: clauses of `end` and `stuck` as other languages, or plain English, have them."""

from __future__ import annotations

import re

from gdl.syntax.slips.patterns import CALL, SOME, WHEN, WORD, slip

_NAME = r"[A-Z]\w*"
_CLAUSE = "A clause begins with the side, and its condition follows `when`."
_PIECES = ("pieces", "stones", "men", "discs", "counters", "own")
_QUIET = (
    "Turns without something are counted by a variable under `state`, as in `draw when quiet >="
    r" \1`."
)
_GETS = r"(?:reach(?:es)?|touch(?:es)?|enters?|gets? to|arrives? (?:at|on|in))"
_IS_AT = (
    rf"(?:(?:{_GETS}"
    r"|(?:is|are) (?:in|on|at)|at|on) (?:the )?|in (?:the )?(?=row \d))"
)
"""Words for that a piece is somewhere; `in` alone asks whether a whole set is there."""
_ITEMS = "Each end is an item of its own: one a line, after `- `."


def _outcome(found: re.Match[str]) -> str:
    side, outcome, condition = found[1], found[2].lower(), found[3] or ""
    word = "loses" if outcome.startswith("lo") else "wins"
    return f"{side} {word}{condition}"


def _ranked(found: re.Match[str]) -> str:
    rank, name = "highest" if found[1] else "lowest", found[2]
    if name in _PIECES:
        what = "count(own)"
    else:
        what = f"count(own & {name})" if name[0].isupper() else f"{name}(own)"
    return f"{rank} {what} {found[3] or 'wins'}{f' when {found[4]}' if found[4] else ''}"


STUCK = (
    slip(r"(?:[Ll]oses?|[Ll]oose|[Ll]ooses|[Ll]oss|[Ll]ost|[Ll]osing)(?: the game)?", "loses", ""),
    slip(r"(?:[Ww]ins?|[Ww]on|[Ww]inner|[Vv]ictory)(?: the game)?", "wins", ""),
    slip(r"(?:[Pp]ass|skips?|skip turn|[Pp]assed|must pass|pass turn)", "passes", ""),
    slip(r"(?:next(?: player| side)?|continues?|nothing|ignored?|turn over|no move)", "passes", ""),
    slip(r"(?:[Dd]raws?|[Dd]rawn?|[Tt]ied?|[Ss]talemate|nobody wins|no winner)", "draw", ""),
    slip(r"(?:[Ll]ose|[Ll]oose|[Ll]ooses)( when .*)", r"loses\1", ""),
    slip(r"[Ww]in( when .*)", r"wins\1", ""),
    slip(r"(?:[Pp]ass|skips?)( .*)", r"passes\1", ""),
    slip(r"(?:the )?(?:other (?:side|player)|opponent|enemy) (wins|loses)", r"enemy \1", ""),
    slip(
        r"(?:the )?(?:other (?:side|player)|opponent|enemy) (?:may |can |must )?"
        r"(?:moves?|plays?|goes|continues?)(?: again| on| instead)?",
        "passes",
        "",
    ),
)
"""What may stand under `stuck` besides a clause of `end`."""


def _there(found: re.Match[str]) -> str:
    """Write that a piece of a side, of a kind, or of both is somewhere."""
    owner = "own" if found[4] else found[2]
    piece = f"{owner} & {found[3]}" if owner else found[3]
    place = "border" if found[5] == "edge" else re.sub(r"^row (\d+)$", r"rows(\1)", found[5])
    return f"{found[1]} when some {piece} & {place}"


CLAUSES = (
    slip(
        rf"(.+ (?:wins|loses)|draw) when (?:(?:one of|any|some|an?|the) )*(?:(own|enemy|{_NAME}) )?"
        rf"(own|enemy|{_NAME}?)(?:'s piece)?( of (?:the )?mover)? {_IS_AT}(row \d+|{CALL})",
        _there,
        "Whether a piece is there is `some S & T`.",
    ),
    slip(
        rf"(.+ (?:wins|loses)|draw) when (?:(own|enemy) )?({_NAME})s (?:are )?(?:in|on|at)"
        r" row (\d+)",
        lambda m: f"{m[1]} when some {f'{m[2]} & ' if m[2] else ''}{m[3]} & rows({m[4]})",
        "Whether a piece is there is `some S & T`.",
    ),
    slip(
        rf"(.+ (?:wins|loses)|draw) when (?:there are )?no (?:(own|enemy) )?({_NAME}?)s?"
        r" (?:are )?(?:left|remain(?:s|ing)?)(?: on the board)?",
        lambda m: f"{m[1]} when no {f'{m[2]} & ' if m[2] else ''}{m[3]}",
        SOME,
    ),
    slip(
        rf"(own|enemy|{_NAME}) {_GETS} (?:the )?({CALL})(?: (wins|loses))?",
        lambda m: (
            f"{'mover' if m[1] == 'own' else m[1]} {m[3] or 'wins'} when some {m[1]} & {m[2]}"
        ),
        "Whether a piece is there is `some S & T`.",
    ),
    slip(
        r"(\w+) wins (?:after|by|on|when|with) (?:captur|tak)(?:ing|es) (\d+)\b.*",
        "",
        r"What is captured is counted, as in `state: {taken(players): number}` and `add 1 to"
        r" taken(mover)` in the turn: `\1 wins when taken(\1) >= \2`.",
    ),
    slip(
        r"(?:the )?loser (?:is|=|:) ?(\w+)(?: (?:if|when|once)|:) (.+)",
        r"\1 loses when \2",
        _CLAUSE,
    ),
    slip(
        r"(?:the )?last (?:player|side|one)(?: to (?:move|play))?(?: (wins|loses))?(?: .*)?",
        "",
        "Who can't move is told by `stuck`: `stuck: loses`, so that who moved last wins.",
    ),
    slip(
        rf"(?:the )?({WORD}) (wins|loses) (?:if|when|once) (?:it|he|she|they|one of (?:its|them)) "
        r"(?:reach(?:es)?|is (?:on|in|at)|gets? to|enters?|arrives? (?:at|on)) (?:the )?(.+)",
        r"\1 \2 when some \1 & \3",
        "Whether a piece is there is `some S & T`.",
    ),
    slip(
        r"(?:the )?same(?: as .*)?|as in .*|as (?:the )?(?:base|original|parent)"
        r"|unchanged|inherit.*",
        "",
        "What a file that extends a game does not say stays as it is: leave this out.",
    ),
    slip(
        r"(?:the )?first (?:side |player |one )?(?:to |who )(?:reach(?:es)? |gets? |has )?(\d+)"
        r"(?: \w+)?(?: wins)?",
        "",
        r"Points are a variable, as in `state: {score(players): number}`: `mover wins when"
        r" score(mover) >= \1`.",
    ),
    slip(
        r"(?:otherwise|else|in all other cases)[,:]? (.+)|(.+?),? (?:otherwise|else|by default)",
        lambda m: m[1] or m[2],
        "Clauses are tried in their order, and one without `when` always holds.",
    ),
    slip(
        r"(?:num_|number_of_)?passe[sd] ?=* ?\d+|(?:both|two|all|everyone)\b.* pass(?:es|ed)?",
        "",
        "A clause begins with who wins, as in `draw when passed = 2`: `passed` is how many turns"
        " in a row were `pass`.",
    ),
    slip(
        r".*\b(?:can't|cannot|can not|can’t) move\b.*|.*\bno (?:legal )?moves\b.*|.*\bstuck\b.*",
        "",
        "What happens to a side without a move is said by `stuck`, as in `stuck: loses`.",
    ),
    slip(
        r"(?:(?:the )?(?:player|side|one) (?:with|having|who has) (?:the )?)?"
        r"(?:(highest|most|more|max|largest|greatest|best)|lowest|least|min|fewest|fewer"
        r"|smallest) (\w+)"
        r"(?: (wins|loses))?(?: (?:when|if) (.*))?",
        _ranked,
        "Who has most, or least, of something is told by `highest` or `lowest`.",
    ),
    slip(
        r".*\b(?:no|without) (?:captures?|progress|change)\b.*?\b(\d+)"
        r" (?:turns|moves|rounds|plies)\b.*",
        "",
        _QUIET,
    ),
    slip(
        r"(.+ (?:wins|loses)|draw) when (.+) unless (.+)",
        r"\1 when \2 and not (\3)",
        WHEN,
    ),
    slip(
        r"(?:draw|nobody wins|tie|game ends) after (\d+) (?:turns|moves|rounds|plies)",
        r"draw when turns >= \1",
        "How many turns were made is `turns`.",
    ),
    slip(
        r"draw after (\d+) (?:turns|moves|rounds|plies) without .+",
        "",
        _QUIET,
    ),
    slip(
        r"(?:the )?(?:game (?:is )?over|game ends|ends?|over|finished)(?: if| when|:)? (.+)",
        "",
        r"A clause says who wins: `mover wins when \1`, or `draw when \1`.",
    ),
    slip(
        r".*\b(?:repeated|repetition|repeats)\b.*",
        "",
        "How often the same was there after earlier turns is `seen(…)`, as in `draw when"
        " seen(board) >= 2`.",
    ),
    slip(
        r"(.*\b(?:when|if|wins|loses|draw)\b.*?[^\s,;]) ?(?:;|,| or| and|\n) ?"
        r"((?:\w+ )?(?:wins|loses|draw)\b.*)",
        "",
        _ITEMS,
    ),
    slip(r"(?:[Dd]raws?|[Dd]rawn?|[Tt]ied?|nobody wins|no winner)( when .*)?", r"draw\1", ""),
    slip(
        r"(?:if|when) (.+?)(?:,| then|:|,? then) (.*\S) (wins?|loses?)",
        lambda m: f"{m[2]} {m[3].rstrip('s')}s when {m[1]}",
        _CLAUSE,
    ),
    slip(
        rf"(?:if|when) (.+?) ({WORD}) (wins?|loses?)",
        lambda m: f"{m[2]} {m[3].rstrip('s')}s when {m[1]}",
        _CLAUSE,
    ),
    slip(
        r"(?:if|when) (.+?)(?:,| then|:|,? then|) draws?",
        r"draw when \1",
        WHEN,
    ),
    slip(
        r"(?:[Ww]ins?|[Vv]ictory|you win)(?:,? (?:if|when)|:) (.+)", r"mover wins when \1", _CLAUSE
    ),
    slip(r"(?:[Ll]oses?|you lose)(?:,? (?:if|when)|:) (.+)", r"mover loses when \1", _CLAUSE),
    slip(
        r"(?:the )?(?:current |active |moving )?(?:player|mover|side) (wins?|loses?)( .+)?",
        lambda m: f"mover {m[1].rstrip('s')}s{m[2] or ''}",
        "Whoever has just moved is `mover`.",
    ),
    slip(
        rf"({WORD}) (?:is|are) (?:the )?winners?(?: (?:if|when)|:) (.+)",
        r"\1 wins when \2",
        _CLAUSE,
    ),
    slip(
        rf"(?:the )?winner (?:is|=|:) ?({WORD})(?: (?:if|when)|:) (.+)",
        r"\1 wins when \2",
        _CLAUSE,
    ),
    slip(rf"({WORD}) (win|won|lose|lost|loose|looses)( .*)?", _outcome, ""),
    slip(
        rf"({WORD}) and ({WORD}) (wins?|loses?)( .*)?",
        lambda m: f"{m[1]}, {m[2]} {m[3].rstrip('s')}s{m[4] or ''}",
        "",
    ),
    slip(
        r"(.+ (?:wins|loses)|draw)(?:, ?| ?: ?| )when:? (.+)",
        r"\1 when \2",
        WHEN,
    ),
    slip(
        r"(.+ (?:wins|loses)|draw)(?:[,:]| if|, if|, when|: when| where| once) (.+)",
        r"\1 when \2",
        WHEN,
    ),
    slip(
        r"(.+ (?:wins|loses)|draw) unless (.+)",
        r"\1 when not (\2)",
        WHEN,
    ),
    slip(r"(.+ (?:wins|loses)|draw) (when .*?)(?: else| otherwise| ,else) .+", "", _ITEMS),
    slip(r"(.+ (?:wins|loses)|draw) (when )?(.+?) ?:", r"\1 when \3", WHEN),
    slip(
        r"(?!.*\bpasse[sd]\b)(?:.*(?: in |[=<>]).*|(?:some|no|every|not|full|in_a_row|joined)\b.*)",
        r"mover wins when \g<0>",
        "A clause begins with its outcome, as in {}.",
    ),
)
"""Clauses of `end`."""
