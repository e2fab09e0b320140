//! Checks the length of functions, from `fn` to the closing brace.

use super::Violation;
use super::source::Source;

const LONGEST: usize = 70;

/// The functions of a file that are too long and not excused.
pub(crate) fn check(source: &Source) -> Vec<Violation> {
    functions(source)
        .into_iter()
        .filter(|function| function.lines > LONGEST && !source.is_excused(function.line, "long"))
        .map(|function| {
            let Function { name, line, lines } = function;
            let message = format!("`{name}` has {lines} lines, {LONGEST} at most: split it by what it does");
            Violation::new(&source.path, line, message)
        })
        .collect()
}

#[derive(Debug, PartialEq, Eq)]
struct Function<'a> {
    name: &'a str,
    line: usize,
    lines: usize,
}

fn functions(source: &Source) -> Vec<Function<'_>> {
    let code = source.code.as_str();
    let starts = code.match_indices("fn ").map(|(at, _)| at);
    starts.filter(|at| !code[..*at].ends_with(is_word)).filter_map(|at| function_at(source, at)).collect()
}

fn function_at(source: &Source, at: usize) -> Option<Function<'_>> {
    let rest = source.code[at + 2..].trim_start();
    // No name: the type of a function pointer, or a macro's variable.
    let name = rest.split(|letter| !is_word(letter)).next().filter(|name| !name.is_empty())?;
    let open = body(&source.code, at)?;
    let line = source.line_of(at);
    let last = source.line_of(source.end_of_block(open)? - 1);
    Some(Function { name, line, lines: last - line + 1 })
}

/// The brace that opens the body; a declaration without one ends in a semicolon.
fn body(code: &str, from: usize) -> Option<usize> {
    let mut depth = 0i32;
    for (at, byte) in code.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'{' if depth == 0 => return Some(at),
            b';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(text: &str) -> Vec<(String, usize, usize)> {
        let source = Source::new("a.rs", text);
        functions(&source)
            .into_iter()
            .map(|function| (function.name.to_owned(), function.line, function.lines))
            .collect()
    }

    #[test]
    fn measures_from_the_keyword_to_the_closing_brace() {
        let text = "pub fn a(x: [u8; 2])\n-> u8\n{\n    '}'; \"}\"; // }\n    1\n}\nfn b() {}\n";
        assert_eq!(measured(text), [("a".to_owned(), 1, 6), ("b".to_owned(), 7, 1)]);
    }

    #[test]
    fn declarations_and_pointers_are_no_functions() {
        assert!(
            measured("trait T { fn a(&self); }\ntype F = fn (u8) -> u8;\nconst often: u8 = 1;").is_empty()
        );
    }

    #[test]
    fn finds_functions_inside_functions_and_raw_names() {
        let found = measured("fn outer() {\n    fn inner() {\n    }\n}\n");
        assert_eq!(found, [("outer".to_owned(), 1, 4), ("inner".to_owned(), 2, 2)]);
    }

    #[test]
    fn a_long_function_is_a_violation_unless_excused() {
        let body = "    x();\n".repeat(LONGEST);
        let long = format!("fn a() {{\n{body}}}\n");
        let found = check(&Source::new("a.rs", long.clone()));
        assert_eq!(found.len(), 1);
        assert!(found[0].to_string().starts_with("a.rs:1: `a` has 72 lines"), "{}", found[0]);
        let excused = format!("// tidy: allow(long) because one table is easier to read\n{long}");
        assert!(check(&Source::new("a.rs", excused)).is_empty());
    }
}
