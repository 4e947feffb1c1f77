//! An audited file as JSON, version 1: a format of its own, as that of a report. docs/output.md describes it. Keys may be
//! added; none is removed or changed in meaning within a version.

use super::document::document;
use crate::{
    audit::{
        Against, Audited, Costs, Creation, Cured, Estimate, FileIndex, FileTable, Forecast, MissingIndex,
        Passes, Slow, TreeSize, Trend, Unit,
    },
    report::audit::Report,
    schema::{compare::Difference, file::Way},
};
use serde::Serialize;
use serde_json::{Value, json};

/// What is known of a file on one line, with a line break at its end.
pub fn render(report: &Report) -> String {
    let own = Out {
        file: file(report),
        tables: report.audited.tables.iter().map(|table| self::table(&report.audited, table)).collect(),
        costs: costs(&report.costs),
        budget: json!({"ms": report.budget.ms, "page_ms": report.budget.page_ms}),
        program: report.root.as_ref().map(|_| report.against.iter().map(program).collect()),
    };
    document(&report.sqlite, report.root.as_deref(), own)
}

#[derive(Serialize)]
struct Out {
    file: Value,
    tables: Vec<Value>,
    costs: Value,
    budget: Value,
    program: Option<Vec<Value>>,
}

fn file(report: &Report) -> Value {
    let (audited, header) = (&report.audited, &report.audited.header);
    let refused = report.refused.iter().map(|(name, message)| json!({"name": name, "message": message}));
    json!({
        "path": report.path,
        "bytes": audited.bytes,
        "page_size": header.page_size,
        "pages": audited.pages,
        "pages_read": audited.reads,
        "pages_in_wal": audited.in_wal,
        "wal_left_out": audited.leaves_out_wal,
        "free_pages": header.freelist,
        "auto_vacuum": header.auto_vacuum,
        "journal": if header.is_wal { "wal" } else { "rollback" },
        "encoding": header.encoding,
        "user_version": header.user_version,
        "application_id": header.application_id,
        "written_by": header.written_by,
        "read": match audited.way {
            Way::Locked => "locked",
            Way::Wal => "wal",
            Way::Left => "left",
            Way::Immutable => "immutable",
        },
        "written_meanwhile": audited.is_moved,
        "samples": audited.statistics.has_samples(),
        "refused": refused.collect::<Vec<Value>>(),
    })
}

fn table(audited: &Audited, table: &FileTable) -> Value {
    json!({
        "name": table.name,
        "virtual": table.is_virtual,
        "size": table.size.as_ref().map(|one| size(audited, one)),
        "analyzed_rows": table.analyzed,
        "stale_statistics": table.is_stale(),
        "growth": table.trend.as_ref().map(growth),
        "indexes": table.indexes.iter().map(|one| index(audited, one)).collect::<Vec<Value>>(),
    })
}

fn growth(trend: &Trend) -> Value {
    let clock = trend.clock.as_ref().map(|clock| {
        json!({"table": clock.table, "column": clock.column, "numbers_per_day": thousandths(clock.rate)})
    });
    let unit = if trend.unit == Unit::Days { "days" } else { "numbers" };
    json!({
        "column": trend.column,
        "unit": unit,
        "rows_per_unit": thousandths(trend.rate),
        "over_all": thousandths(trend.over_all),
        "span": thousandths(trend.span),
        "clock": clock,
        "rows_per_day": trend.per_day().map(thousandths),
    })
}

fn forecast(forecast: &Forecast) -> Value {
    let [now, twice, four_times] = forecast.pages.map(whole);
    let passes = match forecast.passes {
        Passes::Unasked => Value::Null,
        Passes::Already => json!({"when": "already"}),
        Passes::Days(days) => json!({"when": "later", "days": whole(days)}),
        Passes::Size(size) => json!({"when": "larger", "times": hundredths(size)}),
        Passes::Far => json!({"when": "far"}),
    };
    json!({
        "now": now,
        "twice": twice,
        "four_times": four_times,
        "year": forecast.year.map(whole),
        "at_most": forecast.is_most,
        "passes_budget": passes,
    })
}

fn cured(cure: &Cured) -> Value {
    let pages = cure.pages.map(|pages| {
        let [now, twice, four_times] = pages.map(whole);
        json!({"now": now, "twice": twice, "four_times": four_times})
    });
    json!({"kind": cure.kind, "sql": cure.sql, "plan": cure.plan, "pages": pages})
}

fn index(audited: &Audited, index: &FileIndex) -> Value {
    json!({
        "name": index.name,
        "sql": index.sql,
        "size": index.size.as_ref().map(|one| size(audited, one)),
        "stat": index.stat,
    })
}

fn size(audited: &Audited, size: &TreeSize) -> Value {
    json!({
        "rows": estimate(&size.rows),
        "pages": estimate(&size.pages),
        "bytes": whole(audited.bytes_of(size)),
        "row_bytes": hundredths(size.row_bytes),
        "depth": size.depth,
        "fill": hundredths(size.fill),
        "counted": size.is_exact,
        "pages_read": size.reads,
        "damaged_pages": size.damaged,
    })
}

fn estimate(one: &Estimate) -> Value {
    let (least, most) = one.bounds();
    json!({"estimate": whole(one.value), "least": whole(least), "most": whole(most)})
}

fn costs(costs: &Costs) -> Value {
    let index = |one: &crate::audit::IndexCost| {
        json!({
            "table": one.table,
            "name": one.name,
            "bytes": whole(one.bytes),
            "share": hundredths(one.share * 100.0) / 100.0,
            "pages_per_row": one.pages_per_row.map(|(least, most)| {
                json!({"least": hundredths(least), "most": hundredths(most)})
            }),
        })
    };
    json!({
        "indexes": costs.indexes.iter().map(index).collect::<Vec<Value>>(),
        "free_bytes": whole(costs.free),
        "vacuum_bytes": whole(costs.vacuum),
    })
}

fn program(against: &Against) -> Value {
    let refused =
        against.refused.iter().map(|(place, message)| json!({"place": spot(place), "message": message}));
    let found = against.found.iter().map(
        |one| json!({"place": one.place.as_deref().map(spot), "rule": one.rule, "message": one.message}),
    );
    json!({
        "database": against.database,
        "tables": {"both": against.tables.0, "declared": against.tables.1},
        "nearest": {"schema": against.nearest.0, "differences": against.nearest.1},
        "user_version": against.user_version.map(|(file, declared)| json!({"file": file, "declared": declared})),
        "differences": against.differences.iter().map(difference).collect::<Vec<Value>>(),
        "missing_indexes": against.missing.iter().map(missing).collect::<Vec<Value>>(),
        "statements": against.slow.iter().map(slow).collect::<Vec<Value>>(),
        "small": against.small,
        "refused": refused.collect::<Vec<Value>>(),
        "findings": found.collect::<Vec<Value>>(),
    })
}

fn difference(one: &Difference) -> Value {
    json!({
        "kind": one.kind,
        "table": one.table,
        "object": one.object,
        "property": one.property,
        "declared": one.here,
        "file": one.there,
    })
}

fn missing(index: &MissingIndex) -> Value {
    json!({
        "table": index.table,
        "name": index.name,
        "sql": index.sql,
        "in_its_place": index.instead,
        "statements": index.wanting.iter().map(slow).collect::<Vec<Value>>(),
        "creation": index.creation.as_ref().map(creation),
    })
}

fn creation(one: &Creation) -> Value {
    json!({
        "read_bytes": whole(one.read),
        "index_bytes": whole(one.index),
        "temporary_bytes": whole(one.temporary),
        "wal_bytes": whole(one.journal),
        "seconds": {"least": hundredths(one.seconds.0), "most": hundredths(one.seconds.1)},
    })
}

fn slow(one: &Slow) -> Value {
    let read = |one: &crate::audit::Reading| {
        json!({
            "table": one.table,
            "index": one.index,
            "rows": whole(one.rows),
            "bytes": whole(one.bytes),
            "in_loop": one.in_loop,
            "builds_index": one.builds,
            "average": one.is_average,
        })
    };
    json!({
        "place": spot(&one.place),
        "rules": one.rules,
        "sql": one.sql,
        "plan": one.plan,
        "pages": one.forecast.as_ref().map(forecast),
        "cures": one.cures.iter().map(cured).collect::<Vec<Value>>(),
        "rows": whole(one.rows()),
        "bytes": whole(one.bytes()),
        "reads": one.reads.iter().map(read).collect::<Vec<Value>>(),
    })
}

fn spot(place: &str) -> Value {
    let (path, line) = place.rsplit_once(':').unwrap_or((place, ""));
    json!({"path": path, "line": line.parse::<u32>().ok()})
}

fn whole(number: f64) -> u64 {
    number.round().max(0.0) as u64
}

fn thousandths(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
