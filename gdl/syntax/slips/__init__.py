"""Slips: what authors write in the manner of other languages, or of plain English.

In: texts and findings. Out: hints that say it as it is said here. All are loaded only where there
is a mistake.

| module        | has                                                                       |
|---------------|---------------------------------------------------------------------------|
| `patterns`    | what a slip is, and how one is told of                                    |
| `statements`  | lines of a turn                                                           |
| `verbs`       | lines that begin with a word which is none of this language               |
| `expressions` | signs, brackets and words between names and numbers, in any text          |
| `ends`        | clauses of `end` and `stuck`                                              |
| `sets`        | expressions that are a whole text                                         |
| `sections`    | variables, options, sides, kinds; which slips a text of each section has  |
| `sentences`   | what can be said, but not be put in place                                 |
| `meanings`    | second looks at errors of texts that can be read: who looks at which code |
| `place`       | where a finding is, and what stands around it                             |
| `entries`     | such looks at entries of sections                                         |
| `shapes`      | entries as other languages nest them                                      |
"""
