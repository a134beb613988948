//! Promise: every handler passes the tests that every handler must pass. The PDF handler needs the real binary, and a
//! team's own needs nothing but to be named here.

use crate::{flights::Fragile, support::pdfs, support::world};
use sift_handlers::{
    conformance,
    pdf::{Pdf, PdfConfig, Program},
};

mod pdf {
    use super::*;

    fn handler() -> Pdf {
        let program = Program { path: world::sift(), args: vec!["pdftext".into()] };
        Pdf::new(PdfConfig { program, ..PdfConfig::default() })
    }

    conformance::suite!(handler(), "application/pdf", &pdfs::report(3));
}

mod fragile {
    use super::*;

    conformance::suite!(Fragile::default(), "application/x-fragile", b"words");
}
