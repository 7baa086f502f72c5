"""The streaming core: a model call becomes events, and events become a completion.

It knows no app, no model and no view; the one file that reads Django's settings is `client`.
"""
