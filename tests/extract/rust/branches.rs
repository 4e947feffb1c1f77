//! Texts that depend on something.

fn choices(db: &Connection, newest: bool, kind: Kind, limit: Option<u32>) {
    let sql = if newest {
        "SELECT id FROM event ORDER BY at DESC"
    } else {
        "SELECT id FROM event ORDER BY at"
    };
    db.prepare(sql);

    let order = if newest { "DESC" } else { "ASC" };
    db.prepare(&format!("SELECT at FROM event ORDER BY at {order}"));

    let table = match kind {
        Kind::Near => "near_event",
        Kind::Far if newest => "far_event",
        Kind::Far => {
            let name = "old_event";
            name
        }
        _ => return,
    };
    db.prepare(&format!("SELECT * FROM {table} WHERE id = ?1"));

    db.prepare(match kind {
        Kind::Near => "SELECT 1 FROM near_event",
        _ => "SELECT 1 FROM far_event",
    });

    db.prepare(&format!(
        "SELECT id FROM event {} {}",
        if newest { "WHERE new = 1" } else { "" },
        match limit {
            Some(_) => "LIMIT ?1",
            None => "",
        }
    ));

    let mut clause = "WHERE a = 1";
    if newest {
        clause = "WHERE b = 2";
    }
    db.prepare(&format!("SELECT id FROM event {clause}"));

    if let Some(limit) = limit {
        db.execute("DELETE FROM event WHERE id < ?1", [limit]);
    } else if newest {
        db.execute("DELETE FROM event", []);
    }
}

fn shadowed(db: &Connection) {
    let sql = "SELECT first FROM event";
    db.prepare(sql);
    let sql = "SELECT second FROM event";
    db.prepare(sql);
    let query = format!("{sql} WHERE id = 1");
    db.prepare(&query);
}

fn hinted(db: &Db, name: Option<&str>, limit: Option<u32>) {
    let hint = name.as_ref().map_or_else(|| "".to_owned(), |name| format!("INDEXED BY {name}"));
    db.query(&format!("SELECT a FROM hinted {hint} WHERE b = 1"));
    let most = limit.map_or(String::new(), |limit| { log(limit); format!(" LIMIT {limit}") });
    db.query(&format!("SELECT a FROM limited{most}"));
    let order = limit.map_or_else(String::new, |_| " ORDER BY a".to_owned());
    db.query(&format!("SELECT a FROM ordered{order}"));
}
