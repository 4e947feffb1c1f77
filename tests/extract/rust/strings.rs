//! Ways of writing a string.

fn ways(db: &Connection) -> Result<()> {
    db.execute("DELETE FROM shelf WHERE label = 'a\tb' AND note = \"x\\y\"", [])?;
    db.execute(r"DELETE FROM shelf WHERE label LIKE '\%' ESCAPE '\'", [])?;
    db.execute(r#"DELETE FROM shelf WHERE "label" = 'plain'"#, [])?;
    db.execute(r##"DELETE FROM shelf WHERE "label" = '"#'"##, [])?;
    db.execute("DELETE FROM shelf \
                WHERE label = ?1 \
                  AND note IS NULL", [label])?;
    db.execute(
        "DELETE FROM shelf
         WHERE label = ?1",
        [label],
    )?;
    db.execute("DELETE FROM shelf WHERE label = '\u{e9}\x41\u{1F600}\0'", [])?;
    db.execute("DELETE FROM regał WHERE 名前 = '日本' -- 😀", [])?;
    db.execute(c"DELETE FROM shelf WHERE kind = 1", [])?;
    db.execute(cr#"DELETE FROM shelf WHERE kind = "2""#, [])?;
    db.blob(b"DELETE FROM shelf WHERE kind = 3")?;
    db.blob(br#"DELETE FROM shelf WHERE kind = 4"#)?;
    Ok(())
}

fn quotes_that_open_nothing<'a, 'b: 'a>(text: &'a str, other: &'b str) -> (char, char, u8) {
    let r#type = '"';
    let slash = '\\';
    let tick = '\'';
    let byte = b'"';
    let wide = 'é';
    let far = '\u{22}';
    'outer: loop {
        break 'outer;
    }
    run("SELECT shelf FROM after_the_ticks WHERE a = '\"'");
    (slash, tick, byte)
}

// run("SELECT 1 FROM a_comment");
/* run("SELECT 2 FROM a_comment"); /* nested */ run("SELECT 3 FROM a_comment"); */
/// run("SELECT 4 FROM a_comment");
fn comments() {
    run("SELECT '// no comment', '/* nor this' FROM shelf");
    run("SELECT a -- a comment of SQL\nFROM shelf /* and one more */");
    run("  /* first a comment */  SELECT b FROM shelf");
    let url = "https://example.org/*"; // run("SELECT 5 FROM a_comment")
    run("SELECT c FROM shelf"); /* " */ run("SELECT d FROM shelf");
}

fn prose() {
    println!("Select the books that you like");
    println!("update the label");
    println!("delete the shelf");
    log("insert a coin");
    log("with love");
    run("commit");
    log("begin");
}
