//! Whether what undoes a step leaves the schema that was there before it.

use super::{Loss, LossKind, scene::Scene};
use crate::extract::text::Text;
use crate::schema::{
    Live, SchemaError,
    compare::{Difference, differences},
    rehearsal::{At, Manner, Ran},
};

/// Runs a unit and what undoes it: what of the schema is not as it was.
pub(super) fn undo(live: &mut Live, scene: &Scene<'_>) -> Result<Option<(At, Vec<Loss>)>, SchemaError> {
    let downs: Vec<&str> =
        scene.unit.steps.iter().rev().filter_map(|(_, step)| step.down.as_ref()).map(Text::as_str).collect();
    let is_whole = downs.len() == scene.unit.steps.len() && downs.iter().all(|down| !down.trim().is_empty());
    if !is_whole || !scene.forgiven.is_empty() {
        return Ok(None);
    }
    live.restore(&scene.before)?;
    let before = live.objects()?;
    let up = live.rehearse(&scene.parts, &scene.manner());
    let Some(first) = up.ran.first().map(Ran::at).filter(|_| up.is_complete()) else {
        return Ok(None);
    };
    let down = live.rehearse(&downs, &Manner { wrapped: scene.wrapped, ..Manner::default() });
    if let Some((_, refusal)) = down.failure() {
        let text = Some(format!("can't be undone: {}", refusal.message));
        let loss = Loss { kind: LossKind::Schema, table: None, object: Some("it".to_owned()), text };
        return Ok(Some((first, vec![loss])));
    }
    let losses: Vec<Loss> = differences(&before, &live.objects()?).into_iter().filter_map(loss).collect();
    Ok((!losses.is_empty()).then_some((first, losses)))
}

fn loss(one: Difference) -> Option<Loss> {
    // Columns that come back come at the end, which can't be helped.
    if one.property == "column_order" {
        return None;
    }
    let text = match (one.property, one.here.is_some(), one.there.is_some()) {
        ("exists", true, false) => "is missing".to_owned(),
        ("exists", false, true) => "is left over".to_owned(),
        (property, ..) => format!("has another {}", property.replace('_', " ")),
    };
    let object = Some(format!("the {} `{}`", one.kind.replace('_', " "), one.object));
    Some(Loss { kind: LossKind::Schema, table: Some(one.table), object, text: Some(text) })
}
