"""Makes `vocabulary.json` from CLDR (through Babel) and ISO 4217; nothing here runs when amounts are read.

`python -m summarizer.amounts.generate` writes the file again after an update of Babel or iso4217;
with `--check` it only says whether the file is up to date.
"""
