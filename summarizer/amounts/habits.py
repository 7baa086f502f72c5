"""What no maintained source lists and invoices do all the same: one table for each kind of word, a reason on each line.

Words are separated by spaces. An underscore stands for a space inside a symbol. Words are matched
without case and accents; symbols and magnitudes as they are written first.
"""

from typing import NamedTuple


class Symbol(NamedTuple):
    """Ways to write a currency that CLDR lacks or that the contract settles.

    `codes` are the currencies it may be (empty: those that CLDR has for it), `preferred` the one that is taken where
    several fit, flagged if it is only `assumed`; `power` is a magnitude in the same word.
    """

    written: str
    codes: str
    preferred: str
    reason: str
    assumed: bool = False
    power: int = 0


class Minor(NamedTuple):
    """Words for minor units; `digits` is the power of ten they divide by, `alone` whether they may stand alone."""

    words: str
    codes: str
    digits: int
    alone: bool
    reason: str


class Magnitude(NamedTuple):
    """Powers of ten whose reading the contract fixes, or that CLDR lacks; letters are matched with their case."""

    written: str
    power: int
    ambiguous: bool
    reason: str


class Qualifier(NamedTuple):
    """Words that settle a unit word of several currencies, where CLDR names the country otherwise."""

    words: str
    codes: str
    reason: str


class Role(NamedTuple):
    """Words that say what the number beside them is."""

    role: str
    words: str
    reason: str


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MAIN_LANGUAGES = _words(
    "af ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km"
    " kn ko lo lt lv mk ml mn mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh"
)

_DOLLARS = "AUD BBD BMD BND BSD BZD CAD FJD GYD HKD JMD KYD LRD NAD NZD SBD SGD SRD TTD TWD USD XCD"
_DINARS = "BHD DZD IQD JOD KWD LYD RSD TND"
_FRANCS = "BIF CDF CHF DJF GNF KMF RWF XAF XOF XPF"
_RUPEES = "INR LKR MUR NPR PKR SCR"
_PESOS = "ARS CLP COP CUP DOP MXN UYU"
_CROWNS = "DKK ISK NOK SEK"

SYMBOLS = (
    Symbol(
        "$", f"{_DOLLARS} {_PESOS}", "USD", "the contract: a bare dollar sign is the US dollar, assumed", assumed=True
    ),
    Symbol("£", "EGP GBP LBP SYP", "GBP", "the contract: a bare pound sign is sterling, assumed", assumed=True),
    Symbol("¥", "", "JPY", "the contract: a bare yen sign is the Japanese yen, assumed", assumed=True),
    Symbol("₩", "KRW", "", "the South Korean won; the North Korean one is on no invoice"),
    Symbol("dollar dollars", "", "USD", "the word is read like the sign", assumed=True),
    Symbol("pound pounds pfund", "", "GBP", "the word is read like the sign", assumed=True),
    Symbol(
        "libra libras 파운드 पाउंड",
        "EGP GBP LBP SYP",
        "GBP",
        "the pound in other languages, like the sign",
        assumed=True,
    ),
    Symbol("lira", "LBP TRY", "TRY", "the lira that is still paid; Lebanon's is rare", assumed=True),
    Symbol("C$", "", "CAD", "Canada's habit; in Nicaragua the same sign is the córdoba", assumed=True),
    Symbol("c_$ $_c", "", "CAD", "news agencies set C$ apart and in small letters", assumed=True),
    Symbol("CAN$ Cdn$", "CAD", "", "Canadian bookkeeping"),
    Symbol("U$S U$D U.S$ U.S.$ U.S.", "USD", "", "Latin American and older English ways to write US$"),
    Symbol("Mex$ Mx$", "MXN", "", "Mexican peso in the English press"),
    Symbol("q", "GTQ", "", "the quetzal in a small letter, as CLDR has it in a capital"),
    Symbol("J$", "JMD", "", "Jamaica"),
    Symbol("N$", "NAD", "", "Namibia"),
    Symbol("G$ GY$", "GYD", "", "Guyana"),
    Symbol("L$ LR$", "LRD", "", "Liberia"),
    Symbol("BZ$", "BZD", "", "Belize"),
    Symbol("B$", "BND BSD", "", "Brunei and the Bahamas alike"),
    Symbol("TT$", "TTD", "", "Trinidad and Tobago"),
    Symbol("Bds$ BDS$", "BBD", "", "Barbados"),
    Symbol("SI$", "SBD", "", "Solomon Islands"),
    Symbol("CI$", "KYD", "", "Cayman Islands"),
    Symbol("MOP$", "MOP", "", "the pataca is no dollar, but is written with its sign"),
    Symbol("BRL$", "BRL", "", "the real is no dollar, but is written with its sign"),
    Symbol("AR$", "ARS", "", "Argentina in the English press"),
    Symbol("COL$ CO$", "COP", "", "Colombia in the English press"),
    Symbol("CL$ CH$", "CLP", "", "Chile in the English press"),
    Symbol("RD$", "DOP", "", "República Dominicana"),
    Symbol("T€ t€", "EUR", "", "German bookkeeping: Tausend, as in TEUR", power=3),
    Symbol("$b", "BOB", "", "Bolivia"),
    Symbol("$U", "UYU", "", "Uruguay"),
    Symbol("S/.", "PEN", "", "the older sign of the Peruvian sol, still printed"),
    Symbol("₨ Rs Rs. Re Re. rs", _RUPEES, "", "rupees of six countries"),
    Symbol("kr kr.", _CROWNS, "", "crowns of four countries"),
    Symbol("tkr tkr. t.kr. Tkr", _CROWNS, "", "a thousand crowns in Nordic reports", power=3),
    Symbol("mkr mkr. Mkr Mkr. mio.kr. mill.kr.", _CROWNS, "", "a million crowns in Nordic reports", power=6),
    Symbol("mdkr mdkr. mia.kr. mrd.kr.", _CROWNS, "", "a thousand million crowns in Nordic reports", power=9),
    Symbol("eFt", "HUF", "", "ezer, a thousand forint in Hungarian reports", power=3),
    Symbol("MFt mFt", "HUF", "", "a million forint in Hungarian reports", power=6),
    Symbol("Fr Fr.", _FRANCS, "", "francs of ten countries and unions"),
    Symbol("SFr SFr. sFr sFr. Sfr.", "CHF", "", "Swiss and Austrian invoices"),
    Symbol("﷼", "IRR OMR QAR SAR YER", "", "one sign for every rial and riyal"),
    Symbol("TL tl", "TRY", "", "Türk lirası"),
    Symbol("руб руб.", "BYN RUB", "RUB", "the Russian rouble; the Belarusian one is named with its country"),
    Symbol("р. rub. rbl", "RUB", "", "usual Russian abbreviations"),
    Symbol("рублей рубля рубль", "", "RUB", "the Russian rouble; the Belarusian one is named with its country"),
    Symbol("р Р", "RUB", "", "the shortest Russian abbreviation"),
    Symbol("грн грн. hrn", "UAH", "", "usual Ukrainian abbreviations"),
    Symbol("лв lv", "BGN", "", "the Bulgarian abbreviation without its dot"),
    Symbol("ден дин din", "MKD RSD", "", "Balkan abbreviations without a dot"),
    Symbol("KD K.D K.D. K·D", "KWD", "", "Gulf invoices"),
    Symbol("BD B.D", "BHD", "", "Gulf invoices"),
    Symbol("JD J.D", "JOD", "", "Jordanian invoices"),
    Symbol("SR S.R", "SAR SCR", "", "Saudi invoices; CLDR has it for the Seychelles"),
    Symbol("QR Q.R", "QAR", "", "Qatari invoices"),
    Symbol("Dh Dh. DH", "AED MAD", "", "dirhams of two countries"),
    Symbol("Dhs Dhs. DHS", "AED", "", "the plural of the Emirates"),
    Symbol("درهم", "", "AED", "the dirham of the Emirates; the Moroccan one is named with its country"),
    Symbol("LE L.E L.E.", "EGP", "", "livre égyptienne on Egyptian invoices"),
    Symbol("GBX", "GBP", "", "pence in the prices of the London exchange", power=-2),
    Symbol("ZAc ZAX", "ZAR", "", "cents in the prices of the Johannesburg exchange", power=-2),
    Symbol("stg", "GBP", "", "sterling in Irish and British bookkeeping"),
    Symbol("₤", "GBP ITL TRY", "", "the lira sign, also written for the pound"),
    Symbol("zl złotych zlotych", "PLN", "", "złoty on a keyboard without ł"),
    Symbol("E£", "EGP", "", "Egypt, in CLDR's narrow form"),
    Symbol("L£", "LBP", "", "Lebanon, in CLDR's narrow form"),
    Symbol("فرانک_CFA", "XAF XOF", "", "in Persian both CFA francs begin so"),
    Symbol("FR", _FRANCS, "", "francs in capitals"),
    Symbol("ZK", "ZMW", "", "the kwacha with its country"),
    Symbol("Vt", "VUV", "", "the vatu, in CLDR in capitals"),
    Symbol("MT", "MZN", "", "the metical as its bank writes it"),
    Symbol("сом.", "KGS TJS", "", "som and somoni are shortened alike"),
    Symbol("⃀ с", "KGS", "", "the som's new sign and its old letter"),
    Symbol("߿ ߾", "GNF", "", "the franc in N'Ko"),
    Symbol("रू", "NPR", "", "the Nepalese rupee shortened"),
    Symbol("اورو", "EUR", "", "a common Arabic spelling of the euro"),
    Symbol("Lt", "LTL", "", "litas on invoices kept from before 2015"),
    Symbol("lei leu", "", "RON", "the Romanian leu; the Moldovan one is named with its country"),
    Symbol("roni", "RON", "", "spoken Romanian plural of the code"),
    Symbol("Shs Sh Sh.", "KES TZS UGX", "", "shillings of three countries"),
    Symbol("/=", f"KES TZS UGX {_RUPEES}", "", "no cents, behind shillings and rupees"),
    Symbol("KSh KShs Kshs", "KES", "", "Kenyan invoices"),
    Symbol("Tshs TZS/=", "TZS", "", "Tanzanian invoices"),
    Symbol("Ushs", "UGX", "", "Ugandan invoices"),
    Symbol("тг тг. төг", "KZT MNT", "", "tenge and tögrög are shortened alike"),
    Symbol("RMB rmb 人民币 人民幣 人民元", "CNY", "", "renminbi, the other name of the yuan"),
    Symbol("元", "CNY HKD TWD", "CNY", "the Chinese unit; other yuan are named with their country"),
    Symbol("块 塊 圆 圓", "CNY HKD TWD", "CNY", "spoken and formal Chinese for 元"),
    Symbol("日元 日圆 円 日本円", "JPY", "", "the yen in Chinese and Japanese"),
    Symbol("엔 위안", "", "", "Korean names that CLDR only has with their country"),
    Symbol("港币 港幣 港元", "HKD", "", "Hong Kong dollar in Chinese"),
    Symbol("台币 台幣 新台币 台湾ドル", "TWD", "", "Taiwan dollar in Chinese and Japanese"),
    Symbol("ドル", _DOLLARS, "USD", "the Japanese word for dollar, like the sign", assumed=True),
    Symbol('ש"ח שח', "ILS", "", "the Hebrew abbreviation with and without its mark"),
    Symbol('אש"ח אשח', "ILS", "", "a thousand shekels in one word", power=3),
    Symbol('מש"ח משח', "ILS", "", "a million shekels in one word", power=6),
    Symbol("\u200b", "CVE", "", "CLDR's sign of the Cape Verdean escudo, which stands for the decimal comma as `$`"),
    Symbol("ரூ", "INR LKR", "", "the Tamil rupee shortened"),
    Symbol("שקל שקלים", "ILS", "", "the Hebrew unit without `new`"),
    Symbol("บาท", "THB", "", "CLDR has the Thai baht only with its country"),
    Symbol("đ VNĐ", "VND", "", "usual Vietnamese abbreviations"),
    Symbol("đô", _DOLLARS, "USD", "đô la, the Vietnamese dollar, like the sign", assumed=True),
    Symbol("Tk Tk. TK Tk/-", "BDT", "", "the taka on Bangladeshi invoices"),
    Symbol("FCFA", "XAF XOF", "", "CLDR has it for Central Africa, invoices of both unions write it"),
    Symbol("F_CFA", "XAF XOF", "XOF", "CLDR has it for West Africa, invoices of both unions write it", assumed=True),
    Symbol("ლ", "GEL", "", "the lari's letter"),
    Symbol("₵", "GHS", "", "the cedi sign without its country"),
    Symbol("franc francs franco francos franke franken frank", _FRANCS, "", "the contract: francs of ten currencies"),
    Symbol("dinar dinars dinara", _DINARS, "", "the contract: dinars of eight countries"),
    Symbol("динар динара", _DINARS, "RSD", "the Serbian dinar; the others are named with their country"),
    Symbol("peso pesos", "ARS CLP COP CUP DOP MXN PHP UYU", "", "the contract: pesos of eight countries"),
    Symbol("rial riyal riyals rials", "IRR OMR QAR SAR YER", "", "rials of five countries"),
)

QUALIFIERS = (
    Qualifier("americain americains amerikanische amerikanischer", "USD", "CLDR has only `États-Unis` and `US`"),
    Qualifier("sterling", "GBP", "pound sterling, in every language that took the word"),
    Qualifier("استرليني استرلينى إسترلينى", "GBP", "pound sterling in everyday Arabic spelling"),
    Qualifier("امريكي امريكى أمريكى", "USD", "American in everyday Arabic spelling"),
    Qualifier("اماراتي اماراتى إماراتى", "AED", "of the Emirates in everyday Arabic spelling"),
    Qualifier("اردني اردنى أردنى", "JOD", "Jordanian in everyday Arabic spelling"),
    Qualifier("استرالي أسترالى", "AUD", "Australian in everyday Arabic spelling"),
    Qualifier("hk", "HKD", "HK-Dollar, as HK$"),
    Qualifier("nz", "NZD", "NZ-Dollar, as NZ$"),
    Qualifier("ca", "CAD", "CA-Dollar, as CA$"),
    Qualifier("us", "USD", "US-Dollar, as US$; CLDR names other currencies behind the word too"),
)

# Units of account that are no currency of ISO 4217: the number is an amount, its currency has no code.
UNITS_WITHOUT_CODE = "تومان toman ₿ BTC bucks buck quid бакс бакса баксов"

MINOR_UNITS = (
    Minor("cent cents ct cts ¢ centavo centavos centimo centimos centime centimes", "", 2, True, "hundredths anywhere"),
    Minor("centesimo centesimi centim centims centa centi centu sent sents senttia snt", "", 2, True, "hundredths"),
    Minor("цент цента центов центи центы цента сент সেন্ট सेंट سنت 센트 セント cent.", "", 2, True, "hundredths"),
    Minor("сентів центів λεπτα λεπτο ცენტი ceint ceinteanna", "", 2, True, "hundredths"),
    Minor("eurocent eurocents eurocenten", "EUR", 2, True, "in one word"),
    Minor("c ц", "", 2, False, "too short to be trusted alone"),
    Minor("pence penny pennies პენსი пенс пенсов", "GBP FKP GIP SHP", 2, True, "hundredths of a pound"),
    Minor("p", "GBP", 2, False, "pence, too short to be trusted alone"),
    Minor("ore øre öre", "DKK NOK SEK", 2, True, "hundredths of a crown"),
    Minor("aurar eyrir", "ISK", 2, True, "hundredths of the Icelandic crown, no longer coined"),
    Minor("rappen rap rp rp.", "CHF", 2, False, "hundredths of the Swiss franc; Rp is also the rupiah"),
    Minor("grosz grosze groszy gr gr.", "PLN", 2, False, "hundredths of the złoty; gr is also gram"),
    Minor("haler haleru halere halier haleř", "CZK", 2, True, "hundredths of the Czech crown"),
    Minor("kurus krs", "TRY", 2, True, "hundredths of the Turkish lira"),
    Minor(
        "коп коп. копеика копеики копеек kop kopecks kopeks",
        "RUB BYN UAH",
        2,
        True,
        "hundredths of the rouble and, shortened, of the hryvnia",
    ),
    Minor("копіика копіики копіиок", "UAH", 2, True, "hundredths of the hryvnia"),
    Minor("paisa paise पैसे पैसा پیسے পয়সা", "INR NPR PKR BDT", 2, True, "hundredths of a rupee or taka"),
    Minor("sen", "MYR IDR BND JPY KHR", 2, False, "hundredths of several currencies"),
    Minor("lipa lipe", "HRK", 2, True, "hundredths of the kuna"),
    Minor("стотинка стотинки ст ст.", "BGN", 2, False, "hundredths of the lev"),
    Minor("ban bani", "RON MDL", 2, True, "hundredths of the leu"),
    Minor("satang สตางค์", "THB", 2, True, "hundredths of the baht"),
    Minor("filler fillér", "HUF", 2, True, "hundredths of the forint"),
    Minor("fen 分", "CNY TWD HKD", 2, False, "hundredths of the yuan; 分 is also a minute"),
    Minor("jiao 角 毛 마오", "CNY TWD HKD", 1, False, "tenths of the yuan"),
    Minor("銭 钱 日本銭 日本钱", "JPY", 2, False, "hundredths of the yen, in rates"),
    Minor("전", "KRW", 2, False, "hundredths of the won, in rates"),
    Minor("agora agorot אגורה אגורות", "ILS", 2, True, "hundredths of the shekel"),
    Minor("tetri თეთრი", "GEL", 2, True, "hundredths of the lari"),
    Minor("tiyn тиын", "KZT KGS", 2, True, "hundredths of the tenge"),
    Minor("piastre piastres قرش قروش", "EGP LBP SYP", 2, True, "hundredths of the Arab pounds"),
    Minor("halala halalas هللة", "SAR", 2, True, "hundredths of the Saudi riyal"),
    Minor("fils فلس", "BHD IQD JOD KWD", 3, True, "thousandths of the dinar"),
    Minor("millime millimes مليم", "TND", 3, True, "thousandths of the Tunisian dinar"),
    Minor("baisa بيسة", "OMR", 3, True, "thousandths of the Omani rial"),
)

MAGNITUDES = (
    Magnitude("k K к К", 3, False, "the contract; the Cyrillic letter looks the same"),
    Magnitude("grand", 3, False, "spoken English for a thousand"),
    Magnitude("mn mln mio Mio MIO Mio.", 6, False, "the contract"),
    Magnitude("m", 6, False, "the contract"),
    Magnitude("mm", 6, True, "MM in small letters"),
    Magnitude("bil", 9, True, "billion, shortened"),
    Magnitude("tn Tn trn", 12, True, "trillion, shortened"),
    Magnitude("mia Mia mia. Mia.", 9, False, "Milliarde in Danish and Swiss reports"),
    Magnitude("Md Mds md mds", 9, False, "milliards in French reports; CLDR lacks the plural"),
    Magnitude("M", 6, True, "the contract: usually a million, in some languages a thousand million"),
    Magnitude("MM", 6, True, "thousand thousands in US finance"),
    Magnitude("bn Bn BN", 9, False, "the contract"),
    Magnitude("B", 9, True, "the contract: usually a thousand million"),
    Magnitude("billion", 9, True, "the contract: a million millions in long-scale languages"),
    Magnitude("T trillion", 12, True, "like billion, one step up"),
    Magnitude("mrd Mrd MRD Mrd. mld Mld", 9, False, "the contract"),
    Magnitude("thousand tausend Tsd Tsd. TSD", 3, False, "written out or shortened on German and English papers"),
    Magnitude("lakh lakhs lac lacs", 5, False, "the contract; CLDR lacks the plurals"),
    Magnitude("crore crores", 7, False, "the contract; CLDR lacks the plural"),
    Magnitude("मिलियन ملین", 6, False, "English loan words of the Indian business press"),
    Magnitude("बिलियन", 9, False, "English loan word of the Indian business press"),
    Magnitude("億 亿 억", 8, False, "the contract"),
    Magnitude("万 萬 만", 4, False, "the contract"),
)

# A letter before a code: `MEUR` is a million euros, `TEUR` (Tausend) and `KEUR` a thousand.
CODE_PREFIXES = {"M": 6, "m": 6, "k": 3, "K": 3, "T": 3, "t": 3}
# Behind a code, as in the business press: `USDm`, `EURbn`.
CODE_SUFFIXES = {"k": 3, "m": 6, "mn": 6, "mln": 6, "bn": 9}
# Codes that a letter stands before in capitals too. With others it makes words: `MWST`, `MALL`, `KRON`, `TZAR`.
SCALED_CODES = _words(
    "EUR USD GBP CHF SEK NOK DKK ISK PLN CZK HUF JPY CNY INR AUD CAD NZD SGD HKD BRL MXN RUB UAH KRW DEM"
)

# `Billion` of the long scale is a million millions; these forms are only written there.
LONG_SCALE_BILLIONS = "billionen billon billones billions billioner"

# Words of the languages in which `billion` is of the long scale, where it is not spelled so that it shows.
LONG_SCALE_LANGUAGES = _words(
    "der die das und von mit für auf ein eine le la les des du un une et est pour dans el los las por para con una"
    " wurde wurden wird werden ist sind hat haben hatte zu zum zur im aus bei nach nicht auch als wie dem den über"
    " unter gegen ohne einer eines einem einen gezahlt bezahlt überwiesen kostet kosten betrag summe rechnung rund"
    " au aux sur avec qui cette sont ont été payé montant coûte environ og er af på til det som ble blev betalt kostar"
)

# East Asian numerals count in ten thousands: `7억 3천 20만`.
EAST_ASIAN_UNITS = {
    **dict.fromkeys("十拾십", 1),
    **dict.fromkeys("百佰백", 2),
    **dict.fromkeys("千仟천", 3),
    **dict.fromkeys("万萬만", 4),
    **dict.fromkeys("億亿억", 8),
    **dict.fromkeys("兆조", 12),
}

# Small numbers in words, before a unit (`to kroner 75 øre`) or as its cents (`6 GBP and two`).
NUMBER_WORDS = {
    "one ein un uno um en één один jeden jedan edan": 1,
    "two zwei deux dos due dois duas två to twee два две dwa dva dvije dve doi două hai dhá": 2,
    "three drei trois tres tre três drie три trzy tri trei ba trí": 3,
    "four vier quatre cuatro quattro quatro fyra fire четыре cztery četiri patru bốn": 4,
    "five fünf cinq cinco cinque fem vijf пять pięć pet cinci năm": 5,
    "six sechs seis sei sex seks zes шесть sześć šest șase sáu": 6,
    "seven sieben sept siete sette sete sju syv zeven семь siedem sedam șapte bảy": 7,
    "eight acht huit ocho otto oito åtta åtte otte восемь osiem osam opt tám": 8,
    "nine neun neuf nueve nove nio ni negen девять dziewięć devet nouă chín": 9,
    "ten zehn dix diez dieci dez tio ti tien десять dziesięć deset zece mười": 10,
    "eleven elf onze once undici elva elleve одиннадцать": 11,
    "twelve zwölf douze doce dodici doze tolv twaalf двенадцать": 12,
    "fourteen vierzehn quatorze catorce": 14,
    "fifteen fünfzehn quinze quince quindici femton femten vijftien пятнадцать": 15,
    "twenty zwanzig vingt veinte venti vinte tjugo tjue tyve twintig двадцать dwadzieścia dvadeset": 20,
}

ROLES = (
    Role("of", "de d di del da do du of von van av af des dei", "joins a magnitude or number to its currency"),
    Role("and", "and con com cu with amb plus & と y e i a u", "joins units to minor units; CLDR has the others"),
    Role("range", "to bis a à al au hasta até fino tot do till til through до до: ~ 〜 ～ -", "between two numbers"),
    Role("between", "between zwischen entre tra fra tussen mellan mellem mellom między mezi между arasında", "a range"),
    Role("times", "x × * @ х ✕ ⨯", "a calculation, not an amount"),
    Role("percent", "% ‰ percent prozent procent procento pourcent pct процент процентов", "a rate, not an amount"),
    Role("free", "free gratis kostenlos gratuit gratuito", "alone, it is the amount zero"),
    Role("billion", "billion", "read with care: see LONG_SCALE_LANGUAGES"),
    Role(
        "minus",
        "minus negative less moins negatif negativ negativo menos meno miinus minusz eksi menys μείον мінус минус 負"
        " 负 マイナス 마이너스 سالب ناقص ऋण माइनस বিয়োগ",
        "the amount may be negative, or something is taken from it",
    ),
    Role("fraction", "½ ¼ ¾ ⅓ ⅔ ⅛ ⅜ ⅝ ⅞", "a fraction, not a decimal amount"),
    Role("credit", "CR", "the contract; in capitals"),
    Role("debit", "DR", "the contract; in capitals"),
    Role("crore_or_credit", "Cr Cr. cr", "crore beside rupees; credit on statements; else uncertain"),
    Role(
        "reference",
        "invoice inv inv. rechnung rechnungsnummer re-nr facture factura fatura fattura faktura no no. nr nr. n° nº # №"
        " number nummer numéro numero número order bestellung commande pedido ordine po ref ref. reference referenz"
        " iban bic account konto kto tel tel. phone telefon fax mobile room zimmer page seite art. artikel item sku id"
        " uid ust-id vat-id customer kunde kundennummer client cliente contract vertrag ticket case po-nr qty menge"
        " счет счёт номер 号 번호 請求書",
        "the number after it names a thing and is no amount",
    ),
    Role(
        "amount",
        "price prices total totals subtotal sum amount cost costs fee about approx from only pay paid due balance preis"
        " gesamt summe betrag kosten ab nur etwa prix montant somme precio importe suma total: prezzo importo totale"
        " preço valor soma prijs bedrag totaal pris belopp summa beløb cena kwota suma razem cenu ár összeg preț τιμή"
        " цена сумма итого ціна fiyat tutar toplam harga 価格 合計 金額 价格 总计 가격 السعر المبلغ कीमत राशि",
        "the number after it is an amount although no currency is named",
    ),
    Role(
        "quantity",
        "pc pcs pce ea each stk stück st qty pax szt ks db pz ud uds nos stck pkg unit"
        " шт шт. штук ед ед. 個 个 件 本 枚 台 人 名 개 명 대 자루 ชิ้น °",
        "counts",
    ),
)
