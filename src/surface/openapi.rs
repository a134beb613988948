//! `/openapi.json`: OpenAPI 3.1 from the types themselves, whose schemas are JSON Schema 2020-12 already.

use super::{ask::Ask, respond::ErrorBody, v1::Answer};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Value, json};

/// The description of the HTTP surface.
pub fn document() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    let mut schemas = settings.into_generator();
    let (ask, answer, error) =
        (body::<Ask>(&mut schemas), body::<Answer<'static>>(&mut schemas), body::<ErrorBody>(&mut schemas));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "sift",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Fetches documents and answers with the view that fits a context window.",
        },
        "paths": {
            "/v1/fetch": { "post": {
                "summary": "Fetch a document and show a view of it",
                "requestBody": { "required": true, "content": ask },
                "responses": {
                    "200": { "description": "The view", "content": answer },
                    "default": { "description": "What went wrong and what to try next", "content": error },
                },
            }},
            "/v2/scrape": { "post": {
                "summary": "Firecrawl v2's contract: https://docs.firecrawl.dev/api-reference/endpoint/scrape",
                "requestBody": { "required": true, "content": { "application/json": { "schema": { "type": "object" } } } },
                "responses": { "200": { "description": "Firecrawl's envelope" } },
            }},
        },
        "components": {
            "schemas": schemas.take_definitions(true),
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } },
        },
        "security": [{ "bearer": [] }, {}],
    })
}

fn body<T: JsonSchema>(schemas: &mut SchemaGenerator) -> Value {
    json!({ "application/json": { "schema": schemas.subschema_for::<T>() } })
}
