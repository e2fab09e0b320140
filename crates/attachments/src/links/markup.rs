//! What an HTML page says: its title, and the note of its first badge. The tokenizer is a kept one; no tree is built, so
//! that a page of a stranger takes time and memory by its length only.

use std::cell::{Cell, RefCell};

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// What a badge begins with that says how far the work is.
const BADGE: &str = "Status: ";

/// What was found in a page.
#[derive(Debug, Default, PartialEq)]
pub struct Markup {
    /// The text of the first `title` that belongs to the page itself, with its character references resolved; none if there
    /// is no such element, or if it does not end.
    pub title: Option<String>,
    /// What follows `Status: ` in the first attribute `title` that begins so.
    pub badge: Option<String>,
}

/// Reads a page.
pub fn read(page: &str) -> Markup {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(page));
    let tokenizer = Tokenizer::new(Reader::default(), TokenizerOpts::default());
    // It stops at the end of a script. There is nothing to run, so it goes on.
    while !input.is_empty() {
        let _ = tokenizer.feed(&input);
    }
    tokenizer.end();
    tokenizer.sink.found.into_inner()
}

/// Listens to the tokens of a page.
#[derive(Default)]
struct Reader {
    found: RefCell<Markup>,
    /// The text of the title that has begun.
    open: RefCell<Option<String>>,
    /// How many pictures, formulas and templates are open: their titles are not that of the page.
    svg: Cell<usize>,
    math: Cell<usize>,
    template: Cell<usize>,
}

impl Reader {
    /// The count that an element of this name changes.
    fn count(&self, name: &str) -> Option<&Cell<usize>> {
        match name {
            "svg" => Some(&self.svg),
            "math" => Some(&self.math),
            "template" => Some(&self.template),
            _ => None,
        }
    }

    fn in_foreign_content(&self) -> bool {
        self.svg.get() + self.math.get() > 0
    }

    fn begin(&self, tag: &Tag) -> TokenSinkResult<()> {
        self.note_badge(tag);
        let name = &*tag.name;
        if let Some(count) = self.count(name) {
            // Only foreign elements close themselves (WHATWG HTML, 13.1.2.1).
            if !tag.self_closing || name == "template" {
                count.set(count.get() + 1);
            }
        }
        if self.in_foreign_content() {
            return TokenSinkResult::Continue;
        }
        if name == "title" && self.template.get() == 0 && self.found.borrow().title.is_none() {
            *self.open.borrow_mut() = Some(String::new());
        }
        text_of(name)
    }

    fn end_of(&self, tag: &Tag) {
        if let Some(count) = self.count(&tag.name) {
            count.set(count.get().saturating_sub(1));
        }
        if &*tag.name == "title"
            && let Some(title) = self.open.take()
        {
            self.found.borrow_mut().title = Some(title);
        }
    }

    fn note_badge(&self, tag: &Tag) {
        let mut found = self.found.borrow_mut();
        if found.badge.is_none() {
            let titles = tag.attrs.iter().filter(|attribute| &*attribute.name.local == "title");
            found.badge = titles.filter_map(|title| title.value.strip_prefix(BADGE)).map(String::from).next();
        }
    }
}

impl TokenSink for Reader {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => return self.begin(&tag),
            Token::TagToken(tag) => self.end_of(&tag),
            Token::CharacterTokens(text) => {
                if let Some(open) = self.open.borrow_mut().as_mut() {
                    open.push_str(&text);
                }
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.in_foreign_content()
    }
}

/// How the text of an element is read (WHATWG HTML, 13.2.6.4).
fn text_of(name: &str) -> TokenSinkResult<()> {
    match name {
        "title" | "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
        "style" | "xmp" | "iframe" | "noembed" | "noframes" | "noscript" => {
            TokenSinkResult::RawData(RawKind::Rawtext)
        }
        "script" => TokenSinkResult::RawData(RawKind::ScriptData),
        "plaintext" => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(page: &str) -> String {
        read(page).title.unwrap_or_default()
    }

    #[test]
    fn character_references_are_resolved() {
        assert_eq!(title("<TITLE lang=en>Pump &amp; pipe &#8211; &#x50;lan</TITLE>"), "Pump & pipe – Plan");
        assert_eq!(title("<title>a &unknown; & b &eacute;&copy</title>"), "a &unknown; & b é©");
        assert_eq!(title("Straße <title>İ &é;</title>"), "İ &é;", "letters of several bytes");
    }

    #[test]
    fn only_the_title_of_the_page_itself_is_taken() {
        for other in [
            "<titles>no</titles>",
            "<!-- <title>no</title> -->",
            "<!-- a --!>",
            "<script>'<title>no</title>'</script>",
            "<script><!--<script><title>no</title></script></script>",
            "<style><title>no</title></style>",
            "<textarea><title>no</title></textarea>",
            "<noscript><title>no</title></noscript>",
            "<iframe><title>no</title></iframe>",
            "<svg><title>no</title></svg>",
            "<svg><style><title>no</title></style></svg>",
            "<svg><![CDATA[<title>no</title>]]></svg>",
            "<math><title>no</title></math>",
            "<template><title>no</title></template>",
            "<svg/>",
            "<a title=\"<title>no</title>\">",
        ] {
            let page = format!("<html>{other}<title>yes</title><title>later</title>");
            assert_eq!(title(&page), "yes", "{other}");
        }
    }

    #[test]
    fn a_title_that_does_not_end_is_none() {
        assert_eq!(read("<title>a & b").title, None);
        assert_eq!(read("<svg><title>a</title>").title, None);
        assert_eq!(read("<plaintext><title>a</title>").title, None);
        assert_eq!(read("").title, None);
        assert_eq!(title("<title>yes</title><!-- open"), "yes");
    }

    #[test]
    fn the_first_badge_is_noted() {
        let page =
            "<p title='x'>Status: No</p><span title=\"Status: Merged\"></span><b title='Status: Open'>";
        assert_eq!(read(page).badge.as_deref(), Some("Merged"));
        assert_eq!(read("<!-- <b title='Status: Open'> -->").badge, None);
    }

    #[test]
    fn deep_and_broken_pages_are_read_to_their_end() {
        let deep = format!("{}<title>no</title>", "<svg><b title='Status: Open'>".repeat(20_000));
        assert_eq!(read(&deep), Markup { title: None, badge: Some("Open".to_owned()) });
        let closed = format!("{}{}<title>yes</title>", "<div><p>".repeat(20_000), "</svg>".repeat(20_000));
        assert_eq!(title(&closed), "yes");
    }
}
