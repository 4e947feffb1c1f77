//! The rows before and after a unit, to be shown.
