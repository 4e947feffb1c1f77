//! Pages that are whole, and pages that are anything.

use super::*;

/// A leaf of a table with rows of one byte.
fn leaf(cells: u16) -> Vec<u8> {
    let mut page = vec![0; 512];
    page[0] = 13;
    page[3..5].copy_from_slice(&cells.to_be_bytes());
    for number in 0..usize::from(cells) {
        let at = 512 - 5 * (number + 1);
        page[at..at + 5].copy_from_slice(&[3, number as u8 + 1, 2, 1, 7]);
        page[8 + 2 * number..10 + 2 * number].copy_from_slice(&(at as u16).to_be_bytes());
    }
    let start = 512 - 5 * cells;
    page[5..7].copy_from_slice(&start.to_be_bytes());
    page
}

#[test]
fn the_rows_of_a_leaf_are_counted_and_weighed() {
    let page = leaf(20);
    let content = Page::read(&page, 2, 512).unwrap().content().unwrap();
    assert_eq!(content, Content { rows: 20, payload: 60, overflow: 0, used: 8 + 20 * 7 });
    assert_eq!(Page::read(&page, 2, 512).unwrap().children(), Some(Vec::new()));
}

#[test]
fn a_number_takes_up_to_nine_bytes() {
    assert_eq!(varint(&[0x7f]), Some((127, 1)));
    assert_eq!(varint(&[0x81, 0x00]), Some((128, 2)));
    assert_eq!(varint(&[0xff; 9]), Some((u64::MAX, 9)));
    assert_eq!(varint(&[0xff; 8]), None);
}

#[test]
fn no_bytes_are_a_panic() {
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for round in 0..20_000_u64 {
        let mut page = leaf((random() % 60) as u16);
        page[0] = [2, 5, 10, 13][(random() % 4) as usize];
        for _ in 0..=random() % 12 {
            let at = (random() % if round % 2 == 0 { 12 } else { 512 }) as usize;
            page[at] = random() as u8;
        }
        page.truncate(if round % 7 == 0 { (random() % 513) as usize } else { 512 });
        for (number, usable) in [(1, 512), (2, 512), (2, 480), (2, 0), (2, 65_536)] {
            if let Some(page) = Page::read(&page, number, usable) {
                let _ = (page.children(), page.content());
            }
        }
    }
}
