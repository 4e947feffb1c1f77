// Strings, templates, regular expressions, and what is none of these.
import Database from "better-sqlite3";

const TABLE = "notes";
const COLUMNS = `id, title, body`;
export const RECENT = `
    SELECT ${COLUMNS}
    FROM ${TABLE}
    ORDER BY created DESC
    LIMIT 20`;

function quotes(db: Database) {
    db.prepare('SELECT id FROM notes WHERE title = \'it\'');
    db.prepare("SELECT \"id\" FROM notes");
    db.prepare("SELECT id \
FROM notes WHERE pinned = 1");
    db.prepare('SELECT id FROM notes ' + 'WHERE title = ?' +
        ' AND body = ?');
}

function regexes(text: string, width: number, height: number) {
    const quote = /["'`]/g;
    const slash = /[/"]\/'/;
    if (/`/.test(text)) {
        return text.replace(/'/g, "''");
    }
    const ratio = width / height; const other = "a" + height / 2;
    return db.prepare("SELECT body FROM notes WHERE ratio = ?").get(ratio);
}

function holes(order: string, desc: boolean, ids: number[]) {
    db.prepare(`SELECT id FROM notes ORDER BY created ${desc ? "DESC" : 'ASC'}`);
    db.prepare(`SELECT id FROM ${TABLE} WHERE id IN (${ids.map(() => "?").join(", ")})`);
    db.prepare(`SELECT id FROM notes WHERE state = '${`a${order}`}' AND x = ${{ a: "}" }.a}`);
    db.prepare(`SELECT '\${not a hole}' FROM notes`);
    db.prepare("SELECT id FROM notes ORDER BY " + (desc ? "created" : "title"));
    db.prepare(desc ? "SELECT 1 FROM notes" : "SELECT 2 FROM notes");
}

function built(limit?: number) {
    let sql = "SELECT id FROM notes";
    if (limit) {
        sql += " LIMIT ?";
    }
    return db.prepare(sql).all(limit);
}

const after = () => db.prepare("SELECT count(*) FROM notes").pluck().get();
