//! Numbers in groups, without a vector for each: a tree has tens of thousands of functions, and most are called.

/// Numbers by key, all in one piece of memory.
pub struct Groups {
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Groups {
    /// Of pairs of a key and a number; pairs whose key is not below `keys` are left out.
    pub fn new(keys: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0_u32; keys + 1];
        for (key, _) in pairs.clone().filter(|&(key, _)| (key as usize) < keys) {
            if let Some(count) = starts.get_mut(key as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut members = vec![0; sum as usize];
        for (key, member) in pairs.filter(|&(key, _)| (key as usize) < keys) {
            if let Some(next) = next.get_mut(key as usize)
                && let Some(place) = members.get_mut(*next as usize)
            {
                *place = member;
                *next += 1;
            }
        }
        Self { starts, members }
    }

    /// The numbers of a key, in the order of the pairs.
    pub fn of(&self, key: u32) -> &[u32] {
        let start = self.starts.get(key as usize).copied().unwrap_or(0) as usize;
        let end = self.starts.get((key as usize).saturating_add(1)).copied().unwrap_or(0) as usize;
        self.members.get(start..end).unwrap_or(&[])
    }
}
