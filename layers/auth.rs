//! Who asks: the bearer token, and what its caller may have at once and per minute.
//!
//! Tokens are known by their SHA-256 only. A token is compared with all of them, each in constant time, so the answer's
//! time says neither whether nor where it matched.

use crate::{
    caller::{Caller, Class},
    error::Error,
    observe::Asking,
    stage::{Http, Refuse, around},
};
use http::{HeaderMap, Request, header};
use parking_lot::{Mutex, RwLock};
use sha2::{Digest, Sha256};
use std::{collections::HashMap, fmt, num::NonZeroU32, sync::Arc, time::Duration};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use tokio::time::Instant;
use tower::{Layer, ServiceExt};

/// The name of whoever asks while no caller is configured.
pub const LOCAL: &str = "local";

/// What rates are counted by.
const MINUTE: Duration = Duration::from_mins(1);

/// A caller, as the operator configured it.
#[derive(Clone, PartialEq, Eq)]
pub struct Known {
    /// Its name, unique among callers.
    pub name: String,
    /// Its partition.
    pub class: Class,
    /// The SHA-256 of its token.
    pub token_sha256: [u8; 32],
    /// The most requests at once; none = no limit of its own.
    pub max_in_flight: Option<NonZeroU32>,
    /// The most requests per minute, in the long run; one minute's may come at once. None = no limit.
    pub rate: Option<NonZeroU32>,
}

/// The callers of this process. Clones share them; they can be replaced while requests are under way.
#[derive(Clone)]
pub struct Callers(Arc<RwLock<Arc<[Arc<Entry>]>>>);

/// The last caller was taken away, which would have opened the process to everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no caller is left; a process that had callers is opened to everybody by a restart only")]
pub struct NobodyLeft;

struct Entry {
    known: Known,
    caller: Caller,
    usage: Arc<Mutex<Usage>>,
}

/// What a caller has used of its limits. Kept by name when callers are replaced.
struct Usage {
    in_flight: u32,
    /// When the requests so far would have ended, had they come evenly (the "theoretical arrival time" of a GCRA, which
    /// is a token bucket without a tick).
    paid_until: Instant,
}

/// A request under way. Dropping it gives its place back.
struct Admitted(Option<Arc<Entry>>);

/// Finds the caller of every request by its `Authorization: Bearer` header, and puts its [`Caller`] into the request's
/// extensions. Without one it is [`Error::Unauthenticated`], above its limits [`Error::RateLimited`].
pub fn bearer<S, B, RB>(
    callers: Callers,
    refuse: Refuse<RB>,
) -> impl Layer<S, Service: Http<B, RB, Error = S::Error>> + Clone
where
    S: Http<B, RB>,
    S::Error: Send + 'static,
    B: Send + 'static,
    RB: Send + 'static,
{
    around(
        (callers, refuse),
        |(callers, refuse): (Callers, Refuse<RB>), inner: S, mut request: Request<B>| async move {
            let found = callers.find(request.headers());
            if let (Some(asking), Ok((caller, _))) = (request.extensions().get::<Asking>(), &found) {
                asking.is(caller);
            }
            let admitted = found.and_then(|(caller, entry)| Ok((caller, Admitted::within_limits(entry)?)));
            let (caller, _admitted) = match admitted {
                Ok(admitted) => admitted,
                Err(error) => return Ok(refuse(request.uri(), request.extensions(), error)),
            };
            request.extensions_mut().insert(caller);
            inner.oneshot(request).await
        },
    )
}

// === impl Known ===

/// Names and limits; never the digest.
impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Known({}, {})", self.name, self.class.as_str())
    }
}

// === impl Callers ===

impl Callers {
    /// These callers and nobody else; or, when there are none, everybody as one fleet caller named [`LOCAL`].
    pub fn new(known: Vec<Known>) -> Self {
        Self(Arc::new(RwLock::new(entries(known, &[]))))
    }

    /// Puts these in the place of those before: all at once, from the next request on, also on open connections. A
    /// caller of the same name goes on with what it has used.
    pub fn replace(&self, known: Vec<Known>) -> Result<(), NobodyLeft> {
        let mut entries_now = self.0.write();
        if known.is_empty() && !entries_now.is_empty() {
            return Err(NobodyLeft);
        }
        *entries_now = entries(known, &entries_now);
        Ok(())
    }

    /// Whether everybody is let in.
    pub fn is_open(&self) -> bool {
        self.0.read().is_empty()
    }

    fn find(&self, headers: &HeaderMap) -> Result<(Caller, Option<Arc<Entry>>), Error> {
        let entries = self.0.read().clone();
        if entries.is_empty() {
            return Ok((Caller::new(LOCAL, Class::Fleet), None));
        }
        let digest: [u8; 32] = Sha256::digest(token(headers).unwrap_or_default()).into();
        // The position, or one past the end. Written without a branch on what matched.
        let (mut found, mut at) = (u64::MAX, 0);
        for entry in entries.iter() {
            let same: Choice = entry.known.token_sha256.ct_eq(&digest);
            found.conditional_assign(&at, same);
            at += 1;
        }
        let entry = usize::try_from(found).ok().and_then(|found| entries.get(found)).ok_or(Error::Unauthenticated)?;
        Ok((entry.caller.clone(), Some(entry.clone())))
    }
}

impl fmt::Debug for Callers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.read().iter().map(|entry| &entry.caller)).finish()
    }
}

impl Default for Callers {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

fn entries(known: Vec<Known>, before: &[Arc<Entry>]) -> Arc<[Arc<Entry>]> {
    let before: HashMap<_, _> = before.iter().map(|entry| (entry.caller.name(), &entry.usage)).collect();
    let entry = |known: Known| {
        let usage = before.get(known.name.as_str()).map(|usage| Arc::clone(usage));
        let usage = usage.unwrap_or_else(|| Arc::new(Mutex::new(Usage { in_flight: 0, paid_until: Instant::now() })));
        Arc::new(Entry { caller: Caller::new(&known.name, known.class), known, usage })
    };
    known.into_iter().map(entry).collect()
}

/// The token of the one `Authorization: Bearer` header. Two headers are two opinions, so none.
fn token(headers: &HeaderMap) -> Option<&[u8]> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let (scheme, token) = value.as_bytes().split_at_checked("bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| token.trim_ascii()).filter(|token| !token.is_empty())
}

// === impl Admitted ===

impl Admitted {
    fn within_limits(entry: Option<Arc<Entry>>) -> Result<Self, Error> {
        if let Some(entry) = &entry {
            let Known { max_in_flight, rate, .. } = entry.known;
            let mut used = entry.usage.lock();
            if max_in_flight.is_some_and(|max| used.in_flight >= max.get()) {
                return Err(Error::RateLimited);
            }
            if let Some(rate) = rate {
                let now = Instant::now();
                let paid_until = used.paid_until.max(now) + MINUTE / rate.get();
                if paid_until > now + MINUTE {
                    return Err(Error::RateLimited);
                }
                used.paid_until = paid_until;
            }
            used.in_flight += 1;
        }
        Ok(Self(entry))
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        if let Some(entry) = &self.0 {
            entry.usage.lock().in_flight -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::{Response, StatusCode, Uri};
    use std::{convert::Infallible, future::Future};
    use tower::service_fn;

    /// Answers with the caller's name, after a second.
    fn service(callers: Callers) -> impl Http<(), String, Error = Infallible> {
        bearer(callers, refuse).layer(service_fn(|request: Request<()>| async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let caller = request.extensions().get::<Caller>().cloned().unwrap();
            Ok(Response::new(format!("{caller:?}")))
        }))
    }

    fn refuse(_: &Uri, _: &http::Extensions, error: Error) -> Response<String> {
        let status = if error == Error::Unauthenticated { 401 } else { 429 };
        Response::builder().status(StatusCode::from_u16(status).unwrap()).body(error.code().to_owned()).unwrap()
    }

    fn ask(callers: &Callers, authorization: &[&str]) -> impl Future<Output = (u16, String)> + use<> {
        let mut request = Request::get("/");
        for value in authorization {
            request = request.header("authorization", *value);
        }
        let response = service(callers.clone()).oneshot(request.body(()).unwrap());
        async move {
            let response = response.await.unwrap();
            (response.status().as_u16(), response.into_body())
        }
    }

    fn known(name: &str, class: Class, token: &str) -> Known {
        let token_sha256 = Sha256::digest(token).into();
        Known { name: name.to_owned(), class, token_sha256, max_in_flight: None, rate: None }
    }

    fn two() -> Vec<Known> {
        vec![known("ann", Class::Fleet, "ann's token"), known("ben", Class::Restricted, "ben's token")]
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_names_its_caller_and_nothing_else_does() {
        let callers = Callers::new(two());
        assert_eq!(ask(&callers, &["Bearer ann's token"]).await, (200, "ann(fleet)".to_owned()));
        assert_eq!(ask(&callers, &["bEARER  ben's token "]).await, (200, "ben(restricted)".to_owned()));
        let refused: [&[&str]; 9] = [
            &[],
            &[""],
            &["Bearer"],
            &["Bearer "],
            &["Bearer ann's toke"],
            &["Bearer ann's token2"],
            &["Basic ann's token"],
            &["ann's token"],
            &["Bearer ann's token", "Bearer ann's token"],
        ];
        for authorization in refused {
            assert_eq!(ask(&callers, authorization).await, (401, "unauthenticated".to_owned()), "{authorization:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn without_callers_everybody_is_the_local_fleet_caller() {
        for authorization in [&[][..], &["Bearer anything"]] {
            assert_eq!(ask(&Callers::default(), authorization).await, (200, "local(fleet)".to_owned()));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn callers_are_replaced_from_the_next_request_on_but_never_by_nobody() {
        let callers = Callers::new(two());
        let under_way = tokio::spawn(ask(&callers, &["Bearer ann's token"]));
        tokio::task::yield_now().await;
        callers.replace(vec![known("cat", Class::Fleet, "cat's token")]).unwrap();
        assert_eq!(ask(&callers, &["Bearer ann's token"]).await.0, 401);
        assert_eq!(ask(&callers, &["Bearer cat's token"]).await.0, 200);
        assert_eq!(under_way.await.unwrap().0, 200, "a request under way isn't dropped");
        assert_eq!(callers.replace(Vec::new()), Err(NobodyLeft));
        assert_eq!(ask(&callers, &[]).await.0, 401, "the old ones hold");
    }

    #[tokio::test(start_paused = true)]
    async fn requests_at_once_are_limited_by_caller_also_across_a_replacement() {
        let limited = || {
            let [mut ann, ben] = <[Known; 2]>::try_from(two()).unwrap();
            ann.max_in_flight = NonZeroU32::new(2);
            vec![ann, ben]
        };
        let callers = Callers::new(limited());
        let ann = || ask(&callers, &["Bearer ann's token"]);
        let (first, second) = (tokio::spawn(ann()), tokio::spawn(ann()));
        tokio::task::yield_now().await;
        callers.replace(limited()).unwrap();
        assert_eq!(ann().await, (429, "rate_limited".to_owned()));
        assert_eq!(ask(&callers, &["Bearer ben's token"]).await.0, 200, "another caller has limits of its own");
        first.abort();
        assert_eq!(second.await.unwrap().0, 200);
        assert!(first.await.unwrap_err().is_cancelled());
        let (third, fourth) = tokio::join!(ann(), ann());
        assert_eq!((third.0, fourth.0), (200, 200), "both places are back: of the one that left, too");
    }

    #[tokio::test(start_paused = true)]
    async fn a_minute_s_requests_may_come_at_once_and_then_one_by_one() {
        let callers = Callers::new(vec![Known { rate: NonZeroU32::new(3), ..known("ann", Class::Fleet, "t") }]);
        let statuses = async |count: usize| {
            let all = futures::future::join_all((0..count).map(|_| ask(&callers, &["Bearer t"]))).await;
            all.into_iter().filter(|(status, _)| *status == 200).count()
        };
        assert_eq!(statuses(5).await, 3);
        tokio::time::advance(Duration::from_secs(18)).await;
        assert_eq!(statuses(1).await, 0, "19 s");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(statuses(2).await, 1, "20 s");
        tokio::time::advance(Duration::from_hours(1)).await;
        assert_eq!(statuses(5).await, 3, "unused minutes don't add up");
    }

    #[test]
    fn no_digest_is_ever_printed() {
        let printed = format!("{:?} {:?}", two(), Callers::new(two()));
        assert_eq!(printed, "[Known(ann, fleet), Known(ben, restricted)] [ann(fleet), ben(restricted)]");
    }
}
