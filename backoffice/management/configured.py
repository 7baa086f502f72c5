"""What a command cannot do without: where it is missing, the command could not run, and says what to set."""

from django.core.management.base import CommandError

from backoffice.llm.client import ModelConfig, model_config
from backoffice.llm.failures import NotConfigured


def configured_model() -> ModelConfig:
    """The configuration in force."""
    try:
        return model_config()
    except NotConfigured as error:
        raise CommandError(error.failure.detail) from None
