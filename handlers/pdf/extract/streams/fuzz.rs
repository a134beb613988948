//! The decoders for whoever throws bytes at them.

use super::{ascii, flate, instructions, lzw, predictor};

/// The places that may be searched for a lost block.
const TRIES: usize = 20_000;

pub(in super::super) fn flate(bytes: &[u8], room: usize) {
    assert!(flate::decode(bytes, room, &mut { TRIES }).0.len() <= room);
    let _ = flate::sniff(bytes, room);
}

pub(in super::super) fn lzw(bytes: &[u8], room: usize) {
    assert!(lzw::decode(bytes, true, room).len() <= room);
    assert!(lzw::decode(bytes, false, room).len() <= room);
}

pub(in super::super) fn text(bytes: &[u8], room: usize) {
    for decode in [ascii::base_85, ascii::hex, ascii::run_length] {
        assert!(decode(bytes, room).len() <= room);
    }
}

pub(in super::super) fn predictor(bytes: &[u8]) {
    if let Some((&[kind, colors, bits, columns], data)) = bytes.split_first_chunk() {
        let undone = predictor::Predictor::new(kind, colors, bits, columns).undo(data.to_vec());
        assert!(undone.len() <= data.len());
    }
}

pub(in super::super) fn instructions(bytes: &[u8]) {
    let clean = instructions::clean(bytes);
    assert_eq!(instructions::clean(&clean), clean, "clean instructions stay as they are");
}
