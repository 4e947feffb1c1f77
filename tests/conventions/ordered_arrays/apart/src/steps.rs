pub const SHARED_STEPS: &[&[S<'static>]] = &[notices::S, updates::S];
pub const HARBOUR_STEPS: &[&[S<'static>]] = &[removed::S];

pub(crate) mod notices;
pub(crate) mod removed;
pub(crate) mod updates;
