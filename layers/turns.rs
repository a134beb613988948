//! One exclusive job per caller, however many of its requests share that job.

use crate::{caller::Caller, error::Error, key::Key};
use parking_lot::Mutex;
use std::{
    collections::{HashMap, hash_map::Entry},
    fmt,
    sync::Arc,
};

/// Which caller is busy with what.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<HashMap<Caller, (Key, usize)>>>);

/// A caller's part in its one job. Dropping it gives the turn back.
pub struct Turn {
    turns: Turns,
    caller: Caller,
}

impl Turns {
    /// Takes the caller's turn for `key`. Sharing its own job is free; another one is [`Error::CallerBusy`].
    pub fn take(&self, caller: &Caller, key: &Key) -> Result<Turn, Error> {
        match self.0.lock().entry(caller.clone()) {
            Entry::Vacant(free) => {
                free.insert((key.clone(), 1));
            }
            Entry::Occupied(mut busy) => {
                let (job, riders) = busy.get_mut();
                if job != key {
                    return Err(Error::CallerBusy);
                }
                *riders += 1;
            }
        }
        Ok(Turn { turns: self.clone(), caller: caller.clone() })
    }
}

impl fmt::Debug for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Turns({} callers)", self.0.lock().len())
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Turn(..)")
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Entry::Occupied(mut busy) = self.turns.0.lock().entry(self.caller.clone()) {
            busy.get_mut().1 -= 1;
            if busy.get().1 == 0 {
                busy.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{caller::Class, key::Variant, url::PageUrl};

    #[test]
    fn a_caller_shares_its_own_job_and_gets_no_second_one() {
        let turns = Turns::default();
        let key = |url| Key::new(Class::Fleet, PageUrl::parse(url).unwrap(), Variant::default());
        let (a, b) = (key("http://example.com/a"), key("http://example.com/b"));
        let (ann, ben) = (Caller::new("ann", Class::Fleet), Caller::new("ben", Class::Fleet));
        let first = turns.take(&ann, &a).unwrap();
        let shared = turns.take(&ann, &a).unwrap();
        assert_eq!(turns.take(&ann, &b).unwrap_err(), Error::CallerBusy);
        assert!(turns.take(&ben, &b).is_ok(), "another caller has a turn of its own");
        drop(first);
        assert_eq!(turns.take(&ann, &b).unwrap_err(), Error::CallerBusy);
        drop(shared);
        assert!(turns.take(&ann, &b).is_ok());
    }
}
