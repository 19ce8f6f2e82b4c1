"""Random expressions of every type of the language.

In: the words of a game (`World`), local words (`Scope`), a depth and a source of chance. Out: the
text of an expression. What then holds: it has the type asked for. All that is made of parts stands
in parentheses; the first of the ways to write something are the simplest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random

from generated_boards import Facts

Write = Callable[[], str]


@dataclass(frozen=True)
class Scope:
    """The local words, by what they are, and where an expression stands.

    `is_static` stands for: known before play. `may_look` is how many
    turns it may look ahead.
    """

    names: tuple[tuple[str, str], ...] = ()
    is_static: bool = False
    may_look: int = 0

    def of(self, sort: str) -> list[str]:
        """Return the local words of a sort: site, set, number, direction, side, kind, flag."""
        return [name for name, found in self.names if found == sort]

    def having(self, name: str, sort: str) -> Scope:
        """Return the scope with one more word."""
        return replace(self, names=(*self.names, (name, sort)))


@dataclass
class World:
    """What can be spoken of in a game."""

    facts: Facts
    sides: tuple[str, ...]
    kinds: tuple[str, ...]
    neutral: tuple[str, ...] = ()
    state: set[str] = field(default_factory=set)
    sets: list[str] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    functions: dict[str, str] = field(default_factory=dict)
    stacks: str = ""

    @property
    def two(self) -> bool:
        """Whether there are two sides."""
        return len(self.sides) == 2


class Expressions:
    """Writes expressions, `depth` deep if nothing is said."""

    def __init__(self, random: Random, world: World) -> None:
        self.random = random
        self.world = world
        self.depth = random.choice((2, 2, 1, 3))
        self._number = 0

    def fresh(self, stem: str) -> str:
        self._number += 1
        return f"{stem}_{self._number}"

    def one(self, ways: Iterable[Write]) -> str:
        return self.random.choice(tuple(ways))()

    def chance(self, percent: int) -> bool:
        return self.random.randint(0, 99) >= 100 - percent

    def any(self, words: Iterable[str]) -> str:
        return self.random.choice(tuple(words))

    # ------------------------------------------------------------------ sets of sites

    def sites(self, scope: Scope, depth: int | None = None) -> str:
        depth = self.depth if depth is None else depth
        if depth <= 0 or self.chance(25):
            return self.some_sites(scope)
        return self.one(self._compound_sites(scope, depth - 1))

    def some_sites(self, scope: Scope) -> str:
        """Return a set in a word or two."""
        world = self.world
        words = [*scope.of("site") * 5, *scope.of("set") * 3, *world.facts.regions]
        words += ["all", "none", *world.sets, self.any(world.facts.sites)]
        if not scope.is_static:
            words += ["own", "own", "empty", "empty", "occupied", "enemy", "neutral"]
            words += [*world.kinds, *world.sides]
            words += [word for word in ("zone", "moved") if word in world.state]
            words += [f"({side} & all)" for side in scope.of("side")]
            if "wall" in world.state:
                words += [f"wall({d})" for d in world.facts.directions[:1]]
            if "level" in world.state:
                words += ["level(2)", *(f"level(max(1, min({n}, 3)))" for n in scope.of("number"))]
        return self.any(words)

    def site(self, scope: Scope, depth: int = 1) -> str:
        """Return what is one site at most."""
        known = scope.of("site")
        if known and self.chance(70):
            return self.any(known)
        if depth <= 0 or self.chance(30):
            return self.any(self.world.facts.sites)
        return f"first({self.sites(scope, depth - 1)})"

    def _compound_sites(self, scope: Scope, depth: int) -> list[Write]:
        def part() -> str:
            return self.sites(scope, depth)

        def plain() -> str:
            return self.some_sites(scope)

        s, d, g, p, k, j = (self.fresh(x) for x in ("spot", "dir", "group", "who", "sort", "num"))
        at, with_group = scope.having(s, "site"), scope.having(g, "set")
        ways: list[Write] = [
            lambda: f"({part()} | {part()})",
            lambda: f"({part()} & {part()})",
            lambda: f"({part()} - {part()})",
            lambda: f"{self.applied(scope, depth)}({part()})",
            lambda: f"{self.applied(scope, depth)}({part()})",
            lambda: f"first({part()})",
            lambda: f"(if {self.flag(scope, depth)} then ({part()} & all) else ({part()} & all))",
            lambda: f"({part()} when {self.flag(scope, depth)})",
            lambda: f"(sites {s} in {part()} where {self.flag(at, depth)})",
            lambda: f"(union {s} in {part()} of {self.sites(at, depth)})",
            lambda: f"(intersection {s} in {plain()} of {self.sites(at, depth)})",
            lambda: f"(union {j} in 0..2 of {self.sites(scope.having(j, 'number'), depth)})",
            lambda: f"(let {g} = {part()}; {self.sites(with_group, depth)})",
            lambda: f"reach({plain()}, {self.relation(scope, depth)})",
            lambda: f"connected({plain()}, {self.relation(scope, 0)}, {part()})",
            lambda: (
                f"(sites {g} in {self._groups(scope, depth)} where {self.flag(with_group, depth)})"
            ),
            lambda: (
                f"(union {g} in {self._groups(scope, depth)} of {self.sites(with_group, depth)})"
            ),
            lambda: f"rows({self.number(scope, 0)})",
            lambda: f"site({self.number(scope, 0)}, {self.number(scope, 0)})",
        ]
        if not scope.is_static:
            ways += [
                lambda: f"liberties({part()})",
                lambda: f"(union {p} in players of {self.sites(scope.having(p, 'side'), depth)})",
                lambda: (
                    f"(intersection {k} in kinds of"
                    f" {self.sites(scope.having(k, 'kind'), depth)} | {k})"
                ),
            ]
        for name, sort in self.world.functions.items():
            if sort == "set" and not scope.is_static:
                ways.append(lambda name=name: f"{name}({part()})")  # type: ignore[misc]
        if self.world.facts.families:
            family = self.any(self.world.facts.families)
            towards = scope.having(d, "direction")
            one_way = self.any(self._some_direction(scope))
            ways += [
                lambda: f"(union {d} in {family} of {self.sites(towards, depth)})",
                lambda: f"(intersection {d} in {family} of {self.sites(towards, depth)})",
                lambda: f"run({plain()}, {one_way}, {part()})",
                lambda: f"bracketed({plain()}, {one_way}, {part()}, {plain()})",
                lambda: f"slides({plain()}, {family}, {part()})",
                lambda: f"slides({plain()}, {self._cut(family, scope)}, {part()})",
                lambda: f"between({self.site(scope)}, {self.site(scope)})",
                lambda: f"jump({plain()}, {one_way}, {plain()}, {plain()})",
                lambda: f"(union {j} in 1..3 of ({one_way}^{j})({plain()}))",
            ]
        return ways

    def _cut(self, family: str, scope: Scope) -> str:
        cut = f"({family} {self.any(('from', 'into', 'within'))} {self.some_sites(scope)})"
        return f"{self.any(self.world.facts.families)} | {cut}" if self.chance(30) else cut

    def _groups(self, scope: Scope, depth: int) -> str:
        link = self.any(self.world.facts.symmetric)
        if self.chance(20):
            link = f"({link} within {self.some_sites(scope)})"
        return f"groups({self.sites(scope, depth)}, {link})"

    # ---------------------------------------------------------------------- relations

    def _some_direction(self, scope: Scope) -> list[str]:
        """Return a few words for directions; local ones first."""
        known = scope.of("direction")
        return [*known, *known, *self.world.facts.directions[:2]]

    def applied(self, scope: Scope, depth: int) -> str:
        """Return a relation as it can stand before what it is applied to."""
        return self.relation(scope, depth)

    def relation(self, scope: Scope, depth: int = 1) -> str:
        if scope.is_static or depth <= 0 or self.chance(50):
            return self.static_relation(scope, depth)
        part = self.static_relation(scope, depth - 1)
        a, b = self.fresh("one"), self.fresh("two")
        both = scope.having(a, "site").having(b, "site")
        return self.one(
            (
                lambda: f"({part} into {self.some_sites(scope)})",
                lambda: f"({part} from ({self.sites(scope, depth - 1)}))",
                lambda: f"({part} within {self.some_sites(scope)})",
                lambda: f"({part} when {self.flag(scope, depth - 1)})",
                lambda: (
                    f"(if {self.flag(scope, depth - 1)} then {part}"
                    f" else {self.static_relation(scope, 0)})"
                ),
                lambda: (
                    f"({part} | ({self.static_relation(scope, 0)} into {self.some_sites(scope)}))"
                ),
                lambda: f"chain({part}, {self.relation(scope, depth - 1)})",
                lambda: f"inverse({self.relation(scope, depth - 1)})",
                lambda: f"(pairs {a}, {b} in {part} where {self.flag(both, depth - 1)})",
            )
        )

    def static_relation(self, scope: Scope, depth: int) -> str:
        facts = self.world.facts
        if depth <= 0 or self.chance(60):
            words = [*facts.symmetric, *facts.directions[:3], *scope.of("direction")]
            return self.any((*words, *self.world.steps, "identity"))

        def part() -> str:
            return self.static_relation(scope, depth - 1)

        a, b, d = self.fresh("one"), self.fresh("two"), self.fresh("dir")
        number = self.any(facts.numbers)
        ways: list[Write] = [
            lambda: f"({part()} | {part()})",
            lambda: f"({part()} & {part()})",
            lambda: f"({part()} - {part()})",
            lambda: f"inverse({part()})",
            lambda: f"chain({part()}, {part()})",
            lambda: f"({part()}^{self.random.randint(0, 2)})",
            lambda: f"(pairs {a}, {b} in {part()} where {number}({a}) <= {number}({b}))",
        ]
        if facts.families:
            family = self.any(facts.families)
            ways.append(lambda: f"(union {d} in {family} of ({d}^2))")
        return self.one(ways)

    # ------------------------------------------------------------------------ numbers

    def number(self, scope: Scope, depth: int | None = None) -> str:
        depth = self.depth if depth is None else depth
        if depth <= 0 or self.chance(25):
            return self._some_number(scope)
        return self.one(self._compound_numbers(scope, depth - 1))

    def _some_number(self, scope: Scope) -> str:
        state = self.world.state
        words = [str(self.random.randint(0, 4)), "1", "2", *scope.of("number") * 3]
        words += [f"{self.any(self.world.facts.numbers)}({site})" for site in scope.of("site") * 3]
        if not scope.is_static:
            words += [word for word in ("tally", "wide", "balance") if word in state]
            words += ["turns", "passed"]
            if "hand" in state:
                words += ["hand(mover)", f"hand({self.any(self.world.sides)})"]
            words += [f"{word}({site})" for word in ("seeds", "power") if word in state
                      for site in (self.site(scope, 0),)]  # fmt: skip
            if "grid" in state:
                words += [f"grid(mover, {self.site(scope, 0)})"]
            if self.world.stacks:
                words += [f"height({self.site(scope, 0)})"] * 2
        return self.any(words)

    def _compound_numbers(self, scope: Scope, depth: int) -> list[Write]:
        def part() -> str:
            return self.number(scope, depth)

        def sites() -> str:
            return self.sites(scope, depth)

        s, n, p, g = (self.fresh(stem) for stem in ("spot", "num", "who", "group"))
        at, numbered = scope.having(s, "site"), scope.having(n, "number")
        aside, grouped = scope.having(p, "side"), scope.having(g, "set")
        ways: list[Write] = [
            lambda: f"(count({sites()}))",
            lambda: f"(count({sites()}))",
            lambda: f"({part()} + {part()})",
            lambda: f"({part()} - {part()})",
            lambda: f"({part()} * {part()})",
            lambda: f"({part()} div {part()})",
            lambda: f"({part()} mod {part()})",
            lambda: f"({part()} ^ {self._some_number(scope)})",
            lambda: f"(- {part()})",
            lambda: f"max({part()}, {part()})",
            lambda: f"min({part()}, {part()}, {part()})",
            lambda: f"abs({part()})",
            lambda: f"{self.any(self.world.facts.numbers)}({sites()})",
            lambda: f"(if {self.flag(scope, depth)} then {part()} else {part()})",
            lambda: f"(let {n} = {part()}; {self.number(numbered, depth)})",
            lambda: (
                f"({self.any(('sum', 'max', 'min', 'product'))} {s} in {sites()}"
                f" of {self.number(at, depth)})"
            ),
            lambda: f"(sum {n} in {self.range(scope)} of {self.number(numbered, depth)})",
            lambda: f"(count {s} in {sites()} where {self.flag(at, depth)})",
            lambda: f"(count {self._groups(scope, depth)})",
            lambda: (
                f"({self.any(('max', 'product', 'sum'))} {g} in {self._groups(scope, depth)}"
                f" of {self.number(grouped, depth)})"
            ),
        ]
        if not scope.is_static:
            ways += [
                lambda: f"(max {p} in players of {self.number(aside, depth)})",
                lambda: self.any(("seen(board)", "seen(board, mover)")),
                lambda: f"seen({self._some_number(Scope())}, {self.some_sites(Scope())})",
            ]
            for name, sort in self.world.functions.items():
                if sort == "number":
                    ways.append(lambda name=name: f"{name}({part()})")  # type: ignore[misc]
        return ways

    def range(self, scope: Scope) -> str:
        """Return a short range of numbers, not always known before play."""
        if self.chance(60):
            return f"{self.random.randint(-1, 1)}..{self.random.randint(0, 3)}"
        return f"0..min(3, {self.number(scope, 0)})"

    def fraction(self, scope: Scope) -> str:
        ways: list[Write] = [
            lambda: self.any(("0.5", "1 / 3", "2.25")),
            lambda: f"({self.number(scope, 0)} / {self.random.randint(2, 4)})",
            lambda: f"(if {self.flag(scope, 0)} then 1 / 2 else 2 / 3)",
        ]
        if "score" in self.world.state and not scope.is_static:
            ways += [lambda: "score", lambda: f"(score * {self.random.randint(0, 2)} / 2)"]
        return self.one(ways)

    # --------------------------------------------------------- sides, kinds, conditions

    def side(self, scope: Scope) -> str:
        words = [*scope.of("side"), *self.world.sides]
        if not scope.is_static:
            words += ["mover", "own"]
            words += [f"owner({self.site(scope)})"]
            words += [f"owner({self.site(scope, 0)}, 1)"] * bool(self.world.stacks)
            words += ["holder"] * ("holder" in self.world.state)
        return self.any(words)

    def kind(self, scope: Scope) -> str:
        words = [*scope.of("kind"), *self.world.kinds]
        if not scope.is_static:
            words += [f"kind({self.site(scope)})"]
            words += [f"kind({self.site(scope, 0)}, 2)"] * bool(self.world.stacks)
            words += ["last"] * ("last" in self.world.state)
        return self.any(words)

    def flag(self, scope: Scope, depth: int | None = None) -> str:
        depth = self.depth if depth is None else depth
        if scope.may_look and self.chance(15):
            return self._look_ahead(scope, depth - 1)
        return self.one(self._flags(scope, depth - 1))

    def _look_ahead(self, scope: Scope, depth: int) -> str:
        sides = [*self.world.sides, "own"] + ["enemy"] * self.world.two
        after = replace(scope, may_look=scope.may_look - 1)
        return f"(can {self.any(sides)} make {self.flag(after, depth)})"

    def _flags(self, scope: Scope, depth: int) -> list[Write]:
        def sites() -> str:
            return self.sites(scope, depth)

        def number() -> str:
            return self.number(scope, depth)

        ways: list[Write] = [
            lambda: f"(some {sites()})",
            lambda: f"(no {sites()})",
            lambda: f"({sites()} in {sites()})",
            lambda: f"(({sites()} & all) {self.any(('=', '!='))} {sites()})",
            lambda: f"({number()} {self._comparison()} {number()})",
            lambda: f"({number()} {self._comparison()} {number()})",
            lambda: f"({number()} in (0, 1, {self.random.randint(2, 5)}))",
            lambda: f"{self.any(('even', 'odd'))}({number()})",
            lambda: f"({self.fraction(scope)} {self._comparison()} {self.fraction(scope)})",
            lambda: self.any(("yes", *scope.of("flag"))),
        ]
        if not scope.is_static:
            ways += self._flags_of_a_position(scope, depth)
        if depth > 0:
            ways += self._compound_flags(scope, depth)
        return ways

    def _comparison(self) -> str:
        return self.any(("=", "!=", "<", "<=", ">", ">="))

    def _flags_of_a_position(self, scope: Scope, depth: int) -> list[Write]:
        world = self.world
        ways: list[Write] = [
            lambda: "full",
            lambda: f"({self.side(scope)} = {self.side(scope)})",
            lambda: f"({self.side(scope)} in players)",
            lambda: f"({self.kind(scope)} = {self.kind(scope)})",
            lambda: (
                f"joined({self.some_sites(scope)}, {self.some_sites(scope)},"
                f" {self.relation(scope, depth)}, {self.sites(scope, depth)})"
            ),
        ]
        if world.facts.families:
            d = self.fresh("dir")
            family = self.any(world.facts.families)
            ways += [
                lambda: (
                    f"(some {d} in {family} where {self.flag(scope.having(d, 'direction'), depth)})"
                ),
                lambda: (
                    f"line({self.sites(scope, depth)}, {self.any(self._some_direction(scope))},"
                    f" {self.random.randint(1, 3)})"
                ),
                lambda: f"in_a_row({self.sites(scope, depth)}, {self.random.randint(1, 3)})",
            ]
        ways += [lambda: "open", lambda: "not open"] if "open" in world.state else []
        ways += [lambda: "(mode = calm)", lambda: "(mode = wild)"] * ("mode" in world.state)
        return ways

    def _compound_flags(self, scope: Scope, depth: int) -> list[Write]:
        def part() -> str:
            return self.flag(scope, depth)

        s, n, p, g = (self.fresh(stem) for stem in ("spot", "num", "who", "group"))
        at, numbered = scope.having(s, "site"), scope.having(n, "number")
        aside, grouped = scope.having(p, "side"), scope.having(g, "set")
        return [
            lambda: f"(not {part()})",
            lambda: f"({part()} and {part()})",
            lambda: f"({part()} or {part()})",
            lambda: f"(if {part()} then {part()} else {part()})",
            lambda: f"(let {n} = {self.number(scope, depth)}; {self.flag(numbered, depth)})",
            lambda: (
                f"({self.any(('some', 'no'))} {s} in {self.sites(scope, depth)}"
                f" where {self.flag(at, depth)})"
            ),
            lambda: f"(every {s} in {self.sites(scope, depth)} has {self.flag(at, depth)})",
            lambda: f"(some {n} in {self.range(scope)} where {self.flag(numbered, depth)})",
            lambda: f"(every {p} in players has {self.flag(aside, depth)})",
            lambda: f"(some {g} in {self._groups(scope, depth)} where {self.flag(grouped, depth)})",
        ]
