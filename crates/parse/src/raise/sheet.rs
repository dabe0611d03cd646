//! A document that is made and not read: everything on it gets a place below what is there, so that
//! printers put comments and blank lines where they were put.

use tioga_base::{FileId, Span};

use crate::syntax::{
    Comment, Declaration, Dialect, Document, Item, Name, Template, TemplateItem, TemplateKind,
};

/// A document of our own language that is filled from the top.
#[derive(Clone, Debug)]
pub struct Sheet {
    document: Document,
    at: usize,
}

impl Default for Sheet {
    fn default() -> Self {
        Self::new()
    }
}

impl Sheet {
    /// An empty sheet.
    pub fn new() -> Self {
        Self { document: Document::new(Dialect::Tioga), at: 1 }
    }

    /// The next place.
    fn place(&mut self) -> Span {
        self.at += 2;
        Span::new(FileId::default(), self.at - 2, self.at - 1)
    }

    fn put(&mut self, text: String, trailing: bool) {
        let span = self.place();
        self.document.comments.push(Comment { text, span, trailing });
    }

    /// A comment on a line of its own for each line of the text.
    pub fn comment(&mut self, text: &str) {
        for line in text.lines() {
            self.put(format!("// {line}").trim_end().to_owned(), false);
        }
    }

    /// A comment after what was put last.
    pub fn remark(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        self.put(format!("// {}", words.join(" ")), true);
    }

    /// A blank line before what comes next.
    pub fn blank(&mut self) {
        self.put(String::new(), false);
    }

    /// An item other than a template.
    pub fn item(&mut self, mut item: Item) {
        let place = self.place();
        match &mut item {
            Item::Name(name) => name.span = place,
            Item::TimeUnit(unit) => unit.span = place,
            Item::Declaration(declaration) => declaration.span = place,
            Item::Template(template) => template.span = place,
            Item::Instance(instance) => instance.span = place,
            Item::System(system) => system.span = place,
            Item::Sync(sync) => sync.span = place,
            Item::Query(query) => query.span = place,
        }
        self.document.items.push(item);
    }

    /// A global declaration.
    pub fn declare(&mut self, declaration: Declaration) {
        self.item(Item::Declaration(declaration));
    }

    /// Begins an automaton or a purpose; parts follow until [`Sheet::end`].
    pub fn begin(&mut self, kind: TemplateKind, name: &str) {
        let span = self.place();
        let name = Name::new(name, span);
        let template = Template { kind, name, params: Vec::new(), items: Vec::new(), span };
        self.document.items.push(Item::Template(template));
    }

    /// A part of the template that was begun last.
    pub fn part(&mut self, mut part: TemplateItem) {
        let place = self.place();
        match &mut part {
            TemplateItem::Declaration(declaration) => declaration.span = place,
            TemplateItem::Locations(locations) => locations.span = place,
            TemplateItem::Edge(edge) => edge.span = place,
            TemplateItem::Otherwise(otherwise) => otherwise.span = place,
            TemplateItem::Restart(action) => action.span = place,
        }
        if let Some(Item::Template(template)) = self.document.items.last_mut() {
            template.items.push(part);
        }
    }

    /// Ends the template that was begun last.
    pub fn end(&mut self) {
        let place = self.place();
        if let Some(Item::Template(template)) = self.document.items.last_mut() {
            template.span.end = place.end;
        }
    }

    /// The document.
    pub fn finish(self) -> Document {
        self.document
    }
}
