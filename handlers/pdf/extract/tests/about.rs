//! What a document says besides its pages: fields, notes, links, outline, structure, labels, title.

use super::*;

#[test]
fn field_values_without_an_appearance_are_read_and_hidden_fields_are_not() {
    let pdf = one_page(
        "BT /F1 10 Tf 20 300 Td (Name:) Tj ET",
        "/Annots[6 0 R 7 0 R]",
        "",
        &[
            "<</Type/Annot/Subtype/Widget/FT/Tx/V(Ostrich)/Rect[60 296 200 310]>>",
            "<</Type/Annot/Subtype/Widget/FT/Tx/V(secret)/F 2/Rect[60 200 200 214]>>",
        ],
    );
    assert_eq!(read(pdf)[1].text.as_deref(), Some("Name: Ostrich"));
}

/// The text of a page with one widget in its middle that nothing is drawn in.
fn widget(entries: &str) -> String {
    let widget = format!("<</Subtype/Widget/Rect[60 200 300 214]{entries}>>");
    read(one_page("", "/Annots[6 0 R]", "", &[&widget]))[1].text.clone().unwrap()
}

#[test]
fn fields_show_what_a_viewer_would_write_into_them() {
    for (entries, shown) in [
        ("/FT/Tx/V(typed)/DV(default)/TU(tooltip)/T(name)", "typed"),
        ("/FT/Tx/DV(default)/TU(tooltip)/T(name)", ""),
        ("/FT/Tx/V(secret)/Ff 8192", ""),
        ("/FT/Ch/V(b)/Opt[[(a)(Anna)][(b)(Berta)]]", "Berta"),
        ("/FT/Ch/V(c)/Opt[(c)(d)]", "c"),
        ("/FT/Ch/Opt[(c)(d)]", ""),
        ("/Parent<</FT/Tx/V(inherited)>>", "inherited"),
        ("/FT/Btn/AS/Yes/V/Yes", "[x]"),
        ("/FT/Btn/AS/Off/V/Off", ""),
        ("/FT/Btn/AS/Off/V/other/Ff 32768", ""),
        ("/FT/Btn/V/Yes", "[x]"),
        ("/FT/Btn/V/Yes/Ff 65536", ""),
        ("/FT/Sig/V<<>>", ""),
    ] {
        assert_eq!(widget(entries), shown, "{entries}");
    }
}

#[test]
fn a_value_that_the_page_draws_is_not_written_again() {
    let filled = "<</Subtype/Widget/FT/Tx/V(typed)/Rect[60 200 300 214]>>";
    let pdf = one_page("BT /F1 10 Tf 64 204 Td (typed) Tj ET", "/Annots[6 0 R]", "", &[filled]);
    assert_eq!(read(pdf)[1].text.as_deref(), Some("typed"));
}

#[test]
fn a_long_value_stays_within_its_field() {
    let value = "a full value of all letters in a narrow field";
    let narrow = format!("<</Subtype/Widget/FT/Tx/V({value})/Rect[60 200 120 214]>>");
    let pdf = one_page("BT /F1 10 Tf 150 204 Td (label) Tj ET", "/Annots[6 0 R]", "", &[&narrow]);
    assert_eq!(read(pdf)[1].text.as_deref(), Some(&*format!("{value}  label")));
}

#[test]
fn notes_are_marked_as_such() {
    let note = "<</Subtype/Text/Contents(check this)/Rect[60 200 80 214]>>";
    assert_eq!(read(one_page("", "/Annots[6 0 R]", "", &[note]))[1].text.as_deref(), Some("Note: check this"));
}

#[test]
fn embedded_files_are_listed() {
    let pdf = one_page(
        "",
        "/Annots[8 0 R]",
        "/Names<</EmbeddedFiles 9 0 R>>",
        &[
            &stream("/Subtype/text#2Fcsv/Params<</Size 1234>>", "a,b"),
            &stream("", "four"),
            "<</Subtype/FileAttachment/FS<</F(note.txt)/EF<</F 7 0 R>>>>/Rect[0 0 9 9]>>",
            "<</Kids[10 0 R 9 0 R]>>",
            "<</Names[(key)<</UF(data.csv)/EF<</F 6 0 R>>>>(not there)<</F(x)>>(key only)<</EF<</F 7 0 R>>>>]>>",
        ],
    );
    let lines = read(pdf);
    let listed = |files: &[Attachment]| -> Vec<(String, Option<u64>, Option<String>)> {
        files.iter().map(|file| (file.name.clone(), file.size, file.media_type.clone())).collect()
    };
    let csv = ("data.csv".to_owned(), Some(1234), Some("text/csv".to_owned()));
    let named = listed(&lines[0].meta.as_ref().unwrap().attachments);
    assert_eq!(named, [csv, ("key only".to_owned(), Some(4), None)]);
    assert_eq!(listed(&lines[1].attachments), [("note.txt".to_owned(), Some(4), None)]);
}

#[test]
fn links_of_a_page_come_once_each() {
    let link = "<</Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.test/a)>>>>";
    let pdf =
        one_page("", "/Annots[6 0 R 6 0 R 7 0 R]", "", &[link, "<</Subtype/Link/Rect[0 0 9 9]/Dest[3 0 R/Fit]>>"]);
    let links = read(pdf)[1].links.clone();
    assert_eq!(links.iter().map(|link| link.url.as_str()).collect::<Vec<_>>(), ["https://example.test/a"]);
}

#[test]
fn an_outline_knows_every_kind_of_destination_and_drops_the_broken() {
    let pdf = one_page(
        "",
        "",
        "/Outlines 6 0 R/Names<</Dests<</Names[(n)[3 0 R/Fit]]>>>>/Dests<</old<</D[3 0 R/Fit]>>>>",
        &[
            "<</First 7 0 R>>",
            "<</Title(direct)/Dest[3 0 R/Fit]/Next 8 0 R/First 11 0 R>>",
            "<</Title(named)/Dest(n)/Next 9 0 R>>",
            "<</Title(action)/A<</S/GoTo/D/old>>/Next 10 0 R>>",
            "<</Title(broken)/Dest[99 0 R/Fit]/Next 7 0 R/First 8 0 R>>",
            "<</Title(child)/Dest[0/Fit]/Next 11 0 R>>",
        ],
    );
    let outline = meta(pdf).outline;
    let items: Vec<_> = outline.iter().map(|item| (item.level, item.title.as_str(), item.page)).collect();
    assert_eq!(items, [(1, "direct", 1), (2, "child", 1), (1, "named", 1), (1, "action", 1)]);
}

#[test]
fn an_outline_follows_structure_destinations_and_drops_what_leads_elsewhere() {
    let pdf = one_page(
        "",
        "",
        "/Outlines<</First 6 0 R>>",
        &[
            "<</Title(element)/SE 11 0 R/Next 7 0 R>>",
            "<</Title(action)/A<</S/GoTo/SD[11 0 R/Fit]>>/Next 8 0 R>>",
            "<</Title(lost)/SE 13 0 R/Next 9 0 R>>",
            "<</Title(remote)/A<</S/GoToR/F(x.pdf)/D[0/Fit]>>/Next 10 0 R/First 14 0 R>>",
            "<</Title(web)/A<</S/URI/URI(https://a.example)>>>>",
            "<</S/Sect/K[12 0 R]>>",
            "<</S/P/K 0/Pg 3 0 R>>",
            "<</S/Sect/K[13 0 R]>>",
            "<</Title(child of remote)/Dest[3 0 R/Fit]>>",
        ],
    );
    let outline = meta(pdf).outline;
    let items: Vec<_> = outline.iter().map(|item| (item.level, item.title.as_str(), item.page)).collect();
    assert_eq!(items, [(1, "element", 1), (1, "action", 1), (2, "child of remote", 1)]);
}

/// Two columns, each marked content of its own, with the tree `kids`.
fn tagged(marks: &str, kids: &str) -> String {
    let left = ["alpha beta gamma delta", "epsilon zeta eta theta", "iota kappa lambda mu n", "xi omicron pi rho sigm"];
    let right =
        ["ONE TWO THREE FOUR FIV", "SIX SEVEN EIGHT NINE T", "ELEVEN TWELVE THIRTEEN", "FOURTEEN FIFTEEN SIXTE"];
    let content = format!(
        "/P<</MCID 0>>BDC {}EMC /P<</MCID 1>>BDC {}EMC /P<</MCID 2>>BDC {}EMC",
        column(20, 300, &left[..2]),
        column(20, 276, &left[2..]),
        column(200, 300, &right),
    );
    let catalog = format!("/MarkInfo<<{marks}>>/StructTreeRoot 6 0 R");
    read(one_page(&content, "", &catalog, &[kids]))[1].text.clone().unwrap()
}

#[test]
fn a_tree_that_agrees_with_the_page_tells_which_column_is_read_first() {
    let first = |text: String| text.split(' ').next().map(str::to_owned);
    let right = Some("ONE".to_owned());
    let left = Some("alpha".to_owned());
    let marked = "/Marked true";
    assert_eq!(first(tagged(marked, "<</K<</S/Div/Pg 3 0 R/K[2 0 1]>>>>")), right);
    assert_eq!(first(tagged(marked, "<</K[<</Pg 3 0 R/K 2>><</Pg 3 0 R/K[0<</MCID 1>>]>>]>>")), right);
    // Not tagged, in doubt, mixed up, knows too little, loops, another page's.
    assert_eq!(first(tagged("", "<</K<</Pg 3 0 R/K[2 0 1]>>>>")), left);
    assert_eq!(first(tagged("/Marked true/Suspects true", "<</K<</Pg 3 0 R/K[2 0 1]>>>>")), left);
    assert_eq!(first(tagged(marked, "<</K<</Pg 3 0 R/K[0 2 1]>>>>")), left);
    assert_eq!(first(tagged(marked, "<</K<</Pg 3 0 R/K[2 0]>>>>")), left);
    assert_eq!(first(tagged(marked, "<</K[6 0 R 6 0 R<</Pg 3 0 R/K[0 1 2]>>]>>")), left);
    assert_eq!(first(tagged(marked, "<</K<</Pg 2 0 R/K[2 0 1]>>>>")), left);
}

#[test]
fn a_tree_that_is_too_deep_to_be_read_by_steps_within_steps_is_read() {
    let mut kids: Vec<String> = (7..3000).map(|n| format!("<</K {n} 0 R/Pg 3 0 R>>")).collect();
    kids.push("<</K 0/ActualText(deep)>>".to_owned());
    let kids: Vec<&str> = kids.iter().map(String::as_str).collect();
    let content = "/P<</MCID 0>>BDC BT /F1 10 Tf 20 300 Td (shallow) Tj ET EMC";
    let lines = read(one_page(content, "", "/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R", &kids));
    assert_eq!(lines[1].text.as_deref(), Some("deep"));
}

#[test]
fn the_replacement_text_of_an_element_wins_over_its_glyphs() {
    let content = "/P<</MCID 0>>BDC BT /F1 10 Tf 20 300 Td (wr) Tj ET EMC \
        /P<</MCID 1>>BDC BT /F1 10 Tf 32 300 Td (ong) Tj ET EMC BT /F1 10 Tf 56 300 Td (text) Tj ET";
    let tree = |kids: &str| {
        let catalog = format!("/MarkInfo<</Marked true>>/StructTreeRoot<</K[{kids}]>>");
        read(one_page(content, "", &catalog, &[]))[1].text.clone().unwrap()
    };
    assert_eq!(tree("<</Pg 3 0 R/ActualText(right)/K[0 1]>>"), "right text");
    assert_eq!(tree("<</Pg 3 0 R/ActualText(right)/K[0<</S/Span/K 1>>]>>"), "right text");
    // The same text for two elements stands twice.
    assert_eq!(tree("<</Pg 3 0 R/ActualText(so)/K 0>><</Pg 3 0 R/ActualText(so)/K 1>>"), "soso text");
    assert_eq!(tree("<</Pg 3 0 R/ActualText(right)/K 7>>"), "wrong text");
}

#[test]
fn labels_are_given_unless_they_are_the_plain_numbers() {
    let labelled = |tree: &str| meta(one_page("", "", &format!("/PageLabels {tree}"), &[])).labels;
    assert_eq!(labelled("<</Nums[0<</S/r/St 4/P(p-)>>]>>"), ["p-iv"]);
    assert_eq!(labelled("<</Kids[<</Nums[0<</P(Cover)>>]>>]>>"), ["Cover"]);
    assert_eq!(labelled("<</Nums[0<</S/A/St 28>>]>>"), ["BB"]);
    assert_eq!(labelled("<</Nums[0<</S/R/St -7>>]>>"), ["I"]);
    for broken in ["<</Nums[0<</S/D>>]>>", "<</Nums[(x)<</S/r>>]>>", "<</Nums[7<</S/r>>]>>", "<</Nums[0 5]>>", "[]"] {
        assert!(labelled(broken).is_empty(), "{broken}");
    }
    assert!(meta(one_page("", "", "", &[])).labels.is_empty());
}

#[test]
fn trees_that_loop_are_read_once() {
    let labels = "<</Nums[0<</S/A>>]/Kids[6 0 R 6 0 R]>>";
    let names = "<</Names[(n)[3 0 R/Fit]]/Kids[7 0 R 7 0 R]>>";
    let catalog = "/PageLabels 6 0 R/Names<</Dests 7 0 R>>/Outlines<</First 8 0 R>>";
    let meta = meta(one_page("", "", catalog, &[labels, names, "<</Title(named)/Dest(n)>>"]));
    assert_eq!((meta.labels.as_slice(), meta.outline.len()), (&["A".to_owned()][..], 1));
}

#[test]
fn a_long_outline_is_cut_at_ten_thousand_items() {
    for (made, kept) in [(9_999, 9_999), (10_000, 10_000), (10_001, 10_000)] {
        let items: Vec<String> =
            (0..made).map(|n| format!("<</Title(t{n})/Dest[3 0 R/Fit]/Next {} 0 R>>", n + 7)).collect();
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        let outline = meta(one_page("", "", "/Outlines<</First 6 0 R>>", &items)).outline;
        assert_eq!(outline.len(), kept);
    }
}

#[test]
fn the_title_is_the_largest_text_when_no_person_gave_one() {
    let content = "BT /F1 10 Tf 20 380 Td (Acme) Tj /F1 20 Tf 0 -40 Td (A Study) Tj /F1 10 Tf 0 -40 Td (Body) Tj ET";
    assert_eq!(meta(one_page(content, "", "", &[])).title.as_deref(), Some("A Study"));
}
