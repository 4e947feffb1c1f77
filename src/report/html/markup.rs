//! HTML and SVG, written so that each element is closed and each text and value is escaped. Knows no report.

/// A page that is written.
#[derive(Debug, Default)]
pub(super) struct Markup(String);

/// The attributes of an element.
pub(super) type Attributes<'a> = &'a [(&'a str, &'a str)];

impl Markup {
    /// What was written.
    pub fn finish(self) -> String {
        self.0
    }

    /// Words of our own that are markup already.
    pub fn own(&mut self, markup: &'static str) {
        self.0.push_str(markup);
    }

    /// A text.
    pub fn text(&mut self, text: &str) {
        for one in text.chars() {
            match one {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                // HTML has no place for other control characters, nor for marks that turn a text around.
                '\n' | '\t' => self.0.push(one),
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => self.0.push('\u{fffd}'),
                one if one.is_control() => self.0.push('\u{fffd}'),
                one => self.0.push(one),
            }
        }
    }

    /// An element, and what is in it.
    pub fn element(
        &mut self,
        name: &'static str,
        attributes: Attributes<'_>,
        inside: impl FnOnce(&mut Self),
    ) {
        self.0.push('<');
        self.0.push_str(name);
        for (attribute, value) in attributes {
            self.0.push(' ');
            self.0.push_str(attribute);
            self.0.push_str("=\"");
            self.text(value);
            self.0.push('"');
        }
        self.0.push('>');
        inside(self);
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
    }

    /// An element with a text in it.
    pub fn words(&mut self, name: &'static str, class: &str, text: &str) {
        let attributes: Attributes<'_> = &[("class", class)];
        self.element(name, if class.is_empty() { &[] } else { attributes }, |page| page.text(text));
    }

    /// A line break in the text of the page, for who reads it as text.
    pub fn line(&mut self) {
        self.0.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_a_name_stays_one() {
        let mut page = Markup::default();
        page.element("p", &[("title", "a\"><b>")], |page| {
            page.text("<script>alert('x')</script>\u{0}\u{202e}&");
        });
        let text = page.finish();
        assert_eq!(
            text,
            "<p title=\"a&quot;&gt;&lt;b&gt;\">&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;\u{fffd}\u{fffd}&amp;</p>"
        );
    }
}
