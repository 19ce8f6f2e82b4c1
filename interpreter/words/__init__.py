"""Rules in words: what the expressions, clauses and turns of a game's file say, in English.

In: nodes of the syntax and their scope. Out: phrases, sentences and steps for people. What then
holds: no sign of the language stands in them; an author's caption stands in place of what would be
generated; what is settled before play (options, variants, sides) is not asked any more.

| module          | what it does                                                    |
|-----------------|-----------------------------------------------------------------|
| `asker.py`      | what parts of a game's file stand for, asked after it was loaded |
| `context.py`    | what words mean where a phrase stands, and who is spoken of     |
| `captions.py`   | captions, with what stands in them; words of the file by name   |
| `relations.py`  | relations: `next to`, `two steps north of`                      |
| `elements.py`   | what a variable is called that runs over something              |
| `sets.py`       | sets of sites: `one of your pieces`, `an empty site next to it` |
| `traits.py`     | what is said of a thing in a set: `empty`, `on the top side`    |
| `numbers.py`    | numbers: `the number of your pieces`                            |
| `refusals.py`   | what is so, instead of what the rules ask for                   |
| `conditions.py` | conditions: `the board is full`                                 |
| `phrases.py`    | all these together: each may stand within the others            |
| `clauses.py`    | clauses of `end` and `stuck` as sentences                       |
| `turns.py`      | turns, step by step                                             |
| `rules.py`      | all that is told of a game                                      |
"""
