//! What holds of every text found in every fixture: its map, its parts, and what line breaks and byte order marks
//! change.

use super::{fixtures, found, shown};
use planlint::extract::text::{HOLE, Text};
use planlint::extract::{Extraction, is_wanted};
use planlint::source::{Source, SourceId, Sources};

/// All texts of all fixtures.
fn each_text(mut check: impl FnMut(&str, &Sources, &Text)) {
    let mut seen = 0;
    for fixture in fixtures() {
        let extraction = found(&fixture.sources);
        for literal in &extraction.literals {
            for text in &literal.variants {
                check(&fixture.name, &fixture.sources, text);
                seen += 1;
            }
        }
    }
    assert!(seen > 150, "only {seen} texts were seen");
}

/// The place of every byte of a text.
fn map(text: &Text) -> Vec<(SourceId, u32)> {
    (0..text.as_str().len() as u32).map(|at| text.locate(at).unwrap()).collect()
}

#[test]
fn every_byte_of_a_text_stands_in_its_source() {
    each_text(|name, sources, text| {
        for (at, (source, offset)) in map(text).into_iter().enumerate() {
            let length = sources.get(source).map_or(0, |source| source.text().len());
            assert!((offset as usize) < length, "{name}: byte {at} of {}", shown::line(text));
        }
    });
}

/// But for holes and escapes, of which the first byte alone has a place.
#[test]
fn a_run_of_equal_bytes_is_mapped_byte_by_byte() {
    each_text(|name, sources, text| {
        let places = map(text);
        let bytes = text.as_str().as_bytes();
        let same = |at: usize| {
            let (source, offset) = places[at];
            [bytes[at], b'\\'].contains(&sources.get(source).unwrap().text().as_bytes()[offset as usize])
        };
        let mut run = 0;
        for at in 1..bytes.len() {
            let follows = places[at].0 == places[at - 1].0 && places[at].1 == places[at - 1].1 + 1;
            run = if follows { run + 1 } else { 0 };
            if run > 3 && bytes[at] != HOLE as u8 {
                assert!(same(at), "{name}: byte {at} of {}", shown::line(text));
            }
        }
    });
}

#[test]
fn most_bytes_of_a_text_are_mapped_to_themselves() {
    let (mut all, mut equal) = (0, 0);
    each_text(|_, sources, text| {
        for ((source, offset), byte) in map(text).into_iter().zip(text.as_str().bytes()) {
            all += 1;
            equal += usize::from(sources.get(source).unwrap().text().as_bytes()[offset as usize] == byte);
        }
    });
    // The words of statements that a method makes stand nowhere.
    assert!(equal * 100 > all * 90, "{equal} of {all}");
}

#[test]
fn parts_put_together_are_the_text() {
    each_text(|name, _, text| {
        let length = text.as_str().len();
        for cut in (0..=length).filter(|&cut| text.as_str().is_char_boundary(cut)) {
            let mut whole = text.part(0, cut);
            whole.append(&text.part(cut, length));
            assert_eq!(whole.as_str(), text.as_str(), "{name}");
            assert_eq!(whole.holes(), text.holes(), "{name}");
            assert_eq!(map(&whole), map(text), "{name}: cut at {cut}");
        }
    });
}

#[test]
fn a_filled_text_keeps_the_places_around_its_holes() {
    each_text(|name, _, text| {
        let values: Vec<String> = (0..text.holes().len()).map(|index| format!("<{index}>")).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let filled = text.fill(&values);
        assert!(filled.holes().is_empty() && !filled.as_str().contains(HOLE), "{name}");
        let mut places = Vec::new();
        let mut values = values.iter();
        let mut expected = String::new();
        for (at, character) in text.as_str().char_indices() {
            if character == HOLE {
                let value = values.next().unwrap();
                expected.push_str(value);
                places.extend(std::iter::repeat_n(text.locate(at as u32).unwrap(), value.len()));
            } else {
                expected.push(character);
                let bytes = at..at + character.len_utf8();
                places.extend(bytes.map(|at| text.locate(at as u32).unwrap()));
            }
        }
        assert_eq!(filled.as_str(), expected, "{name}");
        assert_eq!(map(&filled), places, "{name}: {expected}");
    });
}

#[test]
fn the_site_of_a_whole_text_starts_where_its_first_byte_stands() {
    each_text(|name, sources, text| {
        let length = text.as_str().len() as u32;
        let site = text.site(0, length).unwrap();
        assert_eq!(Some((site.source, site.start)), text.locate(0), "{name}");
        assert!(site.end as usize <= sources.get(site.source).unwrap().text().len(), "{name}");
    });
}

/// The texts of a tree, line breaks in one style, without their places.
fn texts(extraction: &Extraction) -> Vec<String> {
    let texts = extraction.literals.iter().flat_map(|literal| &literal.variants);
    // A string that its line ends has half of the line break in it.
    texts.map(|text| shown::line(text).replace("\\r\\n", "\\n").trim_end_matches("\\r").to_owned()).collect()
}

fn changed(sources: &Sources, change: impl Fn(&str) -> String) -> Sources {
    let sources = sources.as_slice().iter();
    Sources::of(sources.map(|source| Source::new(source.path.clone(), change(source.text()))).collect())
}

#[test]
fn a_byte_order_mark_changes_no_text() {
    let is_sql = |fixture: &super::Fixture| {
        fixture.sources.as_slice().iter().any(|one| one.path.rsplit('.').next() == Some("sql"))
    };
    for fixture in fixtures().into_iter().filter(|fixture| !is_sql(fixture)) {
        let marked = changed(&fixture.sources, |text| format!("\u{feff}{text}"));
        assert_eq!(texts(&found(&marked)), texts(&found(&fixture.sources)), "{}", fixture.name);
    }
}

/// But for those behind a backslash, which stay as they are.
#[test]
fn line_breaks_of_two_bytes_change_nothing_but_themselves() {
    for fixture in fixtures() {
        let broken = changed(&fixture.sources, |text| text.replace('\n', "\r\n").replace("\\\r\n", "\\\n"));
        assert_eq!(texts(&found(&broken)), texts(&found(&fixture.sources)), "{}", fixture.name);
    }
}

#[test]
fn a_source_cut_off_anywhere_is_read_without_fault() {
    for fixture in fixtures() {
        for source in fixture.sources.as_slice().iter().filter(|source| is_wanted(&source.path)) {
            let cuts = (0..source.text().len()).filter(|&cut| source.text().is_char_boundary(cut)).step_by(7);
            for cut in cuts {
                let cut = Source::new(source.path.clone(), source.text().get(..cut).unwrap_or(""));
                let sources = Sources::of(vec![cut]);
                for literal in found(&sources).literals {
                    for text in &literal.variants {
                        assert_eq!(map(text).len(), text.as_str().len());
                    }
                }
            }
        }
    }
}
