//! Tables.

use super::md;

#[test]
fn a_table_has_a_head() {
    assert_eq!(md("<table><thead><tr><th>A<th>B</thead><tr><td>1<td>2</table>"), "| A | B |\n| --- | --- |\n| 1 | 2 |");
    assert_eq!(md("<table><tr><td>1<td>2<tr><td>3<td>4</table>"), "| | |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |");
}

#[test]
fn spans_keep_the_cells_in_their_columns() {
    let html =
        "<table><tr><th>A<th>B<th>C<tr><td colspan=2>wide<td>end<tr><td rowspan=2>tall<td>1<td>2<tr><td>3<td>4</table>";
    assert_eq!(md(html), "| A | B | C |\n| --- | --- | --- |\n| wide | | end |\n| tall | 1 | 2 |\n| | 3 | 4 |");
}

#[test]
fn columns_keep_their_alignment() {
    let html = "<table><tr><th align=right>A<th style='text-align: center'>B<tr><td>1<td>2</table>";
    assert_eq!(md(html), "| A | B |\n| ---: | :---: |\n| 1 | 2 |");
}

#[test]
fn pipes_and_lines_of_cells_are_written_so_that_the_row_is_one_line() {
    let html = "<table><tr><th>A<th>B<tr><td>x|y<td><code>a|b</code><tr><td><p>p</p><p>q<br>r</p><td><ul><li>x<li>y</ul>\
                <tr><td><pre>a\nb</pre><td><a href='/a|b'>l</a></table>";
    assert_eq!(
        md(html),
        "| A | B |\n| --- | --- |\n| x\\|y | `a\\|b` |\n| p<br>q<br>r | - x<br>- y |\n| `a`<br>`b` | [l](https://e.test/a%7Cb) |"
    );
}

#[test]
fn empty_rows_and_columns_go() {
    assert_eq!(
        md("<table><tr><th>A<th><th>B<tr><td> <td><td><tr><td>1<td><td>2</table>"),
        "| A | B |\n| --- | --- |\n| 1 | 2 |"
    );
}

#[test]
fn a_caption_stands_before_its_table() {
    assert_eq!(
        md("<table><caption>C</caption><tr><th>A<th>B<tr><td>1<td>2</table>"),
        "*C*\n\n| A | B |\n| --- | --- |\n| 1 | 2 |"
    );
}

#[test]
fn a_table_within_a_table_is_flat() {
    let html = "<table><tr><th>A<th>B<tr><td>1<td><table><tr><td>n<td>m<tr><td>o</table></table>";
    assert_eq!(md(html), "| A | B |\n| --- | --- |\n| 1 | n m<br>o |");
}

#[test]
fn a_table_that_lays_out_the_page_is_not_one_of_data() {
    assert_eq!(md("<table><tr><td>only<td>row</table>"), "only row");
    assert_eq!(md("<table><tr><td>one<tr><td>column</table>"), "one\n\ncolumn");
    assert_eq!(md("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>"), "a b\n\nc d");
    assert_eq!(md("<table><tr><td>a<td><h2>H</h2><tr><td>c<td>d</table>"), "a\n\n## H\n\nc d");
    let outer = "<table><tr><td>nav<td><table><tr><th>A<th>B<tr><td>1<td>2</table><tr><td>x<td>y</table>";
    assert_eq!(md(outer), "nav\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\nx y");
    let listing = "<table><tr><td>1.<td>Story<tr><td><td>by me<tr><td>2.<td>Other<tr><td><td>by you</table>";
    assert_eq!(md(listing), "1\\. Story\n\nby me\n\n2\\. Other\n\nby you");
}
