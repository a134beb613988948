//! Sheds load: so many requests at a time in this process, no queue.
//!
//! One semaphore for all routes and surfaces, asked inside `call`: no readiness, so nothing for a router to drop.

use crate::{
    error::Error,
    stage::{Http, Refuse, around},
};
use http::Request;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tower::{Layer, ServiceExt};

/// At most `max` requests at once; the next is refused now with [`Error::Overloaded`].
///
/// A request counts until its response is ready or its client is gone.
pub fn at<S, B, RB>(max: usize, refuse: Refuse<RB>) -> impl Layer<S, Service: Http<B, RB, Error = S::Error>> + Clone
where
    S: Http<B, RB>,
    S::Error: Send + 'static,
    B: Send + 'static,
    RB: Send + 'static,
{
    let permits = Arc::new(Semaphore::new(max.min(Semaphore::MAX_PERMITS)));
    around(
        (permits, refuse),
        |(permits, refuse): (Arc<Semaphore>, Refuse<RB>), inner: S, request: Request<B>| async move {
            let Ok(_permit) = permits.try_acquire_owned() else {
                return Ok(refuse(request.uri(), request.extensions(), Error::Overloaded));
            };
            inner.oneshot(request).await
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use http::{Response, StatusCode, Uri};
    use std::{convert::Infallible, future::pending, time::Duration};
    use tower::{Service, service_fn};

    fn refuse(uri: &Uri, _: &http::Extensions, error: Error) -> Response<&'static str> {
        assert_eq!(uri.path(), "/slow", "the refusal is told which surface it answers on");
        Response::builder().status(StatusCode::SERVICE_UNAVAILABLE).body(error.code()).unwrap()
    }

    fn request() -> Request<()> {
        Request::post("/slow").body(()).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn the_third_of_two_is_refused_at_once_and_the_end_of_one_makes_room() {
        let slow = service_fn(|_: Request<()>| async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            Ok::<_, Infallible>(Response::new("done"))
        });
        let mut service = at(2, refuse).layer(slow);
        let (first, second) = (tokio::spawn(service.call(request())), tokio::spawn(service.call(request())));
        tokio::task::yield_now().await;
        let third = service.call(request()).now_or_never().expect("no queue").unwrap();
        assert_eq!((third.status().as_u16(), *third.body()), (503, "overloaded"));
        assert_eq!(*first.await.unwrap().unwrap().body(), "done");
        assert_eq!(*second.await.unwrap().unwrap().body(), "done");
        assert_eq!(*service.call(request()).await.unwrap().body(), "done");
    }

    #[tokio::test]
    async fn a_client_that_leaves_makes_room() {
        let stuck = service_fn(|_: Request<()>| pending::<Result<Response<&'static str>, Infallible>>());
        let mut service = at(1, refuse).layer(stuck);
        let mut first = Box::pin(service.call(request()));
        assert!((&mut first).now_or_never().is_none());
        assert!(service.call(request()).now_or_never().is_some(), "taken");
        drop(first);
        assert!(service.call(request()).now_or_never().is_none(), "free again");
    }
}
