//! What a reader sees of the text in each element of a page.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::tree::{ElementId, ElementNode, ElementTree};
use crate::document::hidden::HiddenText;
use crate::formats::css::{BoxKind, CoveredArea, ElementKind, StyleRules, TextFate, TextLook};

/// What a reader sees of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::formats) enum TextSight {
    Seen,
    Hidden(HiddenText),
    /// The element itself hides it.
    LeftOut,
    /// It is no text: a script.
    NoText,
}

impl TextSight {
    pub(super) const HIDDEN: Self = Self::Hidden(HiddenText::MarkedHidden);

    /// Why it is not seen.
    pub(in crate::formats) fn reason(self) -> Option<HiddenText> {
        match self {
            Self::Seen => None,
            Self::Hidden(reason) => Some(reason),
            Self::LeftOut | Self::NoText => Some(HiddenText::MarkedHidden),
        }
    }
}

/// What a reader sees of a page.
#[derive(Debug)]
pub(in crate::formats) struct PageSight {
    elements: Vec<TextSight>,
    /// How often the count of what is open may be lost before something that hides is lost.
    safe_losses: usize,
    /// Whether nothing in the body is seen, not even a picture.
    is_blank: bool,
}

/// An element, as what is in it needs it.
#[derive(Clone, Debug)]
struct SeenElement {
    look: Rc<TextLook>,
    /// The look of elements in it of which nothing is said.
    inside: Rc<TextLook>,
    /// What is not shown of it, but for one part.
    part: DisplayedPart,
    is_text: bool,
}

/// Elements of which one part is shown, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DisplayedPart {
    All,
    /// A closed section: only its summary, if it has one.
    Summary(Option<ElementId>),
    /// A list that opens: only what is chosen.
    Option(ElementId),
    /// A tree of elements stands in the place of what is in it.
    Shadow(ElementId),
    /// Only the first element in it.
    First,
}

impl PageSight {
    /// Looks at all elements of a page. One of which nothing at all is seen is shown by its script
    /// when that is ready, and then what hides the page as a whole hides nothing.
    pub(in crate::formats) fn of(tree: &ElementTree) -> Self {
        let rules = StyleRules::of(tree);
        let at_first = Self::by(tree, &rules, false);
        if tree.has_script && at_first.is_blank { Self::by(tree, &rules, true) } else { at_first }
    }

    fn by(tree: &ElementTree, rules: &StyleRules<'_>, is_revealed: bool) -> Self {
        let shadows = shadows(tree);
        let mut seen: Vec<SeenElement> = Vec::new();
        let mut covers: Vec<(ElementId, CoveredArea)> = Vec::new();
        for (id, node) in tree.all() {
            let around = node.parent.and_then(|parent| seen.get(parent.index()).cloned());
            let around = around.unwrap_or_else(SeenElement::page);
            let mut element = around.inner(tree, rules, (id, node));
            if is_revealed && [ElementId::ROOT, ElementId::BODY].contains(&id) {
                element.reveal();
            }
            if let Some(template) = shadows.get(&id) {
                element.part = DisplayedPart::Shadow(*template);
            }
            covers.extend(element.look.covers.map(|area| (id, area)));
            seen.push(element);
        }
        let mut elements: Vec<TextSight> = seen.iter().map(SeenElement::sight).collect();
        cover(tree, &seen, &covers, &mut elements);
        let hides = |id: &ElementId| {
            seen.get(id.index()).is_none_or(|one| {
                one.sight() != TextSight::Seen
                    || !one.look.is_usual()
                    || one.part != DisplayedPart::All
            })
        };
        let lost = tree.lost.iter().position(|lost| lost.open.iter().any(hides));
        let mut body = seen.iter().skip(ElementId::BODY.index());
        let is_blank = body.all(|one| one.look.fate() != TextFate::Seen);
        Self { elements, safe_losses: lost.unwrap_or(usize::MAX), is_blank }
    }

    /// What a reader sees of the text of an element.
    pub(super) fn text(&self, id: ElementId) -> TextSight {
        self.elements.get(id.index()).copied().unwrap_or(TextSight::HIDDEN)
    }

    /// Whether something that hides may be open behind so many losses.
    pub(super) fn is_lost(&self, losses: usize) -> bool {
        losses > self.safe_losses
    }
}

impl SeenElement {
    fn page() -> Self {
        let look = Rc::new(TextLook::of_page());
        Self { inside: Rc::clone(&look), look, part: DisplayedPart::All, is_text: true }
    }

    fn sight(&self) -> TextSight {
        if !self.is_text {
            return TextSight::NoText;
        }
        match (self.look.fate(), self.part) {
            (TextFate::Hidden(reason), _) => TextSight::Hidden(reason),
            (TextFate::LeftOut, _) => TextSight::LeftOut,
            (TextFate::Seen, DisplayedPart::All) => TextSight::Seen,
            (TextFate::Seen, part) => TextSight::Hidden(part.reason()),
        }
    }

    /// Takes back what hides the element.
    fn reveal(&mut self) {
        for look in [&mut self.look, &mut self.inside] {
            Rc::make_mut(look).reveal();
        }
    }

    /// An element inside of this one.
    fn inner(
        &self,
        tree: &ElementTree,
        rules: &StyleRules<'_>,
        (id, node): (ElementId, &ElementNode),
    ) -> Self {
        let is_shadow = self.part == DisplayedPart::Shadow(id);
        let is_text = self.is_text && (is_shadow || !is_no_text(node));
        let kind = kind(id, node);
        let style = rules.style(id, node, &self.look.custom);
        let mut look = Rc::clone(&self.inside);
        if style.is_some || !kind.usual.is_empty() {
            look = Rc::new(self.look.inner(kind, &style));
        }
        if id == ElementId::ROOT && is_dark(tree, style.values.get("color-scheme")) {
            Rc::make_mut(&mut look).darken();
        }
        let is_said = style.values.get("display").is_some_and(|display| display != "none");
        if let Some(fate) = hidden_by_name(node).filter(|_| !is_said && !is_shadow) {
            Rc::make_mut(&mut look).end(fate);
        }
        if !self.part.shows(id, node) {
            Rc::make_mut(&mut look).end(TextFate::Hidden(self.part.reason()));
        }
        let inner = DisplayedPart::of(id, node, tree);
        // A group of a list that opens is closed as the list is.
        let is_group = node.is("optgroup") && matches!(self.part, DisplayedPart::Option(_));
        let inside = if look.is_special() { Rc::new(look.handed_on()) } else { Rc::clone(&look) };
        Self { look, inside, part: if is_group { self.part } else { inner }, is_text }
    }
}

impl DisplayedPart {
    fn of(id: ElementId, node: &ElementNode, tree: &ElementTree) -> Self {
        let has = |key: &str| node.attribute(key).is_some();
        match &*node.name {
            "details" if node.is_html && !has("open") => Self::Summary(summary(node, tree)),
            "select" if node.is_html && !has("multiple") && size(node) < 2 => {
                Self::Option(chosen(id, tree).unwrap_or(id))
            }
            "maction" | "semantics" if !node.is_html => Self::First,
            _ => Self::All,
        }
    }

    fn shows(self, id: ElementId, node: &ElementNode) -> bool {
        match self {
            Self::All => true,
            Self::Summary(summary) => summary == Some(id),
            Self::Option(chosen) => id == chosen || node.is("optgroup"),
            Self::Shadow(template) => id == template,
            Self::First => node.place == 1,
        }
    }

    fn reason(self) -> HiddenText {
        match self {
            Self::All | Self::Shadow(_) | Self::First => HiddenText::MarkedHidden,
            Self::Summary(_) | Self::Option(_) => HiddenText::ClosedSection,
        }
    }
}

/// The summary of a section: the first of them.
fn summary(section: &ElementNode, tree: &ElementTree) -> Option<ElementId> {
    let next = |id: &ElementId| tree.get(*id).and_then(|node| node.next);
    let mut inside = std::iter::successors(section.first_child, next);
    inside.find(|id| tree.get(*id).is_some_and(|node| node.is("summary")))
}

/// The option of a closed list that is shown: one that is chosen, or the first.
fn chosen(list: ElementId, tree: &ElementTree) -> Option<ElementId> {
    let next = |id: &ElementId| tree.get(*id).and_then(|node| node.next);
    let inside =
        |id: ElementId| std::iter::successors(tree.get(id).and_then(|node| node.first_child), next);
    let is = |id: ElementId, name: &str| tree.get(id).is_some_and(|node| node.is(name));
    let options = inside(list)
        .flat_map(|id| std::iter::once(id).chain(inside(id)))
        .filter(|id| is(*id, "option"));
    let is_chosen =
        |id: &ElementId| tree.get(*id).is_some_and(|node| node.attribute("selected").is_some());
    options.clone().filter(is_chosen).last().or_else(|| options.clone().next())
}

fn size(node: &ElementNode) -> u32 {
    node.attribute("size").and_then(|size| size.trim().parse().ok()).unwrap_or(1)
}

/// Elements whose content another tree replaces, each with the template that holds that tree. One
/// with a place for the content shows it there.
fn shadows(tree: &ElementTree) -> BTreeMap<ElementId, ElementId> {
    let mut found = BTreeMap::new();
    for (id, node) in tree.all() {
        if node.is("template") && node.attribute("shadowrootmode").is_some() {
            found.extend(node.parent.map(|host| (host, id)));
        }
        if node.is("slot") {
            let parents = std::iter::successors(node.parent, |id| tree.get(*id)?.parent);
            for around in parents.take(MAX_SLOT_DEPTH) {
                let host = tree.get(around).and_then(|template| template.parent);
                if let Some(host) = host.filter(|host| found.get(host) == Some(&around)) {
                    found.remove(&host);
                }
            }
        }
    }
    found
}

/// Hides what elements with a background of their own lie over.
fn cover(
    tree: &ElementTree,
    seen: &[SeenElement],
    covers: &[(ElementId, CoveredArea)],
    elements: &mut [TextSight],
) {
    let mut covered: BTreeMap<ElementId, Vec<ElementId>> = BTreeMap::new();
    for (id, area) in covers.iter().take(MAX_COVERS) {
        let parents = std::iter::successors(tree.get(*id).and_then(|node| node.parent), |id| {
            tree.get(*id)?.parent
        });
        let is_placing = |id: &ElementId| seen.get(id.index()).is_some_and(|one| one.look.places());
        let around = match area {
            CoveredArea::Around => parents.into_iter().find(is_placing),
            CoveredArea::Window => None,
        };
        // What lies over a whole window may be there until a script takes it away.
        match around.filter(|around| *around > ElementId::BODY) {
            Some(around) => covered.entry(around).or_default().push(*id),
            None if !tree.has_script => covered.entry(ElementId::BODY).or_default().push(*id),
            None => {}
        }
    }
    if covered.is_empty() {
        return;
    }
    // For each element, what lies over it.
    let mut over: Vec<Option<ElementId>> = Vec::with_capacity(elements.len());
    for ((id, node), sight) in tree.all().zip(elements) {
        let around = node.parent.and_then(|parent| over.get(parent.index()).copied().flatten());
        let own = covered.get(&id).and_then(|all| all.first().copied()).or(around);
        // What is placed may lie over what lies over others.
        let is_raised = seen.get(id.index()).is_some_and(|one| one.look.is_raised());
        let own = own.filter(|cover| *cover != id && !(is_raised && id > ElementId::BODY));
        if own.is_some() && *sight == TextSight::Seen {
            *sight = TextSight::Hidden(HiddenText::CoveredByShape);
        }
        over.push(own);
    }
}

/// How browsers lay out an element by itself.
fn kind(id: ElementId, node: &ElementNode) -> ElementKind {
    let is_link = node.is("a") && node.attribute("href").is_some();
    let (shape, usual): (BoxKind, &[(&str, &str)]) = match &*node.name {
        _ if !node.is_html => (BoxKind::Inline, &[]),
        "a" if is_link => (BoxKind::Inline, &[("color", "#0000ee")]),
        "mark" => (BoxKind::Inline, &[("color", "black"), ("background-color", "yellow")]),
        "small" | "sub" | "sup" => (BoxKind::Inline, &[("font-size", "smaller")]),
        "big" => (BoxKind::Inline, &[("font-size", "larger")]),
        "button" => (
            BoxKind::Block,
            &[("color", "black"), ("background-color", "#efefef"), ("font-size", "13px")],
        ),
        "textarea" | "select" => (
            BoxKind::Block,
            &[("color", "black"), ("background-color", "white"), ("font-size", "13px")],
        ),
        "dialog" => (
            BoxKind::Block,
            &[("color", "black"), ("background-color", "white"), ("position", "absolute")],
        ),
        "td" | "th" | "tr" | "tbody" | "thead" | "tfoot" => (BoxKind::TablePart, &[]),
        name if INLINE_ELEMENTS.binary_search(&name).is_ok() || name.contains('-') => {
            (BoxKind::Inline, &[])
        }
        _ => (BoxKind::Block, &[]),
    };
    ElementKind { shape, usual, is_page: id <= ElementId::BODY }
}

/// Elements whose text is none of the page.
fn is_no_text(node: &ElementNode) -> bool {
    match (&*node.name, node.is_html) {
        ("svg" | "annotation" | "annotation-xml", false) => true,
        (name, true) => NON_TEXT_ELEMENTS.contains(&name),
        _ => false,
    }
}

/// What an element hides of itself, if no style says that it is shown.
fn hidden_by_name(node: &ElementNode) -> Option<TextFate> {
    let has = |key: &str| node.attribute(key).is_some();
    if !node.is_html {
        let is_phantom = *node.name == *"mphantom";
        return is_phantom.then_some(TextFate::Hidden(HiddenText::MarkedHidden));
    }
    let is_found =
        node.attribute("hidden").is_some_and(|value| value.eq_ignore_ascii_case("until-found"));
    // The style that browsers have for this one goes before the attribute.
    if has("hidden") && !node.is("marquee") {
        return Some(if is_found {
            TextFate::Hidden(HiddenText::ClosedSection)
        } else {
            TextFate::LeftOut
        });
    }
    match &*node.name {
        "dialog" if !has("open") => Some(TextFate::Hidden(HiddenText::ClosedSection)),
        _ if has("popover") => Some(TextFate::Hidden(HiddenText::ClosedSection)),
        "object" if !has("data") => None,
        name => {
            UNSHOWN_ELEMENTS.contains(&name).then_some(TextFate::Hidden(HiddenText::MarkedHidden))
        }
    }
}

/// Whether a page says that it is dark: light letters on a dark canvas.
fn is_dark(tree: &ElementTree, scheme: Option<&String>) -> bool {
    let is_one = |scheme: &str| scheme.contains("dark") && !scheme.contains("light");
    let says = |node: &ElementNode| {
        node.is("meta")
            && node.attribute("name").is_some_and(|name| name.eq_ignore_ascii_case("color-scheme"))
            && node.attribute("content").is_some_and(is_one)
    };
    match scheme {
        Some(scheme) => is_one(scheme),
        None => tree.all().take(MAX_HEAD_ELEMENTS).any(|(_, node)| says(node)),
    }
}

const NON_TEXT_ELEMENTS: [&str; 11] = [
    "script", "style", "template", "title", "noframes", "noembed", "iframe",
    // What stands in place of marks beside letters.
    "rp", "frameset", "portal", "param",
];
/// Elements whose text is shown only in place of what cannot be shown.
const UNSHOWN_ELEMENTS: [&str; 10] = [
    "noscript",
    "datalist",
    "canvas",
    "audio",
    "video",
    "progress",
    "meter",
    "object",
    "fencedframe",
    "head",
];
/// Elements within a line, in order.
const INLINE_ELEMENTS: [&str; 44] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "label", "map", "mark", "nobr", "output", "q", "rb", "rp", "rt",
    "ruby", "s", "samp", "slot", "small", "span", "strike", "strong", "sub", "sup", "time", "tt",
    "u", "var", "wbr", "x", "y", "z",
];
const MAX_HEAD_ELEMENTS: usize = 100;
/// Elements between a place for content and the tree that it is in.
const MAX_SLOT_DEPTH: usize = 64;
/// Elements that lie over others, on one page.
const MAX_COVERS: usize = 10_000;
