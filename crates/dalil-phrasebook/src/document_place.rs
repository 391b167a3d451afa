//! Where in a document something could not be read.

use crate::phrase::known_phrases;

known_phrases! {
    chunk(id)
        en "chunk {id}"
        ar "المقطع {id}"
    page(number)
        en "page {number}"
        ar "الصفحة {number}"
    part(number)
        en "part {number}"
        ar "الجزء {number}"
    row(number)
        en "row {number}"
        ar "الصف {number}"
    sheet(name)
        en "sheet {name}"
        ar "الورقة {name}"
}
