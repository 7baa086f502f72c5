"""The few words that the chat's part knows, of the languages that most customers write in."""

import re


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TOPIC = re.compile(
    r"\b(?:weather|forecasts?|temperatures?|temperatur\w*|rain\w*|snow\w*|sun|sunny|sunshine|wind|windy|umbrella|degrees?"
    r"|warm\w*|cold\w*|hot|storm\w*|fog\w*|wetter\w*|regen\w*|regnet|schnee\w*|schneit|sonn\w*|grad|météo|meteo|temps|pluie|pleu\w*|neig\w*"
    r"|tiempo|clima|lluvia|llueve|llover|nieve|nevar|calor|frío|tempo|chuva|chove\w*|frio|piove\w*|pioggia|neve|weer|regent"
    r"|väd(?:er|r)\w*|vejr\w*|vær\w*|regn\w*|pogod\w*|deszcz\w*|погод\w*|дожд\w*|снег\w*|celsius|fahrenheit)\b"
    r"|°|আবহাওয়া|বৃষ্টি|天气|天氣|天気|날씨|طقس|मौसम",
    re.IGNORECASE,
)
FAHRENHEIT = re.compile(r"fahrenheit|°\s?f\b|(?:\bin |\()f\b", re.IGNORECASE)
WEEK = re.compile(r"\b(?:weeks?|weekend|woche|wochenende|semaine|semana|settimana|vecka|tydzień)\b", re.IGNORECASE)
TOMORROW = re.compile(r"\b(?:tomorrow|morgen|demain|mañana|amanhã|domani|imorgon|jutro|завтра)\b", re.IGNORECASE)
_NUMBERS = (
    "two zwei deux dos due dois", "three drei trois tres tre três", "four vier quatre cuatro quattro quatro",
    "five fünf cinq cinco cinque", "six sechs seis sei", "seven sieben sept siete sette sete",
)  # fmt: skip
NUMBERS = {word: number for number, words in enumerate(_NUMBERS, start=2) for word in words.split()}
DAYS = re.compile(
    rf"(?<!\d)(\d{{1,2}}|\b(?:{'|'.join(NUMBERS)}))[ -]?(?:days?|tage?n?|jours?|días|dias|giorni|dagen|dagar|dni)\b",
    re.IGNORECASE,
)
AFTER_A_PLACE = re.compile(
    r"weather|forecast|temperatures?|wetter|väder|vejr|pogoda|please|bitte|for|in|right|now|today|tonight|heute|this|next|"
    rf"diese|nächste|{TOMORROW.pattern}",
    re.IGNORECASE,
)
"""What may follow a place that begins a message: no verb does."""

NO_PLACES = words(
    """
    what whats how hows where when which who why is it its are was will would does do did can could should shall has
    am if and or also but then now so the this that there a an any some my our your in at for near on from to of than
    i we you he she they let lets compare check show tell give get look find write say need want are please
    hello hi hey good thanks thank ok okay yes no bad current general same not only all like about between
    today tonight tomorrow yesterday morning afternoon evening night noon summer winter spring autumn weekend week
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter weihnachten ostern noël
    celsius fahrenheit kelvin english
    wie was wo wann wird ist sind das der die den und bitte hallo guten danke heute morgen vergleiche gibt brauche
    quel quelle quels est-ce que et bonjour merci dans ce moment qué cuál cómo hace hay hola gracias y mañana
    como qual que vai está olá oi e che com'è ciao domani hoe wat hallo vad hur jaka jaki jak czy какая какой как
    """
)
"""What has a capital for standing at the beginning, or for being a day, a month or a unit."""
