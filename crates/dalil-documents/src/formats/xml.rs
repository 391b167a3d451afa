//! XML as a stream of nodes: local names, decoded text, no document types, no entities of its own.

use std::borrow::Cow;

use dalil_phrasebook::{Phrase, document_note};
use quick_xml::events::{BytesEnd, BytesStart, Event};
use quick_xml::name::PrefixDeclaration;
use quick_xml::{Reader, XmlVersion};

/// One step of a document.
#[derive(Debug)]
pub(super) enum XmlNode<'x> {
    Open(XmlStartTag<'x>),
    Close(XmlEndTag<'x>),
    Text(Cow<'x, str>),
}

/// The start of an element.
#[derive(Debug)]
pub(super) struct XmlStartTag<'x>(BytesStart<'x>);

/// The end of an element.
#[derive(Debug)]
pub(super) struct XmlEndTag<'x>(BytesEnd<'x>);

impl XmlStartTag<'_> {
    /// Its name without the prefix.
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// The value of an attribute, whatever its prefix.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        // The check compares every name with all before it; here the first one counts.
        attributes.with_checks(false);
        let found = attributes.flatten().find(|one| one.key.local_name().into_inner() == name)?;
        found.normalized_value(XmlVersion::Implicit1_0).ok().map(Cow::into_owned)
    }

    /// The value of an attribute; empty where it is absent.
    pub(super) fn value(&self, name: &str) -> String {
        self.get(name).into_iter().collect()
    }

    /// The prefixes that it declares, each with its namespace.
    pub(super) fn namespaces(&self) -> Vec<(String, String)> {
        let mut attributes = self.0.attributes();
        attributes.with_checks(false);
        let declared =
            attributes.flatten().filter_map(|one| match one.key.as_namespace_binding()? {
                PrefixDeclaration::Named(prefix) => {
                    let address = one.normalized_value(XmlVersion::Implicit1_0).ok()?;
                    Some((prefix.to_owned(), address.into_owned()))
                }
                PrefixDeclaration::Default => None,
            });
        declared.collect()
    }

    /// A number that an attribute holds.
    pub(super) fn number(&self, name: &str) -> Option<u32> {
        self.get(name)?.parse().ok()
    }

    /// Whether a property is on: it is, unless its value turns it off.
    pub(super) fn is_on(&self) -> bool {
        !self.get("val").is_some_and(|value| matches!(value.as_str(), "0" | "false" | "off"))
    }
}

impl XmlEndTag<'_> {
    pub(super) fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }
}

/// The nodes of a document, to its end or to where it is broken.
pub(super) struct XmlNodes<'x> {
    reader: Reader<&'x [u8]>,
    /// The error that stopped it before the end.
    pub(super) broken: Option<Phrase>,
}

impl<'x> XmlNodes<'x> {
    pub(super) fn of(text: &'x str) -> Self {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        // `<w:del/>` comes as a start and an end, so that callers can count open elements.
        config.expand_empty_elements = true;
        // A lone `&` is read as text: it is no reason to lose the rest of the file.
        config.allow_dangling_amp = true;
        Self { reader, broken: None }
    }

    fn stop(&mut self, why: &str) -> Option<XmlNode<'x>> {
        let at = self.reader.buffer_position();
        self.broken = Some(document_note::markup_broken(why, at));
        None
    }
}

impl<'x> Iterator for XmlNodes<'x> {
    type Item = XmlNode<'x>;

    fn next(&mut self) -> Option<XmlNode<'x>> {
        while self.broken.is_none() {
            match self.reader.read_event() {
                Ok(Event::Start(tag) | Event::Empty(tag)) => {
                    return Some(XmlNode::Open(XmlStartTag(tag)));
                }
                Ok(Event::End(end)) => return Some(XmlNode::Close(XmlEndTag(end))),
                Ok(Event::Text(text)) => return Some(XmlNode::Text(text.xml10_content())),
                Ok(Event::CData(text)) => return Some(XmlNode::Text(text.xml10_content())),
                Ok(Event::GeneralRef(name)) => return Some(XmlNode::Text(named(&name))),
                // OPC (ECMA-376-2) forbids document types. Without them there are no entities
                // that expand without end or that name a file.
                Ok(Event::DocType(_)) => return self.stop("a document type"),
                Ok(Event::Comment(_) | Event::Decl(_) | Event::PI(_)) => {}
                Ok(Event::Eof) => return None,
                Err(_) => return self.stop("a fault"),
            }
        }
        None
    }
}

fn named<'x>(name: &quick_xml::events::BytesRef<'_>) -> Cow<'x, str> {
    if let Ok(Some(ch)) = name.resolve_char_ref() {
        return ch.to_string().into();
    }
    let plain: &str = name;
    match plain {
        "amp" => "&".into(),
        "lt" => "<".into(),
        "gt" => ">".into(),
        "quot" => "\"".into(),
        "apos" => "'".into(),
        // Without a document type no other name is defined; it stays as it is written.
        other => format!("&{other};").into(),
    }
}
