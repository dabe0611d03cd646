//! Natural numbers of any size, for counting.

use std::fmt;

/// A natural number, in digits of 32 bits, the lowest first, without zeros at the end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Natural(Vec<u32>);

impl Natural {
    /// A small number.
    pub fn of(value: u64) -> Self {
        let mut digits = vec![low(value), low(value >> 32)];
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Self(digits)
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds another number.
    pub fn add(&mut self, other: &Self) {
        let mut carry = 0u64;
        for position in 0..other.0.len().max(self.0.len()) {
            if position == self.0.len() {
                self.0.push(0);
            }
            let more = other.0.get(position).copied().unwrap_or(0);
            let sum = u64::from(self.0[position]) + u64::from(more) + carry;
            self.0[position] = low(sum);
            carry = sum >> 32;
        }
        if carry > 0 {
            self.0.push(low(carry));
        }
    }

    /// It as a small number, if it is one.
    pub fn to_u64(&self) -> Option<u64> {
        match self.0[..] {
            [] => Some(0),
            [only] => Some(u64::from(only)),
            [first, second] => Some(u64::from(first) | u64::from(second) << 32),
            _ => None,
        }
    }
}

fn low(value: u64) -> u32 {
    u32::try_from(value & u64::from(u32::MAX)).unwrap_or(u32::MAX)
}

/// In decimal digits.
impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const GROUP: u64 = 1_000_000_000;
        let mut rest = self.0.clone();
        let mut groups: Vec<u32> = Vec::new();
        while !rest.is_empty() {
            let mut remainder = 0u64;
            for digit in rest.iter_mut().rev() {
                let value = remainder << 32 | u64::from(*digit);
                *digit = low(value / GROUP);
                remainder = value % GROUP;
            }
            groups.push(low(remainder));
            while rest.last() == Some(&0) {
                rest.pop();
            }
        }
        let mut shown = groups.last().copied().unwrap_or(0).to_string();
        for group in groups.iter().rev().skip(1) {
            shown.push_str(&format!("{group:09}"));
        }
        f.pad_integral(true, "", &shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_wide_numbers() {
        let (mut sum, mut expected) = (Natural::of(1), 1u128);
        for step in 0..80u64 {
            let more = Natural::of(step * 0x1_0000_0001);
            sum.add(&sum.clone());
            sum.add(&more);
            expected = expected * 2 + u128::from(step * 0x1_0000_0001);
            assert_eq!(sum.to_string(), expected.to_string());
            assert_eq!(sum.to_u64(), u64::try_from(expected).ok());
        }
        assert_eq!(Natural::of(0).to_string(), "0");
        assert!(Natural::of(0).is_zero() && Natural::of(1 << 40).to_u64() == Some(1 << 40));
    }
}
