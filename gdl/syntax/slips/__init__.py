"""Slips: what authors write in the manner of other languages, or of plain English.

In: texts and findings. Out: hints that say it as it is said here. All are loaded only where there
is a mistake.

| module             | has                                                                       |
|--------------------|---------------------------------------------------------------------------|
| `patterns`         | what a slip is, and how one is told of                                    |
| `wording`          | what is said of slips of several kinds                                    |
| `statements`       | lines of a turn                                                           |
| `piece_statements` | such as move, take off, change or place pieces                            |
| `blocks`           | such as loop, or do something on a condition                              |
| `decisions`        | lines that begin with `choose`                                            |
| `verbs`            | lines that begin with a word which is none of this language               |
| `expressions`      | signs, brackets and words between names and numbers, in any text          |
| `conditions`       | what is said to hold of sites, sets and sides, in any text                |
| `choices`          | `A if C else B`, in any text                                              |
| `amounts`          | how many there are, in any text                                           |
| `boards`           | boards                                                                    |
| `ends`             | clauses of `end` and `stuck`                                              |
| `sets`             | expressions that are a whole text                                         |
| `sections`         | variables, options, sides, kinds; which slips a text of each section has  |
| `sentences`        | what can be said, but not be put in place                                 |
| `meanings`         | second looks at errors of texts that can be read: who looks at which code |
| `place`            | where a finding is, and what stands around it                             |
| `entries`          | such looks at entries of sections                                         |
| `words`            | such looks at words in rules                                              |
| `keys`             | keys of other languages, and where they are said here                     |
| `shapes`           | entries as other languages nest them                                      |
"""
