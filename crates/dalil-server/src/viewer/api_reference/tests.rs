use expect_test::expect;
use serde_json::json;

use super::{ApiReference, operation};
use crate::routes::RouteTable;

#[test]
fn an_operation_is_told_with_its_fields_and_examples() {
    let document = json!({
        "paths": {"/api/v1/keys/{id}": {"post": {
            "tags": ["api keys"], "operationId": "add_key", "summary": "Makes a key", "security": [{"bearer": []}],
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}, "example": "k-1"}],
            "requestBody": {"content": {"application/json": {
                "schema": {"$ref": "#/components/schemas/NewKey"}, "example": {"actor": "agent:a"}}}},
            "responses": {"201": {"description": "The key.", "content": {"application/json": {"schema": {"type": "array",
                "items": {"$ref": "#/components/schemas/NewKey"}}}}}, "400": {"$ref": "#/components/responses/P"}}}}},
        "components": {
            "responses": {"P": {"description": "A problem.", "content": {"application/problem+json": {}}}},
            "schemas": {
                "NewKey": {"type": "object", "required": ["actor"], "properties": {
                    "actor": {"type": "string", "description": "Who."},
                    "ends": {"oneOf": [{"$ref": "#/components/schemas/Time"}, {"type": "null"}]},
                    "scopes": {"type": "array", "items": {"type": "string", "enum": ["view", "export"]}},
                    "inner": {"$ref": "#/components/schemas/NewKey"}}},
                "Time": {"type": "string", "description": "A time."}}},
    });
    let (tag, one) = operation::all(&document).remove(0);
    let mut told = format!("{tag} {} {} {} open={}\n", one.id, one.method, one.path, one.is_open);
    told += &format!("{}\n", one.curl());
    for field in &one.body.as_ref().unwrap().fields {
        let line = [&field.name, &field.kind, &field.is_required.to_string(), &field.description];
        told += line.map(String::as_str).join(" ").trim_end();
        told.push('\n');
    }
    for reply in &one.replies {
        let kind = reply.body.as_ref().map_or("-", |body| body.kind.as_str());
        told += &format!("{} {} {kind}\n", reply.status, reply.description);
    }
    expect![[r#"
        api keys add_key POST /api/v1/keys/{id} open=false
        curl --request POST --header "Authorization: Bearer $DALIL_KEY" --header 'Content-Type: application/json' --data @request.json "$DALIL_URL/api/v1/keys/{id}"
        actor string true Who.
        ends string false A time.
        inner object false
        inner.actor string true Who.
        inner.ends string false A time.
        inner.inner object false
        inner.inner.actor string true Who.
        inner.inner.ends string false A time.
        inner.inner.inner object false
        inner.inner.scopes array of `view` | `export` false
        inner.scopes array of `view` | `export` false
        scopes array of `view` | `export` false
        201 The key. array of object
        400 A problem. -
    "#]].assert_eq(&told);
}

#[test]
fn every_operation_of_the_api_has_a_place_and_no_page_is_large() {
    let document = serde_json::to_value(RouteTable::new().document()).unwrap();
    let reference = ApiReference::of(&document);
    let operations = || reference.groups.iter().flat_map(|group| &group.operations);
    assert!(operations().count() > 80);
    assert!(operations().all(|one| !one.id.is_empty() && !one.summary.is_empty()));
    for group in &reference.groups {
        let text = |body: Option<&operation::ReferenceBody>| {
            body.map_or(0, |body| {
                let fields = body.fields.iter();
                let fields =
                    fields.map(|one| one.name.len() + one.kind.len() + one.description.len() + 90);
                fields.sum::<usize>() + body.example.as_ref().map_or(0, String::len)
            })
        };
        let size = |one: &operation::ReferenceOperation| {
            let replies: usize =
                one.replies.iter().map(|reply| text(reply.body.as_ref()) + 200).sum();
            one.description.len() + text(one.body.as_ref()) + replies
        };
        let size: usize = group.operations.iter().map(size).sum();
        assert!(size < 200_000, "{}: {size} bytes", group.tag);
    }
}
