//! Units: the unit of a number, and the factor to the base unit of its kind.

use std::sync::LazyLock;

use super::number::MILLIONTHS_PER_ONE;
use super::word::{PhraseTable, WordTable, WordToken};

/// The measure of a quantity. Quantities of one measure can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum QuantityMeasure {
    /// Things, by the key of their noun; empty where the noun is not known.
    Count(String),
    Percent,
    Money(Currency),
    /// Seconds to weeks, in seconds.
    Time,
    /// Days on which work is done.
    WorkingDays,
    /// Months and years, in months: a month is no fixed number of days.
    Months,
    Length,
    Mass,
    Heat,
    Storage,
    Area,
    Volume,
    /// The place in a sequence, by the key of its noun.
    Ordinal(String),
    Date,
    /// Minutes since midnight.
    Clock,
    /// How often something is done, in times a year.
    Frequency,
}

impl QuantityMeasure {
    /// Whether it is a length of time.
    pub(super) fn is_duration(&self) -> bool {
        matches!(self, Self::Time | Self::WorkingDays | Self::Months)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Currency {
    Sar,
    Aed,
    Kwd,
    Bhd,
    Qar,
    Omr,
    Egp,
    Jod,
    Usd,
    Eur,
    Gbp,
    /// Another, by its ISO 4217 code.
    Code(&'static str),
    /// A riyal, of a country that is not named.
    Riyal,
    Dirham,
    Dinar,
    Pound,
    /// A figure of a table whose caption names its scale: the currency is stated elsewhere.
    Any,
}

impl Currency {
    /// Whether two names can mean one currency.
    pub(super) fn may_be(self, other: Self) -> bool {
        self == other
            || self.within(other)
            || other.within(self)
            || [self, other].contains(&Self::Any)
    }

    fn within(self, family: Self) -> bool {
        match family {
            Self::Riyal => matches!(self, Self::Sar | Self::Qar | Self::Omr),
            Self::Dirham => self == Self::Aed,
            Self::Dinar => matches!(
                self,
                Self::Kwd | Self::Bhd | Self::Jod | Self::Code("TND" | "DZD" | "IQD")
            ),
            Self::Pound => matches!(self, Self::Egp | Self::Gbp | Self::Code("LBP")),
            _ => false,
        }
    }
}

/// One unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MeasureUnit {
    pub(super) standard: StandardUnit,
    /// How many of the standard unit, in millionths.
    pub(super) factor: i128,
    /// 2 for an Arabic dual, which needs no number; 1 for the singular, which may stand for one.
    pub(super) implied: u8,
}

/// The standard unit of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StandardUnit {
    Second,
    Day,
    WorkingDay,
    Month,
    Percent,
    Metre,
    Gram,
    Celsius,
    Fahrenheit,
    Byte,
    SquareMetre,
    Litre,
    Money(Currency),
}

impl StandardUnit {
    /// Whether it measures time.
    pub(super) fn is_time(self) -> bool {
        matches!(self, Self::Second | Self::Day | Self::WorkingDay | Self::Month)
    }

    pub(super) fn measure(self) -> QuantityMeasure {
        match self {
            Self::Second | Self::Day => QuantityMeasure::Time,
            Self::WorkingDay => QuantityMeasure::WorkingDays,
            Self::Month => QuantityMeasure::Months,
            Self::Percent => QuantityMeasure::Percent,
            Self::Metre => QuantityMeasure::Length,
            Self::Gram => QuantityMeasure::Mass,
            Self::Celsius | Self::Fahrenheit => QuantityMeasure::Heat,
            Self::Byte => QuantityMeasure::Storage,
            Self::SquareMetre => QuantityMeasure::Area,
            Self::Litre => QuantityMeasure::Volume,
            Self::Money(currency) => QuantityMeasure::Money(currency),
        }
    }
}

impl MeasureUnit {
    /// `value` of this unit, in millionths of the standard unit.
    pub(super) fn amount(self, value: i128) -> i128 {
        match self.standard {
            // Its zero is another one, so a factor is not enough.
            StandardUnit::Fahrenheit => (value - 32 * MILLIONTHS_PER_ONE) * 5 / 9,
            _ => value.saturating_mul(self.factor) / MILLIONTHS_PER_ONE,
        }
    }
}

/// The unit that begins at a word, and how many words it takes.
pub(super) fn unit(words: &[WordToken], at: usize) -> Option<(MeasureUnit, usize)> {
    // The longer name first: `ريال سعودي` is one currency, `ريال` alone may be several.
    if let Some((length, unit)) = MULTI_WORD_UNITS.at(words, at) {
        return Some((unit, length));
    }
    let word = words.get(at)?;
    let unit = if word.letters() { ONE_WORD_UNITS.find(&word.form)? } else { sign(&word.form)? };
    Some((unit, 1))
}

/// The sign of a currency or of percent.
fn sign(form: &str) -> Option<MeasureUnit> {
    let standard = match form {
        "%" | "٪" => StandardUnit::Percent,
        "$" => StandardUnit::Money(Currency::Usd),
        "€" => StandardUnit::Money(Currency::Eur),
        "£" => StandardUnit::Money(Currency::Gbp),
        _ => return None,
    };
    Some(MeasureUnit { standard, factor: MILLIONTHS_PER_ONE, implied: 0 })
}

const fn one(standard: StandardUnit, factor: i128) -> MeasureUnit {
    MeasureUnit { standard, factor: factor * MILLIONTHS_PER_ONE, implied: 1 }
}

const fn many(standard: StandardUnit, factor: i128) -> MeasureUnit {
    MeasureUnit { standard, factor: factor * MILLIONTHS_PER_ONE, implied: 0 }
}

const fn dual(standard: StandardUnit, factor: i128) -> MeasureUnit {
    MeasureUnit { standard, factor: factor * MILLIONTHS_PER_ONE, implied: 2 }
}

const fn part(standard: StandardUnit, millionths: i128) -> MeasureUnit {
    MeasureUnit { standard, factor: millionths, implied: 0 }
}

const fn money(currency: Currency) -> MeasureUnit {
    many(StandardUnit::Money(currency), 1)
}

const SECONDS_PER_DAY: i128 = 86_400;

static ONE_WORD_UNITS: LazyLock<WordTable<MeasureUnit>> = LazyLock::new(|| {
    use Currency::{
        Aed, Bhd, Code, Dinar, Dirham, Egp, Eur, Gbp, Jod, Kwd, Omr, Pound, Qar, Riyal, Sar, Usd,
    };
    use StandardUnit::{
        Byte, Celsius, Day, Fahrenheit, Gram, Litre, Metre, Month, Percent, Second, SquareMetre,
    };
    WordTable::of(&[
        ("seconds secs ثواني ثوان ثانيه", many(Second, 1)),
        ("minute دقيقه", one(Second, 60)),
        ("minutes mins min دقائق", many(Second, 60)),
        ("دقيقتان دقيقتين", dual(Second, 60)),
        ("hour ساعة", one(Second, 3_600)),
        ("hours hrs ساعات", many(Second, 3_600)),
        ("ساعتان ساعتين", dual(Second, 3_600)),
        ("day يوم", one(Day, SECONDS_PER_DAY)),
        ("days يوما أيام اياما", many(Day, SECONDS_PER_DAY)),
        ("يومان يومين", dual(Day, SECONDS_PER_DAY)),
        ("week أسبوع", one(Day, 7 * SECONDS_PER_DAY)),
        ("weeks أسبوعا أسابيع", many(Day, 7 * SECONDS_PER_DAY)),
        ("أسبوعان أسبوعين fortnight", dual(Day, 7 * SECONDS_PER_DAY)),
        ("month شهر", one(Month, 1)),
        ("months شهرا أشهر شهور", many(Month, 1)),
        ("شهران شهرين", dual(Month, 1)),
        ("quarter", one(Month, 3)),
        ("quarters", many(Month, 3)),
        ("year سنة عام", one(Month, 12)),
        ("years yrs عاما أعوام سنوات سنين", many(Month, 12)),
        ("سنتان سنتين عامان عامين", dual(Month, 12)),
        ("decade عقد", many(Month, 120)),
        ("decades عقود", many(Month, 120)),
        ("percent percentage pct", many(Percent, 1)),
        ("bps", part(Percent, 10_000)),
        (
            "km kilometre kilometres kilometer kilometers كيلومتر كيلومترا كيلومترات كم",
            many(Metre, 1_000),
        ),
        ("m metre metres meter meters متر مترا أمتار", many(Metre, 1)),
        ("cm centimetre centimetres centimeters سنتيمتر سنتيمترا سم", part(Metre, 10_000)),
        ("mm millimetre millimetres millimeters مليمتر مليمترا ملم", part(Metre, 1_000)),
        ("mile miles ميل ميلا أميال", part(Metre, 1_609_344_000)),
        ("ft foot feet قدم قدما أقدام", part(Metre, 304_800)),
        ("g gram grams غرام جرام غراما جراما", many(Gram, 1)),
        (
            "kg kgs kilogram kilograms كيلوغرام كيلوجرام كيلوغراما كيلوجراما كجم كغ",
            many(Gram, 1_000),
        ),
        ("tonne tonnes ton tons طن طنا أطنان", many(Gram, 1_000_000)),
        ("lb lbs", part(Gram, 453_592_370)),
        ("celsius مئوية", many(Celsius, 1)),
        ("fahrenheit فهرنهايت", many(Fahrenheit, 1)),
        ("kb كيلوبايت", many(Byte, 1_000)),
        ("mb megabyte megabytes ميغابايت ميجابايت", many(Byte, 1_000_000)),
        ("gb gigabyte gigabytes غيغابايت جيجابايت", many(Byte, 1_000_000_000)),
        ("tb terabyte terabytes تيرابايت", many(Byte, 1_000_000_000_000)),
        ("sqm m2", many(SquareMetre, 1)),
        ("hectare hectares هكتار هكتارا هكتارات", many(SquareMetre, 10_000)),
        ("litre litres liter liters لتر لترا لترات", many(Litre, 1)),
        ("barrel barrels برميل برميلا براميل", part(Litre, 158_987_295)),
        ("sar sr", money(Sar)),
        ("aed dhs", money(Aed)),
        ("kwd kd", money(Kwd)),
        ("bhd", money(Bhd)),
        ("qar", money(Qar)),
        ("omr", money(Omr)),
        ("egp", money(Egp)),
        ("jod", money(Jod)),
        ("usd dollar dollars دولار دولارا دولارات", money(Usd)),
        ("eur euro euros يورو", money(Eur)),
        ("gbp sterling", money(Gbp)),
        ("sek kronor", money(Code("SEK"))),
        ("nok", money(Code("NOK"))),
        ("dkk", money(Code("DKK"))),
        ("chf", money(Code("CHF"))),
        ("jpy yen", money(Code("JPY"))),
        ("cny rmb yuan renminbi", money(Code("CNY"))),
        ("inr", money(Code("INR"))),
        ("pkr", money(Code("PKR"))),
        ("aud", money(Code("AUD"))),
        ("nzd", money(Code("NZD"))),
        ("sgd", money(Code("SGD"))),
        ("hkd", money(Code("HKD"))),
        ("zar", money(Code("ZAR"))),
        ("pln zloty", money(Code("PLN"))),
        ("czk", money(Code("CZK"))),
        ("huf", money(Code("HUF"))),
        ("brl", money(Code("BRL"))),
        ("mxn", money(Code("MXN"))),
        ("krw", money(Code("KRW"))),
        ("myr", money(Code("MYR"))),
        ("thb", money(Code("THB"))),
        ("ngn naira", money(Code("NGN"))),
        ("kes", money(Code("KES"))),
        ("tnd", money(Code("TND"))),
        ("dzd", money(Code("DZD"))),
        ("iqd", money(Code("IQD"))),
        ("lbp", money(Code("LBP"))),
        ("riyal riyals rial rials ريال ريالا ريالات", money(Riyal)),
        ("dirham dirhams درهم درهما دراهم", money(Dirham)),
        ("dinar dinars دينار دينارا دنانير", money(Dinar)),
        ("pounds جنيه جنيها جنيهات", money(Pound)),
        ("ريالان ريالين", dual(StandardUnit::Money(Riyal), 1)),
        ("درهمان درهمين", dual(StandardUnit::Money(Dirham), 1)),
        ("ديناران دينارين", dual(StandardUnit::Money(Dinar), 1)),
        ("جنيهان جنيهين", dual(StandardUnit::Money(Pound), 1)),
        ("دولاران دولارين", dual(StandardUnit::Money(Usd), 1)),
    ])
});

static MULTI_WORD_UNITS: LazyLock<PhraseTable<MeasureUnit>> = LazyLock::new(|| {
    use Currency::{Aed, Bhd, Egp, Jod, Kwd, Omr, Qar, Sar, Usd};
    use StandardUnit::{Celsius, Day, Fahrenheit, Metre, Month, Percent, SquareMetre, WorkingDay};
    PhraseTable::of(&[
        ("working day|business day|يوم عمل", one(WorkingDay, 1)),
        (
            "working days|business days|paid working days|full working days|أيام عمل|يوم عمل|يوما عمل|يوما من أيام العمل|أيام من أيام العمل",
            many(WorkingDay, 1),
        ),
        ("يومي عمل", dual(WorkingDay, 1)),
        ("calendar day|يوم تقويمي", one(Day, SECONDS_PER_DAY)),
        (
            "calendar days|consecutive days|paid days|full days|يوما تقويميا|أيام تقويمية|يوما متصلا|أيام متصلة|يوما متتاليا|أيام متتالية|أيام كاملة",
            many(Day, SECONDS_PER_DAY),
        ),
        ("calendar month|شهر تقويمي|شهر ميلادي", one(Month, 1)),
        ("calendar months|full months|consecutive months|أشهر متتالية|أشهر كاملة", many(Month, 1)),
        ("calendar quarter|fiscal quarter|financial quarter|ربع سنوي", one(Month, 3)),
        ("calendar quarters|fiscal quarters|consecutive quarters|full quarters", many(Month, 3)),
        ("calendar year|سنة ميلادية|سنة مالية|financial year|fiscal year", one(Month, 12)),
        (
            "calendar years|consecutive years|full years|سنوات متتالية|سنوات كاملة|سنوات مالية",
            many(Month, 12),
        ),
        (
            "per cent|percentage points|percentage point|في المئة|في المائة|بالمئة|بالمائة",
            many(Percent, 1),
        ),
        ("basis points|basis point|نقطة أساس|نقاط أساس", part(Percent, 10_000)),
        (
            "square metres|square meters|square metre|square meter|sq m|متر مربع|مترا مربعا|أمتار مربعة",
            many(SquareMetre, 1),
        ),
        (
            "square kilometres|square kilometers|كيلومتر مربع|كيلومترا مربعا",
            many(SquareMetre, 1_000_000),
        ),
        ("nautical miles|nautical mile|ميل بحري|أميال بحرية|ميلا بحريا", many(Metre, 1_852)),
        ("degrees celsius|degrees c|درجة مئوية|درجات مئوية", many(Celsius, 1)),
        ("degrees fahrenheit|degrees f|درجة فهرنهايت", many(Fahrenheit, 1)),
        ("saudi riyals|saudi riyal|ريال سعودي|ريالا سعوديا|ريالات سعودية", money(Sar)),
        ("uae dirhams|uae dirham|درهم إماراتي|درهما إماراتيا|دراهم إماراتية", money(Aed)),
        ("kuwaiti dinars|kuwaiti dinar|دينار كويتي|دينارا كويتيا|دنانير كويتية", money(Kwd)),
        ("bahraini dinars|bahraini dinar|دينار بحريني|دينارا بحرينيا|دنانير بحرينية", money(Bhd)),
        ("jordanian dinars|jordanian dinar|دينار أردني|دينارا أردنيا|دنانير أردنية", money(Jod)),
        ("qatari riyals|qatari riyal|ريال قطري|ريالا قطريا|ريالات قطرية", money(Qar)),
        ("omani rials|omani rial|omani riyals|ريال عماني|ريالا عمانيا|ريالات عمانية", money(Omr)),
        ("egyptian pounds|egyptian pound|جنيه مصري|جنيها مصريا|جنيهات مصرية", money(Egp)),
        ("us dollars|us dollar|دولار أمريكي|دولارا أمريكيا|دولارات أمريكية", money(Usd)),
    ])
});
