//! A shop.

mod orders;
