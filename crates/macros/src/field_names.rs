//! `FieldNames`: the names of the fields of a plain struct, without type parameters.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// The implementation for a struct.
pub(crate) fn implement(input: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = input.into_iter().collect();
    let keyword = tokens.iter().position(|token| is_word(token, "struct"));
    let (name, body) = match keyword.map(|at| &tokens[at + 1..]) {
        Some([TokenTree::Ident(name), TokenTree::Group(body)]) if body.delimiter() == Delimiter::Brace => {
            (name, body)
        }
        _ => return error("FieldNames is for structs with named fields and without type parameters."),
    };
    let names: String = fields(body.stream()).iter().map(|field| format!("{},", field_name(field))).collect();
    let code = format!(
        "impl ::planwright_web::FieldNames for {name} {{ const NAMES: &'static [&'static str] = &[{names}]; }}"
    );
    code.parse().unwrap_or_else(|_| error("The names of the fields cannot be listed."))
}

/// The tokens of each field. A comma between angle brackets separates types, not fields.
fn fields(body: TokenStream) -> Vec<Vec<TokenTree>> {
    let (mut fields, mut field, mut depth) = (Vec::new(), Vec::new(), 0);
    for token in body {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' && depth == 0 => {
                fields.push(std::mem::take(&mut field));
                continue;
            }
            TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
            TokenTree::Punct(punct) if punct.as_char() == '>' => depth -= 1,
            _ => {}
        }
        field.push(token);
    }
    fields.extend((!field.is_empty()).then_some(field));
    fields
}

/// The name of a field in JSON, as a literal: that of its `rename`, or the word before the colon.
fn field_name(field: &[TokenTree]) -> String {
    let renamed = field.windows(2).find_map(|pair| match pair {
        [TokenTree::Punct(hash), TokenTree::Group(attribute)] if hash.as_char() == '#' => rename(attribute),
        _ => None,
    });
    let colon =
        field.iter().position(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':'));
    let word = colon.and_then(|at| field.get(at.checked_sub(1)?));
    renamed.unwrap_or_else(|| {
        let word = word.map(ToString::to_string).unwrap_or_default();
        format!("{:?}", word.strip_prefix("r#").unwrap_or(&word))
    })
}

/// The literal of `[serde(rename = "…")]`.
fn rename(attribute: &Group) -> Option<String> {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let [serde, TokenTree::Group(arguments)] = tokens.as_slice() else { return None };
    let arguments: Vec<TokenTree> = arguments.stream().into_iter().collect();
    let mut triples = arguments.windows(3).filter(|_| is_word(serde, "serde"));
    triples.find_map(|triple| match triple {
        [word, TokenTree::Punct(_), TokenTree::Literal(literal)] if is_word(word, "rename") => {
            Some(literal.to_string())
        }
        _ => None,
    })
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident.to_string() == word)
}

fn error(message: &str) -> TokenStream {
    format!("compile_error!({message:?});").parse().unwrap_or_default()
}
