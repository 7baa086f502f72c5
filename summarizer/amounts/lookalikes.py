"""Words, codes and letters that are money and something else too: which of them are trusted, and where.

Like `habits.py` a typed table, of what no maintained source lists. Words are matched without case and accents, codes,
symbols and letters as they are written.
"""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# CLDR lists these like withdrawn codes, but ISO 4217 never had them; `CNH` is a market's name for the yuan.
NEVER_ISO_4217 = _words("ARL ARM BAN BGM BGO BOL BRZ CLE CNH KRH KRO MAF MCF MDC MKN MVP VNN YUR")

# Codes that are also words, in capitals (as in `ALL 5 TOP hotels`) or not: trusted only in a text without other words.
WORDS_LIKE_CODES = _words(
    "ALL TOP TRY CUP MAD PEN COP MOP BAM SOS GEL ANG BOB MUR SAR SEK LAK NAD MGA KES ARS CAD ERN SIT HUF AMD"
    " CDF PAB MOP SHP STN TND WST XAD XAG XAU XUA XSU COU BOV CHE CHW VED"
)
# In capitals these are codes and nothing else would be written so on an invoice.
CODES_IN_CAPITALS = _words("MUR SAR SEK LAK NAD MGA KES ARS CAD HUF CDF PAB TND TRY MAD PEN COP GEL")

# Unit words that are also everyday words of some main language: trusted only in a text without other words.
WORDS_LIKE_UNITS = _words(
    "won von som sum real sol sole soli das are tak tal tale tali tako taki take bat bot kin kina oro pes lar lara"
    " с ლ так така таки sum suma сум сума сома соль bir biri bire leve kuni tenga leje jeni yeni nhan bang вона лев"
    " din den ден дин לב вон australia caribe rap jen jena kun nou pul pula pule rup sri lia lir ari batu bira dram"
    " font funt maki nael paun pond vati vato dobro"
)
# Vietnamese words differ by their tones alone; these units are meant, and `động`, `đó`, `bạn`, `bằng` are not.
SPELLINGS = {"đong": "đồng", "đo": "đô", "nhan": "nhân", "bang": "bảng", "ban": "ban", "rap": "rap"}
# In `new shekel` and `nuevo sol` this word is not the unit, in whatever language a name has it.
WORDS_FOR_NEW = _words(
    "new neu neue neuer neuen novo novos nova novas nuevo nuevos nueva nuevas nou nous noi nouveau nouveaux nuovo nuovi"
    " nieuwe nuwe ny nye nya nytt nýr nýir nowy nowe nowych nový nové nových novi novih uusi uutta új yeni jauns jaunie"
    " jauno naujasis naujasi naujieji naujų νεο νεα νεων νέο νέα νέων новый новые новых новий нові нових нов нови нових"
    " новы новыя жаңа yangi baru baharu mới mpya berria 新 חדש חדשים جديد جديدة جدید नया नवीन नवा নতুন புதிய కొత్త"
)
# Their units are also words of places or languages: Sierra Leone, Guaraní, China in Greek, the euro area.
UNITS_LIKE_PLACES = frozenset({"EUR", "PGK", "PYG", "SLE"})
# Units of measure by their word, but on an invoice more often money: `5 pond`, `5 funt`, `5 dram`.
MEASURES_AND_MONEY = _words("font funt paun pond dram")
# Never a currency without a qualifier: marks are also points of an exam, and Zimbabwe's unit is called gold.
UNITS_NEVER_ALONE = frozenset({"BAM", "ZWG"})

# Short symbols of plain letters that invoices use beside other words all the same.
TRUSTED_SHORT_SYMBOLS = _words(
    "р Р đ Tk Tk. TK kr kr. Kr Kr. Rs Rs. Ft RM Rp Rp. TL KD Fr Fr. CHF zl lei yen leu lek lev"
)

# Trusted beside other words where it touches a number with cents, as in `Total: R12.50`.
GLUED_SYMBOLS = frozenset("R")
# Codes that are words of English headings: `12 TOP HOTELS`.
CODES_LIKE_ENGLISH_WORDS = _words("ALL TOP")
# Minor units that are units of measure too: these are money all the same, and these where they touch the number.
TRUSTED_MINORS = _words("ct CT")
GLUED_MINORS = _words("p c C")
# In Spanish and Portuguese `mil` is a thousand, in English slang a million; beside these it may be either.
ENGLISH_DOLLARS = _words("USD AUD CAD NZD SGD HKD")
# A thousand in Danish and a million in Vietnamese, in English headlines a trillion.
LOCAL_MAGNITUDES = frozenset({"t", "tr"})
# Units that CLDR writes longer than a short unit of measure, or not at all.
MEASURES = "λεπτά λεπτό λεπτα λεπτο"
