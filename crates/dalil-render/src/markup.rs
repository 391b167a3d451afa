//! Texts without the signs of Markdown.

#[cfg(test)]
mod tests;

/// A text without headings' signs, comments and stars.
pub fn without_markup(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if trimmed.starts_with("<!--") && trimmed.ends_with("-->") {
            continue;
        }
        let heading = line.trim_start_matches('#');
        let is_heading = heading.len() < line.len() && heading.starts_with(' ');
        let line = if is_heading { heading.trim_start_matches(' ') } else { line };
        match line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
            Some(item) => {
                plain.push_str("• ");
                plain.push_str(item);
            }
            None => plain.push_str(line),
        }
    }
    plain.replace("**", "")
}
