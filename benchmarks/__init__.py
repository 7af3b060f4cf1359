"""How fast, how small and how strict xmlfix is beside its peers.

    python -m benchmarks            everything, as text
    python -m benchmarks --quick    a subset of the pages, three rounds
    python -m benchmarks --table    the table of the README
    python -m benchmarks profile    where xmlfix spends its time

All contenders run in one process on the same pages and take turns in each round, so that what
else the machine does strikes them alike; figures are medians over the rounds, and the ratios of
a round are taken within that round.
"""
