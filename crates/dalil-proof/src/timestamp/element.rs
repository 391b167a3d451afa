//! DER, element by element: every value that this reads is a slice of the input.

use der::{AnyRef, Reader as _, SliceReader, Tag, TagNumber};

/// One element: its tag, its content, and all of its bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct DerElement<'d> {
    pub(super) tag: Tag,
    pub(super) value: &'d [u8],
    pub(super) whole: &'d [u8],
}

impl<'d> DerElement<'d> {
    /// The one element that bytes are.
    pub(super) fn only(bytes: &'d [u8]) -> Option<Self> {
        let mut elements = DerElements::of(bytes)?;
        let element = elements.next()?;
        elements.end()?;
        Some(element)
    }

    /// The content of a constructed element whose tag was compared.
    pub(super) fn elements(self) -> Option<DerElements<'d>> {
        DerElements::of(self.value)
    }

    /// The content of a SEQUENCE.
    pub(super) fn sequence(self) -> Option<DerElements<'d>> {
        if self.tag == Tag::Sequence { self.elements() } else { None }
    }

    /// The bytes of an INTEGER that is not negative, without the zero before a first bit that is
    /// set. Any other zero would be a second spelling of the number.
    pub(super) fn natural(self) -> Option<&'d [u8]> {
        match self.value {
            [0, rest @ ..] if rest.first().is_none_or(|first| *first >= 0x80) => Some(rest),
            [1..=0x7F, ..] => Some(self.value),
            _ => None,
        }
    }

    /// A BOOLEAN. DER has one spelling of `true`; another one is not taken for `false`.
    pub(super) fn truth(self) -> Option<bool> {
        match self.value {
            [0xFF] => Some(true),
            [0] => Some(false),
            _ => None,
        }
    }

    /// The bytes of a bit string that ends with a byte.
    pub(super) fn bits(self) -> Option<&'d [u8]> {
        match self.value {
            [0, bytes @ ..] => Some(bytes),
            _ => None,
        }
    }
}

/// The elements in a value, in their order.
#[derive(Clone, Debug)]
pub(super) struct DerElements<'d>(Option<SliceReader<'d>>);

impl<'d> DerElements<'d> {
    /// The elements of which bytes consist.
    pub(super) fn of(bytes: &'d [u8]) -> Option<Self> {
        // The reader of the library takes no empty input.
        let reader = if bytes.is_empty() { None } else { Some(SliceReader::new(bytes).ok()?) };
        Some(Self(reader))
    }

    /// The next element, of any kind.
    pub(super) fn next(&mut self) -> Option<DerElement<'d>> {
        let whole = self.0.as_mut()?.tlv_bytes().ok()?;
        let any = AnyRef::try_from(whole).ok()?;
        Some(DerElement { tag: der::Tagged::tag(&any), value: any.value(), whole })
    }

    /// The next element, which must have this tag.
    pub(super) fn take(&mut self, tag: Tag) -> Option<DerElement<'d>> {
        self.next().filter(|element| element.tag == tag)
    }

    /// The next element if it has this tag; otherwise nothing is taken.
    pub(super) fn take_if(&mut self, tag: Tag) -> Option<DerElement<'d>> {
        let next = Tag::peek(self.0.as_ref().filter(|reader| !reader.is_finished())?).ok()?;
        if next == tag { self.next() } else { None }
    }

    /// Every element that is left; `None` if one is cut, or if there are more than `most`.
    pub(super) fn rest(mut self, most: usize) -> Option<Vec<DerElement<'d>>> {
        let mut rest = Vec::new();
        while !self.is_finished() {
            rest.push(self.next()?);
            if rest.len() > most {
                return None;
            }
        }
        Some(rest)
    }

    /// Returns `None` unless every element was read.
    pub(super) fn end(&self) -> Option<()> {
        self.is_finished().then_some(())
    }

    fn is_finished(&self) -> bool {
        self.0.as_ref().is_none_or(|reader| reader.is_finished())
    }
}

/// A field of a sequence with a number of its own, constructed.
pub(super) const fn field(number: u32) -> Tag {
    Tag::ContextSpecific { constructed: true, number: TagNumber(number) }
}

/// The same, primitive.
pub(super) const fn primitive_field(number: u32) -> Tag {
    Tag::ContextSpecific { constructed: false, number: TagNumber(number) }
}
