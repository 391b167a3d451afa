//! How a fault is put together.

use crate::phrase::phrases;

phrases! {
    expected_found(expected, found)
        en "expected {expected}, found {found}"
        ar "المتوقع {expected}، والموجود {found}"
    at(path, message)
        en "`{path}`: {message}"
        ar "`{path}`: {message}"
    at_with_hint(path, message, hint)
        en "`{path}`: {message}\nhint: {hint}"
        ar "`{path}`: {message}\nإرشاد: {hint}"
}
