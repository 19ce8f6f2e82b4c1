"""What names stand for: the declarations of a game, and the words of one text.

| module        | has                                                                     |
|---------------|-------------------------------------------------------------------------|
| `values`      | what an expression of the language can stand for                        |
| `origins`     | where each condition of a program stands in its file                    |
| `elaboration` | what is told, used, counted and kept while texts are elaborated         |
| `scope`       | the declarations of a game, and the local words of one text             |
| `limits`      | how much work a text may make before play                               |
| `teams`       | sides that win and lose together                                        |
| `can_depth`   | how many turns ahead `can` looks, and which conditions it leaves out    |
| `freeze`      | values as they are now, for places where a word is read at another time |
"""
