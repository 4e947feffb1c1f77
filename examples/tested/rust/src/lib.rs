//! A shelf of books: the statements of it are texts, so that it needs no driver to be built.

/// Puts a book on a shelf.
pub const PUT: &str = "INSERT INTO books (isbn, title, shelf) VALUES (?1, ?2, ?3)";

/// Finds a book by its number.
pub const FIND: &str = "SELECT title, shelf FROM books WHERE isbn = ?1";
