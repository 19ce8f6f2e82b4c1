"""Random programs of turns: decisions, effects, loops.

In: the writer of expressions of a game. Out: the lines of a turn's program. What then holds: the
program is well typed, and the decisions of a turn are few enough to be listed: `ways` bounds their
product, and loops with decisions have few rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from generated_expressions import Expressions, Scope

Lines = list[str]
MOST_WAYS = 400
STYLES = (
    *("if", "if", "else", "each", "each", "domain"),
    *("times", "until", "while", "settled", "endless"),
)


@dataclass
class Budget:
    """What a turn may still have: ways on, and statements."""

    ways: int = MOST_WAYS
    statements: int = 18

    def afford(self, ways: int) -> bool:
        """Take a decision with so many ways from what is left; False if that is not enough."""
        if self.ways < ways:
            return False
        self.ways //= max(1, ways)
        return True


def indented(lines: Lines) -> Lines:
    """Return the lines of a block."""
    return [f"  {line}" for line in lines]


@dataclass
class Turn:
    """Writes one turn; `phases` are those it may go to."""

    words: Expressions
    phases: tuple[str, ...] = ()
    actions: dict[str, str] = field(default_factory=dict)
    chance: bool = False
    pieces: tuple[str, ...] = ()

    def lines(self) -> Lines:
        budget = Budget(ways=8 if self.chance else MOST_WAYS)
        scope = Scope()
        random = self.words.random
        first = [] if self.words.chance(25) else self._placing(scope, budget)
        if first and first[0].startswith("choose "):
            scope = scope.having(first[0].split()[1], "site")
        rest = self.block(scope, budget, random.randint(0 if first else 1, 5))
        if self.phases and self.words.chance(60):
            rest.append(f"go to {self.words.any(self.phases)}")
        return first + rest + self._kept_values(scope)

    def _kept_values(self, scope: Scope) -> Lines:
        """Return the statements that keep what a few expressions are worth."""
        words = self.words
        if words.chance(20):
            return []
        depth = words.random.choice((2, 3))
        lines = [f"set told({n}) = {words.number(scope, depth)}" for n in (1, 2, 3)]
        lines += [f"set shown({n}) = {words.sites(scope, depth)}" for n in (1, 2)]
        lines += [f"set sure({n}) = {words.flag(scope, depth)}" for n in (1, 2)]
        return lines

    def _placing(self, scope: Scope, budget: Budget) -> Lines:
        """Return the beginning that most turns have: a piece comes, or moves."""
        words = self.words
        a, b = words.fresh("spot"), words.fresh("spot")
        at = scope.having(a, "site")
        sites = len(words.world.facts.sites)
        style = words.any(("place", "place", "move", "pair"))
        if style == "place" or not budget.afford(sites * sites):
            budget.afford(sites)
            return [f"choose {a} in empty", f"place {self.piece(at)} at {a}"]
        if style == "move":
            return [
                f"choose {a} in {words.any(('own', 'occupied', words.some_sites(scope)))}",
                f"choose {b} in {words.relation(at)}({a}) - own",
                f"move {a} to {b}",
            ]
        condition = f" where {words.flag(at, 1)}" if words.chance(40) else ""
        return [
            f"choose {a} in empty{condition}",
            f"place {self.pieces[0]} at {a}",
            f"choose {b} in {words.any(('empty', 'empty', words.sites(at, 1)))} unordered with {a}",
            f"place {self.pieces[0]} at {b}",
        ]

    def block(self, scope: Scope, budget: Budget, length: int, depth: int = 2) -> Lines:
        """Return statements; what one of them names is known to those below it."""
        lines: Lines = []
        for _ in range(max(1, length)):
            budget.statements -= 1
            added, scope = self.statement(scope, budget, depth)
            lines += added
        return lines

    def statement(self, scope: Scope, budget: Budget, depth: int) -> tuple[Lines, Scope]:
        words = self.words
        kind = words.random.randint(0, 99)
        if kind < 40 or budget.statements < 0:
            return self.effect(scope), scope
        if kind < 60:
            return self.decision(scope, budget, depth)
        if kind < 68:
            return self.let(scope)
        if depth > 0:
            return self.nested(scope, budget, depth - 1), scope
        return [self._require(scope)], scope

    def let(self, scope: Scope) -> tuple[Lines, Scope]:
        words = self.words
        sort = words.any(("number", "number", "set", "flag"))
        name = words.fresh({"number": "num", "set": "area", "flag": "is"}[sort])
        value = {
            "number": lambda: words.number(scope),
            "set": lambda: f"(all & {words.sites(scope)})",
            "flag": lambda: words.flag(scope),
        }[sort]()
        lines = [f"let {name} = {value}"]
        scope = scope.having(name, sort)
        if words.chance(40):
            lines += {
                "number": lambda: [f"set {name} = {words.number(scope)} mod 7"],
                "set": lambda: [f"add {words.sites(scope)} to {name}"],
                "flag": lambda: [f"set {name} = not {name}"],
            }[sort]()
        return lines, scope

    # ---------------------------------------------------------------------- decisions

    def decision(self, scope: Scope, budget: Budget, depth: int) -> tuple[Lines, Scope]:
        words, world = self.words, self.words.world
        name = words.fresh("pick")
        sites = len(world.facts.sites)
        options: list[tuple[int, Callable[[], tuple[Lines, Scope]]]] = [
            (2, lambda: self._either(scope, budget, depth)),
            (2, lambda: self._either(scope, budget, depth)),
            (sites, lambda: self._choose(scope, name, words.sites(scope), "site")),
            (sites, lambda: self._choose(scope, name, self._never_empty(scope), "site")),
            (3, lambda: self._choose(scope, name, words.range(scope), "number")),
            (len(world.sides), lambda: self._choose(scope, name, "players", "side")),
            (len(world.kinds), lambda: self._choose(scope, name, self._kinds(), "kind")),
        ]
        if world.facts.families:
            family = words.any(world.facts.families)
            number = len(world.facts.families[family])
            options.append((number, lambda: self._choose(scope, name, family, "direction")))
        ways, option = words.random.choice(options)
        if not budget.afford(ways):
            return [self._require(scope)], scope
        return option()

    def _never_empty(self, scope: Scope) -> str:
        return f"{self.words.sites(scope)} | {self.words.any(self.words.world.facts.sites)}"

    def _require(self, scope: Scope, depth: int | None = None) -> str:
        """Return a condition; most are such that the first turns can be made."""
        flag = self.words.flag(self._looking(scope), depth)
        if self.words.chance(25):
            return f"require {flag}"
        return f"require turns < {self.words.random.randint(2, 6)} or {flag}"

    def _kinds(self) -> str:
        world = self.words.world
        return self.words.any(("kinds", f"({', '.join(world.kinds)})"))

    def _choose(self, scope: Scope, name: str, domain: str, sort: str) -> tuple[Lines, Scope]:
        scope = scope.having(name, sort)
        condition = self._looking(scope) if self.words.chance(20) else scope
        where = f" where {self.words.flag(condition, 1)}" if self.words.chance(40) else ""
        return [f"choose {name} in {domain}{where}"], scope

    def _looking(self, scope: Scope) -> Scope:
        """Return the scope of a condition that may look a turn ahead, seldom two."""
        return replace(scope, may_look=2 if self.words.chance(10) else 1)

    def _either(self, scope: Scope, budget: Budget, depth: int) -> tuple[Lines, Scope]:
        words = self.words
        if words.chance(30):
            label = words.any(("", f" as {words.fresh('more')}"))
            return [f"optionally{label}", *indented(self.block(scope, budget, 1, depth - 1))], scope
        lines: Lines = []
        for opening in ("either", "or", "or")[: words.random.randint(2, 3)]:
            lines.append(f"{opening} as {words.fresh('way')}" if words.chance(70) else opening)
            body = ["pass"] if words.chance(15) else self.block(scope, budget, 1, depth - 1)
            lines += indented(body)
        return lines, scope

    # -------------------------------------------------------------------------- loops

    def nested(self, scope: Scope, budget: Budget, depth: int) -> Lines:
        words, random = self.words, self.words.random
        name, rounds = words.fresh("each"), words.fresh("round")

        def body(inside: Scope, ways: int) -> Lines:
            """Return a block of a loop: decisions only as far as they are few in all rounds."""
            share = Budget(ways if budget.afford(ways * ways) else 1, budget.statements)
            lines = self.block(inside, share, random.randint(1, 2), depth)
            budget.statements = share.statements
            return indented(lines)

        def guarded(inside: Scope, most: int) -> Lines:
            counted = inside.having(rounds, "number")
            return [*body(counted, 4 if most <= 2 else 1), f"  add 1 to {rounds}"]

        most = words.any((2, 2, 5))
        opening = f"let {rounds} = 0"
        style = words.any(STYLES)
        condition = words.flag(scope, 1)
        match style:
            case "if":
                return [f"if {condition}", *indented(self.block(scope, budget, 1, depth))]
            case "else":
                one, two = (indented(self.block(scope, budget, 1, depth)) for _ in range(2))
                between = [f"else if {words.flag(scope, 1)}", *two] if words.chance(50) else []
                last = indented(self.block(scope, budget, 1, depth))
                return [f"if {condition}", *one, *between, "else", *last]
            case "each":
                where = f" where {condition}" if words.chance(40) else ""
                head = f"for each {name} in {words.sites(scope)}{where}"
                return [head, *body(scope.having(name, "site"), 1)]
            case "domain":
                domain, sort = self._domain(scope)
                return [f"for each {name} in {domain}", *body(scope.having(name, sort), 1)]
            case "times":
                bound = words.any(("2", f"min(2, {words.number(scope, 0)})"))
                return [f"repeat {bound} times", *body(scope, 4)]
            case "until":
                lines = guarded(scope, most)
                counted = scope.having(rounds, "number")
                until = f"until {words.flag(counted, 1)} or {rounds} >= {most}"
                return [opening, "repeat", *lines, until]
            case "while":
                return [opening, f"repeat while {condition} and {rounds} < {most}",
                        *guarded(scope, most)]  # fmt: skip
            case "settled":
                return ["repeat", *body(scope, 1), "until nothing changes"]
            case _:
                return ["repeat", *body(scope, 1), f"until {condition}"]

    def _domain(self, scope: Scope) -> tuple[str, str]:
        words, facts = self.words, self.words.world.facts
        choices = [("players", "side"), (words.range(scope), "number")]
        choices += [(f"groups({words.sites(scope, 1)}, {words.any(facts.symmetric)})", "set")]
        choices += [(family, "direction") for family in tuple(facts.families)[:1]]
        return words.random.choice(choices)

    # ------------------------------------------------------------------------ effects

    def piece(self, scope: Scope) -> str:
        words = self.words
        piece = words.any((*self.pieces, *self.pieces, *words.world.neutral))
        if piece in words.world.neutral or words.chance(50):
            return piece
        sides = [f"{side} {piece}" for side in words.world.sides]
        return words.any((*sides, f"{piece} of owner({words.site(scope)})", f"own {piece}"))

    def effect(self, scope: Scope) -> Lines:
        words, world = self.words, self.words.world
        sites = words.sites(scope)
        ways: list[Callable[[], str]] = [
            lambda: f"place {self.piece(scope)} at {words.sites(scope, 1)}",
            lambda: f"remove {sites}",
            lambda: f"move {words.site(scope)} to {words.site(scope)}",
            lambda: f"change {sites} to {self.piece(scope)}",
            lambda: f"change {sites} to {words.any((*self.pieces, *world.sides, 'own'))}",
            lambda: self._require(scope),
            lambda: f"keep {words.any(('most', 'least'))} {words.number(scope, 1)}",
            lambda: words.any(("again", f"if {words.flag(scope, 1)} again")),
            lambda: f"next {words.side(scope)}",
            lambda: self._require(scope, 1),
        ]
        if world.two:
            ways += [lambda: f"flip {sites}"]
            ways += [lambda: words.any(("swap", f"take {words.side(scope)}"))] * words.chance(20)
        if world.stacks:
            ways += [
                lambda: f"place {self.piece(scope)} {self._pile()} {words.site(scope)}",
                lambda: f"remove {self._few(scope)} of {sites}",
                lambda: f"move {words.site(scope)} {self._pile()} {words.site(scope)}",
                lambda: (
                    f"move {self._few(scope)} of {words.site(scope)}"
                    f" {words.any(('onto', 'under', 'to'))} {words.site(scope)}"
                ),
            ] * 2
        elif world.facts.directions:
            ways.append(lambda: f"shift {sites} by {words.any(world.facts.directions)}")
        for name in self.actions:
            ways.append(lambda name=name: f"do {name}({words.site(scope)})")  # type: ignore[misc]
        return [words.one((*ways, *self._assignments(scope)))]

    def _pile(self) -> str:
        return self.words.any(("onto", "under"))

    def _few(self, scope: Scope) -> str:
        return self.words.any(("1", "2", f"({self.words.number(scope, 1)})"))

    def _assignments(self, scope: Scope) -> list[Callable[[], str]]:
        words, world, state = self.words, self.words.world, self.words.world.state
        sites = words.sites(scope, 1)

        def small() -> str:
            if words.chance(20):
                return words.number(scope, 1)
            return f"max(0, min(5, {words.number(scope, 1)}))"

        of_state: dict[str, Callable[[], str]] = {
            "tally": lambda: f"set tally = {small()}",
            "wide": lambda: f"add {words.number(scope)} to wide",
            "balance": lambda: f"set balance = min(3, {words.number(scope)}) mod 4",
            "hand": lambda: f"set hand({words.side(scope)}) = {small()}",
            "open": lambda: f"set open = {words.flag(scope)}",
            "zone": lambda: f"set zone = {words.sites(scope)}",
            "holder": lambda: f"set holder = {words.side(scope)}",
            "last": lambda: f"set last = {words.kind(scope)}",
            "score": lambda: f"set score = {words.fraction(scope)}",
            "mode": lambda: f"set mode = {words.any(('calm', 'wild'))}",
            "seeds": lambda: words.any(
                (f"add 1 to seeds({sites})", f"set seeds({sites}) = {small()}",
                 f"set seeds({sites}) = (seeds({sites}) + 1) mod 4")
            ),
            "grid": lambda: f"set grid(mover, {sites}) = {small()}",
            "wall": lambda: f"add {sites} to wall({world.facts.directions[0]})",
            "level": lambda: f"set level(max(1, min(3, {words.number(scope, 0)}))) = {sites}",
            "moved": lambda: f"add {sites} to moved",
            "power": lambda: f"set power({sites}) = {small()}",
        }  # fmt: skip
        return [way for name, way in of_state.items() if name in state]
