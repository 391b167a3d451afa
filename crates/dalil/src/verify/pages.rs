//! Whether the pages of a PDF say what its attachments do: pressed again, and compared.

use dalil_core::report::Report;
#[cfg(feature = "pdf")]
use dalil_core::report::Verdict;
use dalil_core::say;

use crate::reader::Attached;

/// Presses the attachments again, if this program can, and compares every byte.
#[cfg(feature = "pdf")]
pub(super) fn check(bytes: &[u8], found: &Attached, report: &mut Report) {
    use dalil_core::fault::quote;
    use dalil_press::pdf::PRESS;

    // Nobody needs the pages of evidence that does not hold.
    if report.verdict() == Verdict::Fail {
        let message = say!(
            "not compared, as what is attached does not hold",
            "لم تُقارن، لأن المرفق غير صحيح",
        );
        return report.incomplete(PART, message);
    }
    match pressed(found) {
        Ok(again) if again == bytes => {
            let message = say!(
                "pressed again from the attachments: the same bytes",
                "طُبعت ثانية من المرفقات: البايتات نفسها",
            );
            report.pass(PART, message);
        }
        Ok(_) if found.creator != PRESS => {
            let press = quote(&found.creator);
            let message = say!(
                "made by {press}, and this is `{PRESS}`, whose pages may differ",
                "طبعها {press}، وهذا `{PRESS}`، وقد تختلف صفحاته",
            );
            report.incomplete(PART, message);
        }
        Ok(_) => {
            let message = say!(
                "expected the pages that the attachments give, found others",
                "المتوقع الصفحات التي تعطيها المرفقات، والموجود غيرها",
            );
            report.fail(PART, message);
        }
        Err(message) => report.fail(PART, message),
    }
}

/// The PDF that the attachments give.
#[cfg(feature = "pdf")]
fn pressed(found: &Attached) -> Result<Vec<u8>, dalil_core::report::Message> {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use dalil_core::ledger::Ledger;
    use dalil_core::ledger::request::Language;
    use dalil_press::pdf::{self, HISTORY, LEDGER, PACK, PackSheet};

    let refused = || {
        say!(
            "expected `{PACK}` and `{HISTORY}`, or `{LEDGER}`, that can be pressed, found others",
            "المتوقع `{PACK}` و`{HISTORY}`، أو `{LEDGER}`، مما يمكن طبعه، والموجود غير ذلك",
        )
    };
    let named = |name: &str| {
        let mut all = found.files.iter().filter(|file| file.name == name);
        all.next().filter(|_| all.next().is_none()).map(|file| file.bytes.as_slice())
    };
    let language = Language::WORDS.into_iter().find(|(word, _)| *word == found.language);
    let language = language.map_or(Language::English, |(_, language)| language);
    // The typesetter is somebody else's; one that panics has pressed nothing, and that is all.
    let pressed = match (named(PACK), named(HISTORY), named(LEDGER)) {
        (Some(pack), Some(history), None) => {
            let sheet = PackSheet::read(pack, history).map_err(|_| refused())?;
            catch_unwind(AssertUnwindSafe(|| pdf::pack(&sheet, language)))
        }
        (None, None, Some(ledger)) => {
            let ledger = Ledger::parse(ledger).map_err(|_| refused())?;
            catch_unwind(AssertUnwindSafe(|| pdf::ledger(&ledger, language)))
        }
        _ => return Err(refused()),
    };
    pressed.map_err(|_| refused())?.map_err(|_| refused())
}

/// Says that this program was built without a press.
#[cfg(not(feature = "pdf"))]
pub(super) fn check(_: &[u8], _: &Attached, report: &mut Report) {
    let message = say!(
        "this program was built without a press, so the pages were not compared with the pack",
        "بُني هذا البرنامج بلا مطبعة، فلم تُقارن الصفحات بالحزمة",
    );
    report.incomplete(PART, message);
}

const PART: &str = "pages";
