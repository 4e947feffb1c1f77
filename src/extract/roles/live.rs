//! What is reached from the entry points of a program, through the names that functions mention.

use super::{Edges, Graph, Groups, Role, counts::Counts};

/// What is reached from entry points.
pub(super) struct Live {
    /// For each function whether it is.
    pub is: Vec<bool>,
    /// Hundreds of functions are called `new`, by thousands: each name is followed once.
    followed: Vec<bool>,
    counts: Counts,
}

impl Live {
    /// Nothing yet of so many functions and names.
    pub fn new((functions, names): (usize, usize), counts: Counts) -> Self {
        Self { is: vec![false; functions], followed: vec![false; names], counts }
    }
}

impl Graph {
    /// What functions reach, through the names that they mention.
    pub(super) fn follow(&self, edges: &Edges, by_name: &Groups, mut work: Vec<u32>, live: &mut Live) {
        while let Some(index) = work.pop() {
            let Some(seen) = live.is.get_mut(index as usize) else { continue };
            let is_test = self.nodes.get(index as usize).is_some_and(|node| node.role == Role::Test);
            if std::mem::replace(seen, true) || is_test {
                continue;
            }
            for &callee in edges.callees.of(index) {
                if let Some(seen) = live.followed.get_mut(callee as usize)
                    && !std::mem::replace(seen, true)
                {
                    let meant = by_name.of(callee).iter().copied();
                    work.extend(meant.filter(|&function| live.counts.fit(callee, function)));
                }
            }
        }
    }
}
