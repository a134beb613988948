//! Tables.

use super::assert_bodies;

#[test]
fn rows_and_row_groups_are_implied() {
    assert_bodies(&[
        ("<table><td>a<th>b<tr><td>c", r#"table(tbody(tr(td("a") th("b")) tr(td("c"))))"#),
        (
            "<table><thead><td>a<tbody><tr><td>b<tfoot><td>c",
            r#"table(thead(tr(td("a"))) tbody(tr(td("b"))) tfoot(tr(td("c"))))"#,
        ),
        ("<table><col><col><td>a", r#"table(colgroup(col col) tbody(tr(td("a"))))"#),
        ("<table><caption>a<tr><td>b", r#"table(caption("a") tbody(tr(td("b"))))"#),
    ]);
}

#[test]
fn what_has_no_place_in_a_table_is_put_before_it() {
    assert_bodies(&[
        ("<table>a<tr>b<td>c</td>d", r#""abd" table(tbody(tr(td("c"))))"#),
        ("<table><div>a<p>b</div><tr><td>c", r#"div("a" p("b")) table(tbody(tr(td("c"))))"#),
        ("<table><a>a<tr><td>b", r#"a("a") table(tbody(tr(td("b"))))"#),
        ("<table> <tr> <td>a", r#"table(" " tbody(tr(" " td("a"))))"#),
        ("<table><input type=HIDDEN><input><form>", "input table(input form)"),
    ]);
}

#[test]
fn tables_nest_only_in_cells() {
    assert_bodies(&[
        ("<table><td><table><td>a</table>b</table>c", r#"table(tbody(tr(td(table(tbody(tr(td("a")))) "b")))) "c""#),
        ("<table><tr><table><td>a", r#"table(tbody(tr)) table(tbody(tr(td("a"))))"#),
        ("<tr><td>a</td></tr>", r#""a""#),
    ]);
}

#[test]
fn the_end_of_a_part_ends_what_it_holds() {
    assert_bodies(&[
        ("<table><td><p><b>a</table>b", r#"table(tbody(tr(td(p(b("a")))))) "b""#),
        ("<table><td>a</tbody><tr><td>b", r#"table(tbody(tr(td("a"))) tbody(tr(td("b"))))"#),
        ("<table><caption><p>a</table>b", r#"table(caption(p("a"))) "b""#),
    ]);
}
