//! What the upgrade of an older database runs once more, by the name of a constant that a new one is made with.

use super::{NONE, checked, found};
use crate::repository::Repository;

const PATH: &str = "app/ParcelStore.java";

/// A store whose index, if it has one, is made with a new database and, if that says so, for older ones.
fn store(index: &str, upgrade: &str) -> String {
    let constant =
        "    static final String BARCODES = \"CREATE INDEX parcels_by_barcode ON parcels (barcode)\";\n";
    let constant = if index.is_empty() { "" } else { constant };
    format!(
        r#"class ParcelStore extends SQLiteOpenHelper {{
    static final String PARCELS = "CREATE TABLE parcels (id INTEGER PRIMARY KEY, barcode TEXT NOT NULL, weight INTEGER)";
{constant}
    @Override
    public void onCreate(SQLiteDatabase db) {{
        db.execSQL(PARCELS);
{index}    }}

    @Override
    public void onUpgrade(SQLiteDatabase db, int oldVersion, int newVersion) {{
{upgrade}    }}

    void take(SQLiteDatabase db, String barcode, long weight) {{
        db.execSQL("INSERT INTO parcels (barcode, weight) VALUES (?, ?)", new Object[]{{barcode, weight}});
    }}

    Cursor weight(SQLiteDatabase db, String barcode) {{
        return db.rawQuery("SELECT weight FROM parcels WHERE barcode = ?", new String[]{{barcode}});
    }}
}}
"#
    )
}

#[test]
fn what_an_upgrade_runs_again_older_databases_have() {
    let repository = Repository::empty();
    repository.write(PATH, &store("", ""));
    repository.commit();
    repository.git(&["tag", "v1.0"]);
    let index = "        db.execSQL(BARCODES);\n";
    repository.write(PATH, &store(index, ""));
    assert_eq!(found(&checked(repository.path())).len(), 1, "nothing upgrades them");
    let upgrade = "        if (oldVersion < 2) {\n            db.execSQL(ParcelStore.BARCODES);\n        }\n";
    repository.write(PATH, &store(index, upgrade));
    assert_eq!(found(&checked(repository.path())), NONE);
}
