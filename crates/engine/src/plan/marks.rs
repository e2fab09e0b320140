//! A set of small numbers that is emptied in rising or falling order while more numbers are added ahead.

/// Numbers below a fixed bound, a bit each.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    words: Vec<u64>,
}

impl Marks {
    pub(crate) fn below(bound: usize) -> Marks {
        Marks { words: vec![0; bound.div_ceil(64)] }
    }

    #[inline]
    pub(crate) fn set(&mut self, number: usize) {
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// Takes out the least number from `from` on.
    pub(crate) fn take_from(&mut self, from: usize) -> Option<usize> {
        let mut word = from / 64;
        let mut bits = self.words.get(word)? & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            bits = *self.words.get(word)?;
        }
        let number = word * 64 + bits.trailing_zeros() as usize;
        self.words[word] &= !(1 << (number % 64));
        Some(number)
    }

    /// Takes out the greatest number below `end`.
    pub(crate) fn take_below(&mut self, end: usize) -> Option<usize> {
        let last = end.checked_sub(1)?;
        let mut word = last / 64;
        let mut bits = self.words[word] & (u64::MAX >> (63 - last % 64));
        while bits == 0 {
            word = word.checked_sub(1)?;
            bits = self.words[word];
        }
        let number = word * 64 + 63 - bits.leading_zeros() as usize;
        self.words[word] &= !(1 << (number % 64));
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_out_in_order_both_ways() {
        let numbers = [0, 1, 63, 64, 65, 190, 191];
        for from in 0..=192 {
            let mut marks = Marks::below(192);
            numbers.iter().for_each(|number| marks.set(*number));
            assert_eq!(marks.take_from(from), numbers.iter().copied().find(|number| *number >= from));
            let mut marks = Marks::below(192);
            numbers.iter().for_each(|number| marks.set(*number));
            assert_eq!(marks.take_below(from), numbers.iter().copied().rev().find(|number| *number < from));
        }
        assert_eq!(Marks::below(0).take_from(0), None);
    }
}
