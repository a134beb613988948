use super::{
    super::{
        frames::{Frame, Placed},
        glyph::Text,
        rows,
    },
    *,
};

/// Letters are narrower than digits.
fn placed(u: f32, v: f32, text: &str) -> Vec<Placed> {
    let mut u1 = u;
    let glyph = |c: char| {
        let u0 = u1;
        u1 += if c.is_ascii_digit() { 5.0 } else { 4.0 };
        Placed { text: Text::Char(c), u0, u1, v, size: 10.0, face: 0, content: -1, blank: c == ' ' }
    };
    text.chars().map(glyph).collect()
}

/// Rows of texts, each at its abscissa, twelve points apart.
fn page(lines: &[&[(f32, &str)]]) -> Vec<Row> {
    let placed = lines
        .iter()
        .enumerate()
        .flat_map(|(n, line)| line.iter().flat_map(move |(u, text)| placed(*u, 12.0 * (n as f32 + 1.0), text)));
    rows::rows(Frame { placed: placed.collect(), ..Frame::default() })
}

fn texts(rows: &[Row]) -> Vec<String> {
    rows.iter().filter_map(|row| row.text.clone()).collect()
}

#[test]
fn columns_of_numbers_under_a_header_are_a_table() {
    let rows = page(&[
        &[(0.0, "State"), (100.0, "Jan"), (150.0, "Feb")],
        &[(0.0, "Ohio"), (100.0, "12"), (150.0, "3.5")],
        &[(0.0, "Iowa a|b"), (100.0, "7"), (150.0, "-")],
        &[(0.0, "Utah"), (100.0, "9"), (150.0, "4.0")],
    ]);
    let table =
        "| State | Jan | Feb |\n| --- | --- | --- |\n| Ohio | 12 | 3.5 |\n| Iowa a\\|b | 7 | - |\n| Utah | 9 | 4.0 |";
    assert_eq!(texts(&replace(rows, &[])), [table]);
}

#[test]
fn leaders_are_no_cells_and_empty_cells_stay_empty() {
    let rows = page(&[
        &[(0.0, "Coal......"), (100.0, "12"), (150.0, "3.5"), (200.0, "1")],
        &[(0.0, "Gas......."), (100.0, "7"), (200.0, "2")],
        &[(0.0, "Oil......."), (100.0, "9"), (150.0, "4.0"), (200.0, "3")],
    ]);
    let text = texts(&replace(rows, &[])).concat();
    assert!(text.ends_with("| Coal | 12 | 3.5 | 1 |\n| Gas | 7 | | 2 |\n| Oil | 9 | 4.0 | 3 |"), "{text}");
}

#[test]
fn contents_and_running_text_are_no_tables() {
    let contents = page(&[
        &[(0.0, "1.1"), (40.0, "Birds"), (300.0, "3")],
        &[(0.0, "1.2"), (40.0, "Fishes"), (300.0, "7")],
        &[(0.0, "1.3"), (40.0, "Insects"), (300.0, "9")],
    ]);
    assert!(texts(&replace(contents, &[])).is_empty());
    let line: &[(f32, &str)] = &[(0.0, "In 1990 we saw 3 of them"), (200.0, "and later on there were 5")];
    assert!(texts(&replace(page(&[line; 6]), &[])).is_empty());
}

#[test]
fn bare_numbers_are_a_table_only_between_lines() {
    let lines: &[&[(f32, &str)]] = &[
        &[(0.0, "1"), (50.0, "0"), (100.0, "0")],
        &[(0.0, "0"), (50.0, "1"), (100.0, "0")],
        &[(0.0, "0"), (50.0, "0"), (100.0, "1")],
    ];
    assert!(texts(&replace(page(lines), &[])).is_empty());
    let upright = |u: f32| Rule { from: [u, 0.0], to: [u, 40.0] };
    assert_eq!(texts(&replace(page(lines), &[upright(25.0), upright(75.0)])).len(), 1);
}

#[test]
fn columns_on_the_raster_of_a_typewriter_are_a_listing() {
    let lines: &[&[(f32, &str)]] = &[
        &[(0.0, "name"), (100.0, "calls"), (150.0, "self")],
        &[(0.0, "main"), (100.0, "12"), (150.0, "3.5")],
        &[(0.0, "open"), (100.0, "7"), (150.0, "4.1")],
        &[(0.0, "read"), (100.0, "9"), (150.0, "4.0")],
    ];
    assert_eq!(texts(&replace(page(lines), &[])).len(), 1);
    let mut typed = page(lines);
    for segment in typed.iter_mut().flat_map(|row| &mut row.segments) {
        let u0 = segment.u0;
        for (n, one) in segment.placed.iter_mut().enumerate() {
            one.u0 = u0 + 5.0 * n as f32;
            one.u1 = one.u0 + 5.0;
        }
    }
    assert!(texts(&replace(typed, &[])).is_empty());
}
