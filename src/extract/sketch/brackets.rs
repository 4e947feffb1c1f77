//! Which bracket closes which, and which stand around which. Any closing bracket closes the last one opened, whatever
//! its shape, so that one typo does not turn the file inside out.

/// No bracket.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Bracket {
    /// The token that opens it.
    open: u32,
    /// The token that closes it, or [`NONE`].
    close: u32,
    /// The bracket around it, as an index of all, or [`NONE`].
    outer: u32,
}

/// The brackets of a file.
#[derive(Debug)]
pub struct Brackets {
    /// In the order in which they open.
    all: Vec<Bracket>,
    /// The innermost that is open, while the file is read.
    innermost: u32,
}

impl Default for Brackets {
    fn default() -> Self {
        Self { all: Vec::new(), innermost: NONE }
    }
}

impl Brackets {
    /// Takes note of a token that opens one.
    #[inline]
    pub(super) fn open(&mut self, at: usize) {
        let index = self.all.len() as u32;
        self.all.push(Bracket { open: at as u32, close: NONE, outer: self.innermost });
        self.innermost = index;
    }

    /// Takes note of a token that closes one.
    #[inline]
    pub(super) fn shut(&mut self, at: usize) {
        if let Some(bracket) = self.all.get_mut(self.innermost as usize) {
            bracket.close = at as u32;
            self.innermost = bracket.outer;
        }
    }

    /// Gives back the room that the list had to grow.
    pub(super) fn shrink(&mut self) {
        self.all.shrink_to_fit();
    }

    /// The token that closes the bracket which a token opens.
    pub fn close(&self, open: usize) -> Option<usize> {
        let index = self.all.partition_point(|bracket| (bracket.open as usize) < open);
        let bracket = self.all.get(index).filter(|bracket| bracket.open as usize == open)?;
        (bracket.close != NONE).then_some(bracket.close as usize)
    }

    /// The token that opens the bracket which a token closes.
    pub fn opening(&self, close: usize) -> Option<usize> {
        self.around(close).next().filter(|&open| self.close(open) == Some(close))
    }

    /// The brackets around a token, from the inside out, each by the token that opens it.
    pub fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        let before = self.all.partition_point(|bracket| (bracket.open as usize) < at);
        let get = |index: u32| self.all.get(index as usize);
        let chain =
            std::iter::successors(before.checked_sub(1).and_then(|last| self.all.get(last)), move |one| {
                get(one.outer)
            });
        chain.filter(move |one| one.close as usize >= at).map(|one| one.open as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_know_their_ends_and_what_is_around() {
        // ( [ ] { x ( ) ) with the last bracket but one left open.
        let mut brackets = Brackets::default();
        for at in [0, 1] {
            brackets.open(at);
        }
        brackets.shut(2);
        brackets.open(3);
        brackets.open(5);
        brackets.shut(6);
        brackets.shut(7);
        let closes: Vec<Option<usize>> = (0..6).map(|at| brackets.close(at)).collect();
        assert_eq!(closes, [None, Some(2), None, Some(7), None, Some(6)]);
        assert_eq!(brackets.around(6).collect::<Vec<_>>(), [5, 3, 0]);
        assert_eq!(brackets.around(4).collect::<Vec<_>>(), [3, 0]);
        assert_eq!(brackets.around(9).collect::<Vec<_>>(), [0]);
        assert_eq!(brackets.around(0).count(), 0);
        let opens: Vec<Option<usize>> = [2, 6, 7, 4, 9].map(|at| brackets.opening(at)).to_vec();
        assert_eq!(opens, [Some(1), Some(5), Some(3), None, None]);
    }
}
