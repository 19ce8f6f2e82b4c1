"""Why: what the rules say of a move, of a site, of how a game ends, each with its place and reason.

| module        | what it has                                                        |
|---------------|--------------------------------------------------------------------|
| `moment`      | what any words of a game's file are worth, at any point of a turn  |
| `witness`     | the sites and lines that make a condition true or false            |
| `reasons`     | an expression with its value, and those of its parts               |
| `turn`        | ways through a turn, statement by statement: where one can't go on |
| `sources`     | the part of the file that a statement was made from                |
| `explanation` | what an answer is made of                                          |
| `endings`     | why a game is over, what is still needed, why a side has no move   |
| `legal`       | why a move is legal, and what it does                              |
| `illegal`     | why it is not, and which moves are like it                         |
| `why_move`    | either of them                                                     |
| `asking`      | what a player is asked for next, in the author's words             |
| `answers`     | all of these, by what was asked                                    |
| `telling`     | answers as text, data and scenes                                   |

Conditions are asked of the reference interpreter in the frame in which it asks them itself; the
words are those of the syntax, elaborated anew in their scope, so that nothing is lost by what
elaboration put in place of names.
"""
