//! A layer as one async function over `(state, inner, request)`.

use crate::error::Error;
use futures::future::{BoxFuture, FutureExt};
use http::{Extensions, Request, Response, Uri};
use std::{
    fmt,
    future::Future,
    sync::Arc,
    task::{Context, Poll},
};
use tower::{Layer, Service, layer::layer_fn};

/// One stage of the stack: what a layer wraps, and what it becomes.
pub trait Stage<Req, Rsp>:
    Service<Req, Response = Rsp, Error = Error, Future: Send + 'static> + Clone + Send + Sync + 'static
{
}

/// What an HTTP layer wraps, and what it becomes: any server stack, with any bodies and any error.
pub trait Http<B, RB>:
    Service<Request<B>, Response = Response<RB>, Future: Send + 'static> + Clone + Send + Sync + 'static
{
}

/// How an error becomes a response, on the surface that the address belongs to.
pub type Refuse<RB> = fn(&Uri, &Extensions, Error) -> Response<RB>;

/// A service made of a function, its state and the service below.
///
/// Shared, since every layer copies the whole stack below it on each request: that is one count, not one a layer.
pub struct Around<S, T, F>(Arc<Parts<S, T, F>>);

struct Parts<S, T, F> {
    inner: S,
    state: T,
    run: F,
}

/// Makes a layer of `run`, which is called with a copy of the state, the service below and the request.
///
/// One box a stage and request: nothing beside a network fetch, and every layer reads as a story.
pub fn around<S, T: Clone, F: Clone>(state: T, run: F) -> impl Layer<S, Service = Around<S, T, F>> + Clone {
    layer_fn(move |inner| Around(Arc::new(Parts { inner, state: state.clone(), run: run.clone() })))
}

impl<S, B, RB> Http<B, RB> for S where
    S: Service<Request<B>, Response = Response<RB>, Future: Send + 'static> + Clone + Send + Sync + 'static
{
}

impl<S, Req, Rsp> Stage<Req, Rsp> for S where
    S: Service<Req, Response = Rsp, Error = Error, Future: Send + 'static> + Clone + Send + Sync + 'static
{
}

// Open in the error, since the HTTP layers around the router fail with whatever the router fails with: nothing.
impl<S, T, F, Fut, Req, Rsp, E> Service<Req> for Around<S, T, F>
where
    S: Clone,
    T: Clone,
    F: Fn(T, S, Req) -> Fut,
    Fut: Future<Output = Result<Rsp, E>> + Send + 'static,
{
    type Response = Rsp;
    type Error = E;
    type Future = BoxFuture<'static, Result<Rsp, E>>;

    // Nothing below exerts backpressure: readiness is decided inside `call`, so none can be reserved and dropped.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), E>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Req) -> Self::Future {
        (self.0.run)(self.0.state.clone(), self.0.inner.clone(), request).boxed()
    }
}

impl<S, T, F> Clone for Around<S, T, F> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S, T, F> fmt::Debug for Around<S, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Around(..)")
    }
}
