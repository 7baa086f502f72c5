"""How the tool `normalize_amount` is declared to the model."""

from typing import Any

NORMALIZE_AMOUNT_DESCRIPTION = (
    "Reads one money amount exactly as the note writes it and returns it in one notation. Pass the amount with its"
    " currency, sign and magnitude, copied character by character, for example '1.200,50 EUR', '-$3.5M' or"
    " 'Rs 1,20,000/-'. On success state `amount` with all its decimals and `currency`; `amount_minor` is for programs"
    " and is never stated. A null currency means that the note leaves it open: do not add one. On `error` state the"
    " amount as the note writes it, or call again with one of its amounts."
)
NORMALIZE_AMOUNT_PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "raw": {"type": "string", "description": "One amount, copied from the note with its currency and sign."}
    },
    "required": ["raw"],
    "additionalProperties": False,
}
