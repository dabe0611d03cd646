//! Whether a file asks how likely something is.
//!
//! Looks at the text only, so that it can be said of files that cannot be read, too.

/// Whether a query of an UPPAAL file is about probabilities, expectations, simulated runs or
/// learned strategies. `text` is the text of a model, with its queries, or of a query file.
pub fn asks_statistics(text: &str) -> bool {
    if text.contains("<formula") {
        let formulas = text.split("<formula").skip(1).filter_map(|rest| {
            let rest = rest.split_once('>')?.1;
            rest.split_once("</formula>").map(|(formula, _)| formula)
        });
        return formulas.into_iter().any(is_statistical);
    }
    if text.contains("<nta") {
        return false;
    }
    text.lines().filter(|line| !line.trim_start().starts_with("//")).any(is_statistical)
}

/// Whether one formula, or one line of a query file, is statistical.
fn is_statistical(formula: &str) -> bool {
    let formula: String = formula.chars().filter(|one| !one.is_whitespace()).collect();
    let words = ["Pr[", "Pr(", "simulate", "minE(", "maxE(", "minPr(", "maxPr(", "minE[", "maxE["];
    let words = words.iter().any(|word| formula.contains(word));
    // `E[]` is a question about runs, `E[<=100; 50]` one about an expected value.
    let expected = formula.match_indices("E[").any(|(at, found)| {
        let alone = !formula[..at].ends_with(|one: char| one.is_alphanumeric() || one == '_');
        alone && !formula[at + found.len()..].starts_with(']')
    });
    words || expected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_chance_are_told_from_others() {
        for formula in [
            "Pr[<=10](<> P.A)",
            "E[<=9; 5](max: x)",
            "simulate [<=10] { x }",
            "maxE(c)[<=3]:<> P.A",
        ] {
            let file = format!(
                "<nta><queries><query><formula>{formula}</formula></query></queries></nta>"
            );
            assert!(asks_statistics(&file), "{formula}");
            assert!(asks_statistics(&format!("// a query\n{formula}\n")), "{formula}");
        }
        for formula in ["E[] P.A", "E<> A[1] == 2", "control: A<> P.A", "A[] not deadlock"] {
            let file = format!(
                "<nta><queries><query><formula>{formula}</formula></query></queries></nta>"
            );
            assert!(!asks_statistics(&file), "{formula}");
            assert!(!asks_statistics(formula), "{formula}");
        }
    }

    #[test]
    fn only_the_queries_of_a_file_count() {
        assert!(!asks_statistics("<nta><declaration>int Pr[3];</declaration></nta>"));
    }
}
