"""The nightly job under fire: several workers share a queue while they are killed, stopped and paused at random, the
database is restarted under them, and the model fails in every way it can. Afterwards nothing may be lost, nothing may
have been asked for needlessly, and the reports may not lie.

`python -m benchmarks.torture --database postgresql --seed 7`
"""
