"""Slips of verbs: lines of a turn that begin with a word which is none of this language.

They name what games do in the words of rule books: throw dice, have another turn, capture groups.
"""

from __future__ import annotations

from gdl.syntax.slips.patterns import (
    AGAIN,
    CHANCE,
    DIE,
    END,
    PILE,
    RULED_OUT,
    SEEN,
    TOGETHER,
    WORD,
    slip,
)

_AGAIN = (
    r"(?:(?:the )?(?:mover|player|same side|same player) )?"
    r"(?:(?:repeat|replay|play|move|go|take|keep|get|have|takes|gets|plays|moves|goes|has|same"
    r"|extra|another|bonus|free|an|the|one|more) )*"
    r"(?:again(?: turn)?|(?:repeat|replay|keep|again|same|extra|another|bonus|free|more)"
    r"(?: the)? (?:turn|move|go))"
)
_GROUPS = "Groups are `groups(S, R)`, and those that a condition holds for `sites g in … where C`."
_FREE = r"(?:without|with no|with 0|having no|(?:that|which) (?:have|has) no) (?:any )?liberties"
_SIDE = r"(own|enemy|[A-Z]\w*)"
_NOT = r"(?:forbid|disallow|prohibit|prevent|ban|forbidden|illegal|not allowed)"
_CONDITION = r"(?:.*(?: in |[=<>]).*|(?:some|no|every|not|full)\b.*)"
_WAY = "The steps of a way stand in the lines below; a word for it follows `as`."

VERBS = (
    slip(
        r"(?:enter|introduce|deploy|bring in)(?: an?| the| one)? ((?:\w+ )?[A-Z]\w*)"
        r" (?:at|on|in|to|into|onto) (.+)",
        r"place \1 at \2",
        "A piece is put on sites by `place P at S`, out of a hand by `place P from hand at S`.",
    ),
    slip(
        r".*\b(?:moves?|goes|begins?|starts?|plays?) first",
        "",
        "The first of `players` begins, and the others follow in their order.",
    ),
    slip(
        r".*\b(?:may|must|can) ?not repeat\b.*",
        "require seen(board) = 0",
        SEEN,
    ),
    slip(
        r"if .+\b(?:gets?|have|has|takes?|plays?)"
        r" (?:another|an extra|a second|a bonus|one more) (?:turn|move)",
        "",
        "Who has moved has the next turn, too, by `again`, as in `if taken again`, where `taken`"
        " was said before by `let taken = …`.",
    ),
    slip(
        r"if it is (?:the )?(\w+)(?:'s|s')? turn\b.*",
        "",
        r"Whose turn it is, is asked by `if mover = \1`; the steps stand below it, deeper.",
    ),
    slip(r"(?:after|before) [^,]+, (.+)", r"\1", "Steps are done in the order of their lines."),
    slip(
        r"(?:choose|move|place|require|remove|change|set|flip) ?: ?\S.*",
        "",
        "A step is one line, without a colon or braces: `choose s in own`, `move s to t`.",
    ),
    slip(
        rf"(?:(?:both|all|each|every)(?: (?:players?|sides?))?"
        rf" (?:chooses?|picks?|bids?)|(?:the )?{WORD} (?:chooses|picks|bids))"
        rf" (?:(?:secretly|simultaneously) )?{WORD} in .*",
        "",
        TOGETHER,
    ),
    slip(
        r"(?:jump|hop|leap) (?:from )?(\w+) over .*",
        "",
        r"The sites that a piece jumps to are `jump(\1, d, over, landing)`: `choose t in union d in"
        r" compass of jump(\1, d, enemy, empty)`.",
    ),
    slip(
        rf"(?:move|advance|step|walk) ({WORD}) (?:forwards?|ahead|on|by)? ?({WORD}|\d+)"
        r" (?:steps?|sites?|cells?|squares?|spaces?|fields?)(?: (?:forwards?|ahead|on))?",
        r"move \1 to (north^\2)(\1)",
        "So many steps in a direction are a power, as in `(north^n)(s)`.",
    ),
    slip(rf"(?!again$){_AGAIN}", "again", AGAIN),
    slip(rf"{_AGAIN},? (?:if|when) (.+)", r"if \1 again", AGAIN),
    slip(
        rf"(?:remove|capture|captures|take|kill)(?: all| any| every)?(?: the)?"
        rf" (?:groups of {_SIDE}(?: pieces| stones)?|{_SIDE}(?:'s)? (?:groups?|chains?)) {_FREE}",
        lambda m: f"remove sites g in groups({m[1] or m[2]}, adjacent) where no liberties(g)",
        _GROUPS,
    ),
    slip(
        rf"(?:roll|throw|cast|chance|random|randomly choose|choose randomly|choose random)"
        rf" ({WORD})(?: in| from|:|,)? (\d+) ?(?:\.\.|-|to|and) ?(\d+)",
        "",
        rf"{CHANCE} `choose n in \2..\3; set \1 = n`.",
    ),
    slip(
        rf"(?:(?:set|let) )?{WORD} ?:?= ?(?:(?:a )?(?:roll|throw|random|toss)\b.*|\d?d\d+)",
        "",
        DIE,
    ),
    slip(
        r"(?:add|place|put|spawn|drop|insert)(?: an?| one| the)? random\b.*",
        "",
        f"{CHANCE} `choose s in empty; place PIECE at s`.",
    ),
    slip(
        r"(?:roll|throw|cast|toss|shuffle|chance|random|randomly|flip a coin|draw a card)\b.*",
        "",
        DIE,
    ),
    slip(
        r"require (?:that )?(?:the )?(?:position|board|state)s? .*"
        r"\b(?:not|never|changed|changes|differs?|different|new)\b.*"
        r"|require no repetitions?\b.*",
        "require seen(board) = 0",
        SEEN,
    ),
    slip(
        rf"{_NOT} (?:repetitions?|repeats?|repeating)\b.*",
        "require seen(board) = 0",
        SEEN,
    ),
    slip(
        r"move (?:the )?(?:whole |entire )?(?:stack|pile|tower|column)(?: at| on| of| from)?"
        r" (.+?) (?:to|onto|on) (.+)",
        r"move height(\1) of \1 onto \2",
        "`move A to B` takes the uppermost piece, and a number before `of` as many.",
    ),
    slip(
        r"(?:move|shift|slide|push|advance) (?:each|all|every)\b.*",
        "",
        "All pieces of a set move at once by `shift S by R`, as in `shift line by north`.",
    ),
    slip(
        r"(?:captures?|capturing|jumps?|jumping)\b.*"
        r"\b(?:mandatory|forced|compulsory|obligatory|required|must|if possible)\b.*"
        r"|.*\b(?:must|have to|has to) (?:capture|jump|take)\b.*",
        "",
        "What comes before all else is a condition of the choice: `let taking = some s in own where"
        " some hops(s)`, with a definition `hops(s)`, then `choose s in own where some hops(s) or"
        " not taking`.",
    ),
    slip(
        r"move (?!the |an? )(\w+)(?: (?:pieces?|discs?|stones?|checkers?|men|counters?))?"
        r" (?:from|of|at) (\w+) (?:to|onto|on) (.+)",
        r"move \1 of \2 onto \3",
        PILE,
    ),
    slip(
        rf"choose (?:an? |the |one )?[a-z]+ ({WORD}) in (.+)",
        r"choose \1 in \2",
        "What is chosen has one word, and a set that it is chosen from.",
    ),
    slip(rf"(either|or) ({WORD})", r"\1 as \2", _WAY),
    slip(rf"(?:either|or) {WORD}", "", _WAY),
    slip(
        r"(?:either|or) (?!as |.* or ).+",
        "",
        "`either` and `or` stand alone, each above the steps of a way, which are deeper.",
    ),
    slip(
        rf"{_NOT}(?: if| that| when|:)? ({_CONDITION})",
        r"require not (\1)",
        "What a move must not do is ruled out by `require not C`.",
    ),
    slip(
        rf"{_NOT}\b.*",
        "",
        RULED_OUT,
    ),
    slip(r"(?:stalemate|checkmate|(?:the )?winner\b(?! ?=| of\b).*|end (?:the )?game)", "", END),
)
"""What a line means that begins with a verb of rule books."""
