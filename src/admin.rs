//! Health and metrics, on an address of their own: they answer under any load, and callers never see them.

use crate::serve::Shutdown;
use async_trait::async_trait;
use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use prometheus_client::{encoding::text::encode, registry::Registry};
use serde_json::json;
use std::{fmt, sync::Arc, time::Duration};

/// How long a check of readiness may take.
const CHECK: Duration = Duration::from_secs(2);

/// The format that `prometheus_client` writes.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Knows whether the process can do its work.
#[async_trait]
pub trait Readiness: Send + Sync + 'static {
    /// Ready, or the part that isn't: a fixed word such as `store`.
    async fn check(&self) -> Result<(), &'static str>;
}

/// What the routes have at hand.
#[derive(Clone)]
pub struct Admin {
    /// Everything that is measured.
    pub registry: Arc<Registry>,
    /// Asked by `/readyz`.
    pub readiness: Arc<dyn Readiness>,
    /// The service's own shutdown: while it drains, the process is alive and not ready.
    pub shutdown: Shutdown,
}

/// `/healthz`, `/readyz` and `/metrics`.
pub fn routes(admin: Admin) -> Router {
    Router::new()
        .route("/healthz", get(async || answer(StatusCode::OK, &json!({"status": "ok"}))))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(admin)
}

async fn ready(State(admin): State<Admin>) -> Response {
    let checked = if admin.shutdown.is_draining() {
        Err("draining")
    } else {
        tokio::time::timeout(CHECK, admin.readiness.check()).await.unwrap_or(Err("timeout"))
    };
    match checked {
        Ok(()) => answer(StatusCode::OK, &json!({"status": "ready"})),
        Err(reason) => answer(StatusCode::SERVICE_UNAVAILABLE, &json!({"status": "not ready", "reason": reason})),
    }
}

async fn metrics(State(admin): State<Admin>) -> Response {
    let mut text = String::new();
    match encode(&mut text, &admin.registry) {
        Ok(()) => ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(fmt::Error) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn answer(status: StatusCode, body: &serde_json::Value) -> Response {
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, body.to_string()).into_response()
}

impl fmt::Debug for Admin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Admin(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use http::Request;
    use http_body_util::BodyExt;
    use sift_layers::metrics::Metrics;
    use tower::ServiceExt;

    enum Fixed {
        Says(Result<(), &'static str>),
        Hangs,
    }

    #[async_trait]
    impl Readiness for Fixed {
        async fn check(&self) -> Result<(), &'static str> {
            match self {
                Self::Says(result) => *result,
                Self::Hangs => std::future::pending().await,
            }
        }
    }

    async fn get(admin: &Admin, path: &str) -> (u16, String, String) {
        let response = routes(admin.clone()).oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
        let kind = response.headers().get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap().to_owned());
        let status = response.status().as_u16();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, kind.unwrap_or_default(), String::from_utf8(body.to_vec()).unwrap())
    }

    fn admin(readiness: Fixed) -> (Admin, Arc<Metrics>) {
        let (metrics, registry) = Metrics::new(&[], "0");
        let admin =
            Admin { registry: Arc::new(registry), readiness: Arc::new(readiness), shutdown: Shutdown::default() };
        (admin, metrics)
    }

    #[tokio::test(start_paused = true)]
    async fn health_is_the_process_and_readiness_is_its_parts() {
        for (readiness, status, word) in [
            (Fixed::Says(Ok(())), 200, "ready"),
            (Fixed::Says(Err("store")), 503, "store"),
            (Fixed::Hangs, 503, "timeout"),
        ] {
            let (admin, _) = admin(readiness);
            assert_eq!(get(&admin, "/healthz").await.0, 200);
            let began = tokio::time::Instant::now();
            let (answered, kind, body) = get(&admin, "/readyz").await;
            assert!(began.elapsed() < CHECK * 2, "{:?}", began.elapsed());
            assert_eq!((answered, kind.as_str()), (status, "application/json"));
            assert!(body.contains(word), "{body}");
        }
    }

    #[tokio::test]
    async fn a_draining_process_is_alive_and_not_ready() {
        let (admin, _) = admin(Fixed::Says(Ok(())));
        admin.shutdown.drain();
        assert_eq!(get(&admin, "/healthz").await.0, 200);
        let (status, _, body) = get(&admin, "/readyz").await;
        assert_eq!((status, body.as_str()), (503, r#"{"status":"not ready","reason":"draining"}"#));
    }

    #[tokio::test]
    async fn metrics_are_open_metrics_and_current() {
        let (admin, metrics) = admin(Fixed::Says(Ok(())));
        let before = get(&admin, "/metrics").await;
        assert_eq!((before.0, before.1.as_str()), (200, OPEN_METRICS));
        assert!(before.2.ends_with("# EOF\n") && before.2.contains("sift_flight_riders 0\n"), "{}", before.2);
        let _riding = metrics.ride();
        assert!(get(&admin, "/metrics").await.2.contains("sift_flight_riders 1\n"));
    }
}
