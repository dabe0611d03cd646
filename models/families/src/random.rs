//! The random numbers of job shops: those the shell variable `RANDOM` yields in bash 5.1 and
//! later, so that one seed means one instance here and in scripts.
//!
//! The generator is the minimal standard one of Park and Miller, x ← 16807 · x mod (2³¹ − 1), in
//! the 32-bit form that does not overflow. A number is the exclusive or of both halves of the
//! state, in 15 bits; one that equals the last one is drawn again.

/// A sequence of numbers from 0 to 32767, determined by a seed.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u32,
    last: u32,
}

impl Random {
    pub(crate) fn new(seed: u32) -> Self {
        Self { state: seed, last: 0 }
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u32 {
        loop {
            // Zero would stay zero.
            let state = if self.state == 0 { 123_459_876 } else { self.state };
            // Schrage's method: 127773 and 2836 are the quotient and the rest of 2³¹ − 1 by 16807.
            let (high, low) = (i64::from(state / 127_773), i64::from(state % 127_773));
            let next = 16_807 * low - 2_836 * high;
            let next = if next < 0 { next + 0x7fff_ffff } else { next };
            self.state = u32::try_from(next).expect("the state is between 0 and 2³¹ − 1");
            let number = ((self.state >> 16) ^ (self.state & 0xffff)) & 0x7fff;
            if number != self.last {
                self.last = number;
                return number;
            }
        }
    }

    /// The next number, from 0 to `count - 1`; `count` is positive.
    pub(crate) fn below(&mut self, count: u32) -> u32 {
        self.next() % count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_numbers_the_shell_gives() {
        for (seed, expected) in [
            (0, [20814, 24386, 149, 25587]),
            (1, [16807, 10791, 19566, 13983]),
            (42, [17772, 26794, 1435, 24388]),
            (32767, [7818, 22855, 18024, 26090]),
        ] {
            let mut random = Random::new(seed);
            assert_eq!([0; 4].map(|_| random.next()), expected, "seed {seed}");
        }
    }
}
