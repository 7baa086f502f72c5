"""Money amounts as people write them, read exactly or not at all."""

from summarizer.amounts.declaration import NORMALIZE_AMOUNT_DESCRIPTION, NORMALIZE_AMOUNT_PARAMETERS
from summarizer.amounts.normalizing import ERROR_CODES, normalize_amount

__all__ = ["ERROR_CODES", "NORMALIZE_AMOUNT_DESCRIPTION", "NORMALIZE_AMOUNT_PARAMETERS", "normalize_amount"]
