"""Each expression of the core as code.

In: expressions, and the place where their code stands. Out: values.

| module                | has                                                         |
|-----------------------|-------------------------------------------------------------|
| `places`              | where code stands, and where the slots of a frame lie there |
| `writer`              | what writes expressions, as their parts see it              |
| `closures`            | floods: site by site, or by one of the ways below           |
| `folds`               | loops over domains                                          |
| `expressions`         | each other node of the core                                 |
| `counting`            | counters of what comes about, where somebody watches        |
"""
