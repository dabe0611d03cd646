//! Reads the modules of a crate: what each defines, imports and names.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItem, Item, ItemMod, ItemUse, Macro, Meta, Path, UseTree, Visibility};

use super::{Import, Module};

/// All modules of a crate but those for tests; the root is the first.
pub fn modules(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Vec<Module> {
    let mut reader = Reader { read, modules: Vec::new(), current: 0, folder: String::new() };
    let text = read(root).unwrap_or_else(|| panic!("there is no {root}"));
    reader.file(root, &text, None);
    reader.modules
}

struct Reader<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    modules: Vec<Module>,
    /// The module whose text is being read.
    current: usize,
    /// The folder in which the files of its children are.
    folder: String,
}

impl Reader<'_> {
    /// Reads a module with a file of its own and returns its number.
    fn file(&mut self, file: &str, text: &str, parent: Option<usize>) -> usize {
        let tree = syn::parse_file(text).unwrap_or_else(|error| panic!("{file}: {error}"));
        self.module(file.to_owned(), parent, |reader| reader.visit_file(&tree))
    }

    fn module(
        &mut self,
        file: String,
        parent: Option<usize>,
        content: impl FnOnce(&mut Self),
    ) -> usize {
        let number = self.modules.len();
        self.modules.push(Module { file, parent, ..Module::default() });
        let outer = std::mem::replace(&mut self.current, number);
        content(self);
        self.current = outer;
        number
    }

    fn here(&mut self) -> &mut Module {
        &mut self.modules[self.current]
    }

    fn import(&mut self, tree: &UseTree, prefix: &[String], public: bool) {
        let (name, path) = match tree {
            UseTree::Path(path) => {
                let prefix = [prefix, &[path.ident.to_string()]].concat();
                return self.import(&path.tree, &prefix, public);
            }
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, prefix, public));
            }
            // `use a::b::{self}` brings in `b`.
            UseTree::Name(name) if name.ident == "self" => {
                (prefix.last().cloned().unwrap_or_default(), prefix.to_vec())
            }
            UseTree::Name(name) => {
                (name.ident.to_string(), [prefix, &[name.ident.to_string()]].concat())
            }
            UseTree::Rename(rename) if rename.ident == "self" => {
                (rename.rename.to_string(), prefix.to_vec())
            }
            UseTree::Rename(rename) => {
                (rename.rename.to_string(), [prefix, &[rename.ident.to_string()]].concat())
            }
            UseTree::Glob(_) => ("*".to_owned(), prefix.to_vec()),
        };
        self.here().imports.push(Import { name, path, public });
    }

    /// The paths among tokens that have no tree: arguments of macros and of attributes.
    fn tokens(&mut self, tokens: TokenStream, in_attribute: bool) {
        let mut path: Vec<String> = Vec::new();
        // The punctuation since the last name.
        let mut between = String::new();
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if between != "::" || path.is_empty() {
                        self.end_path(&mut path);
                    }
                    if between.ends_with('.') && !between.ends_with("..") {
                        between.clear();
                        continue; // A field or a method.
                    }
                    path.push(name.to_string());
                    between.clear();
                }
                TokenTree::Punct(punct) => between.push(punct.as_char()),
                TokenTree::Group(group) => {
                    self.end_path(&mut path);
                    between.clear();
                    self.tokens(group.stream(), in_attribute);
                }
                TokenTree::Literal(literal) => {
                    self.end_path(&mut path);
                    between.clear();
                    if in_attribute {
                        self.quoted(literal.to_string().trim_matches('"'));
                    }
                }
            }
        }
        self.end_path(&mut path);
    }

    /// The path in a text of an attribute: a function, or a module with the functions serde calls.
    fn quoted(&mut self, text: &str) {
        let path: Vec<String> = text.split("::").map(str::to_owned).collect();
        for function in ["serialize", "deserialize"] {
            let inside = [&path[..], &[function.to_owned()]].concat();
            self.here().paths.push(inside);
        }
        self.here().paths.push(path);
    }

    fn end_path(&mut self, path: &mut Vec<String>) {
        if !path.is_empty() {
            let path = std::mem::take(path);
            self.here().paths.push(path);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if for_tests(attributes(item)) {
            return;
        }
        let names = match item {
            Item::Macro(call) if call.ident.is_none() => defined_by(call.mac.tokens.clone()),
            _ => name(item).into_iter().collect(),
        };
        self.here().items.extend(names);
        visit::visit_item(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        let attributes: &[Attribute] = match item {
            ImplItem::Const(item) => &item.attrs,
            ImplItem::Fn(item) => &item.attrs,
            ImplItem::Type(item) => &item.attrs,
            _ => &[],
        };
        if !for_tests(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        let (name, parent) = (item.ident.to_string(), self.current);
        let folder = self.folder.clone();
        let child = if let Some((_, items)) = &item.content {
            let file = self.here().file.clone();
            self.folder = format!("{folder}{name}/");
            self.module(file, Some(parent), |reader| {
                items.iter().for_each(|item| reader.visit_item(item));
            })
        } else {
            let candidates = [format!("{folder}{name}.rs"), format!("{folder}{name}/mod.rs")];
            let found = candidates.iter().find_map(|file| Some((file, (self.read)(file)?)));
            let (file, text) = found.unwrap_or_else(|| panic!("there is no {}", candidates[0]));
            self.folder = format!("{folder}{name}/");
            self.file(file, &text, Some(parent))
        };
        self.folder = folder;
        self.here().children.insert(name, child);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        if item.leading_colon.is_none() {
            let public = !matches!(item.vis, Visibility::Inherited);
            self.import(&item.tree, &[], public);
        }
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if path.leading_colon.is_none() {
            let names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.here().paths.push(names);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, invocation: &'ast Macro) {
        self.visit_path(&invocation.path);
        self.tokens(invocation.tokens.clone(), false);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone(), true);
        }
    }
}

/// What the call of a macro among items defines, as far as it looks like `Name = …`: ids do.
fn defined_by(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let defined = tokens.windows(2).filter_map(|pair| match pair {
        [TokenTree::Ident(name), TokenTree::Punct(sign)] if sign.as_char() == '=' => {
            Some(name.to_string())
        }
        _ => None,
    });
    defined.collect()
}

/// Whether something exists in tests only.
fn for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => {
            let words = list.tokens.to_string();
            words
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| matches!(word, "test" | "doctest"))
        }
        _ => false,
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The name an item gives to something in its module.
fn name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
