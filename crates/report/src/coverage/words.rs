//! Coverage of the model in words: one line of shares, and what is missing.

use super::{EdgeCoverage, ModelCoverage};
use crate::text::{counted, one_line};

impl ModelCoverage {
    /// The shares in one line: `5/6 locations, 7/9 edges, 9/14 window ends, 2/2 data ends`. What the model does not have
    /// is left out.
    pub fn summary(&self) -> String {
        let shares = [
            (self.location_share(), "locations"),
            (self.edge_share(), "edges"),
            (self.window_share(), "window ends"),
            (self.data_share(), "data ends"),
        ];
        let shares = shares.iter().filter(|(share, _)| share.all > 0);
        let mut texts: Vec<String> =
            shares.map(|(share, what)| format!("{share} {what}")).collect();
        if self.ambiguous > 0 {
            let runs = counted(self.ambiguous, "run");
            texts.push(format!("{runs} with several explanations"));
        }
        if self.lost > 0 {
            let why = self.lost_because.as_deref().unwrap_or("unknown");
            texts.push(format!("{} not followed ({})", counted(self.lost, "run"), one_line(why)));
        }
        texts.join(", ")
    }

    /// What was not covered, as pairs of what is wrong and with which location, edge or data.
    pub fn missing(&self) -> Vec<(&'static str, String)> {
        let mut missing = Vec::new();
        for one in self.locations.iter().filter(|one| one.entered == 0) {
            missing.push(("not entered", one_line(&format!("{}.{}", one.process, one.location))));
        }
        for one in self.edges.iter().filter(|one| one.taken == 0) {
            missing.push(("not taken", one.text()));
        }
        for one in self.edges.iter().filter(|one| one.taken > 0) {
            let never = match (one.early == Some(0), one.late == Some(0)) {
                (true, true) => "never early or late",
                (true, false) => "never early",
                (false, true) => "never late",
                (false, false) => continue,
            };
            missing.push((never, one.text()));
        }
        for one in &self.data {
            let Some((min, max)) = one.range else { continue };
            let (least, greatest) = one.ends().unwrap_or_default();
            let name = one_line(&one.name);
            if !least {
                missing.push(("never least", format!("{name} = {min}")));
            }
            if !greatest {
                missing.push(("never greatest", format!("{name} = {max}")));
            }
        }
        missing
    }

    /// The line of shares and so many lines of what is missing.
    pub fn text(&self, most: usize) -> String {
        let mut text = format!("model: {}\n", self.summary());
        let missing = self.missing();
        let wide = missing.iter().take(most).map(|(what, _)| what.len()).max().unwrap_or(0);
        for (what, name) in missing.iter().take(most) {
            text.push_str(&format!("  {what:wide$}  {name}\n"));
        }
        text
    }
}

impl EdgeCoverage {
    /// The edge in a line: `Lamp: Off -> Rising  touch?`.
    pub fn text(&self) -> String {
        let Self { process, source, target, action, .. } = self;
        let text = format!("{process}: {source} -> {target}  {action}");
        one_line(text.trim_end())
    }
}
