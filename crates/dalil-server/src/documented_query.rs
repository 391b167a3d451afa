//! The query that the OpenAPI document gives to a route, held against the one of a request.
//!
//! It is taken from the document where the route is added (`route_list`), inside the guard. So no
//! route can ignore a parameter that it does not document, and a problem with one is worded in
//! the requested language.

use std::borrow::Cow;
use std::collections::BTreeMap;

use axum::extract::Request;
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use dalil_phrasebook::{Phrase, bound, expected, found};
use dalil_proof::fault::{Fault, FaultCollector, quote, quoted};
use serde_json::Value;
use utoipa::Number;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn};
use utoipa::openapi::schema::SchemaType;
use utoipa::openapi::{KnownFormat, Object, RefOr, Required, Schema, SchemaFormat, Type};

use crate::problem::{ApiProblem, ProblemKind};

#[cfg(test)]
mod tests;

/// The parameters of each method of a path.
#[derive(Debug)]
pub(crate) struct DocumentedQuery(BTreeMap<&'static str, Vec<QueryParameter>>);

/// A parameter, as the document has it.
#[derive(Debug)]
struct QueryParameter {
    name: String,
    is_required: bool,
    form: ParameterForm,
}

/// The form of a parameter's value.
#[derive(Debug)]
enum ParameterForm {
    Text,
    /// A whole number: the range of its type, and the bounds that the document states.
    Whole {
        holds: u64,
        least: u64,
        most: u64,
    },
    Choice(Vec<String>),
}

impl DocumentedQuery {
    /// The queries of operations, each with the name of its method.
    pub(crate) fn of<'o>(operations: impl Iterator<Item = (&'static str, &'o Operation)>) -> Self {
        Self(operations.map(|(method, operation)| (method, parameters(operation))).collect())
    }

    /// Runs a route, if the query is one that it documents.
    pub(crate) async fn run(&self, request: Request, next: Next) -> Response {
        match self.check(request.method(), request.uri().query()) {
            Ok(()) => next.run(request).await,
            Err(problem) => problem.into_response(),
        }
    }

    /// Refuses a query that is not the documented one, with every fault of it.
    fn check(&self, method: &Method, query: Option<&str>) -> Result<(), ApiProblem> {
        // A route for `GET` answers `HEAD` too.
        let method = if *method == Method::HEAD { "GET" } else { method.as_str() };
        let known = self.0.get(method).map_or(&[][..], Vec::as_slice);
        let given: Vec<(Cow<'_, str>, Cow<'_, str>)> =
            form_urlencoded::parse(query.unwrap_or("").as_bytes()).collect();
        let faults = FaultCollector::default();
        for (name, _) in &given {
            if !known.iter().any(|parameter| parameter.name == **name) {
                faults.push_with(|| unknown(known, name));
            }
        }
        for parameter in known {
            let values = given.iter().filter(|(name, _)| parameter.name == **name);
            let values: Vec<&str> = values.map(|(_, value)| &**value).collect();
            if let Some(fault) = parameter.fault(&values) {
                faults.push(fault);
            }
        }
        faults.into_result(Some(())).map_err(|refused| ApiProblem {
            faults: refused.refused,
            ..ApiProblem::new(ProblemKind::Malformed)
        })
    }
}

/// The fault of a name that is no parameter.
fn unknown(known: &[QueryParameter], name: &str) -> Fault {
    let names: Vec<String> = known.iter().map(|parameter| quote(&parameter.name)).collect();
    let expected = match names.as_slice() {
        [] => expected::no_parameters(),
        names => expected::only_the_parameters(names.join(", ")),
    };
    Fault::new("unknown_parameter", "query", expected, quoted(name))
}

impl QueryParameter {
    fn of(parameter: &Parameter) -> Self {
        let form = match &parameter.schema {
            Some(RefOr::T(Schema::Object(object))) => ParameterForm::of(object),
            _ => ParameterForm::Text,
        };
        let is_required = parameter.required == Required::True;
        Self { name: parameter.name.clone(), is_required, form }
    }

    /// The fault of the values that a query gives to it, if there is one.
    fn fault(&self, values: &[&str]) -> Option<Fault> {
        match values {
            [] if self.is_required => Some(Fault::new(
                "missing_parameter",
                &self.name,
                expected::a_value(),
                found::nothing(),
            )),
            [] => None,
            [value] => {
                let (rule, expected) = self.form.refusal(value)?;
                Some(Fault::new(rule, &self.name, expected, quoted(value)))
            }
            several => {
                Some(Fault::new("duplicate", &self.name, expected::one_value(), several.len()))
            }
        }
    }
}

impl ParameterForm {
    fn of(object: &Object) -> Self {
        if let Some(words) = &object.enum_values {
            let words = words.iter().filter_map(Value::as_str);
            return Self::Choice(words.map(str::to_owned).collect());
        }
        if object.schema_type != SchemaType::Type(Type::Integer) {
            return Self::Text;
        }
        let is_short = object.format == Some(SchemaFormat::KnownFormat(KnownFormat::Int32));
        let holds = if is_short { u64::from(u32::MAX) } else { i64::MAX.unsigned_abs() };
        let least = object.minimum.as_ref().and_then(whole).unwrap_or(0);
        let most = object.maximum.as_ref().and_then(whole).unwrap_or(holds);
        Self::Whole { holds, least, most }
    }

    /// The rule that a value breaks, and the expected form.
    fn refusal(&self, value: &str) -> Option<(&'static str, Phrase)> {
        match self {
            Self::Text => None,
            Self::Whole { holds, least, most } => {
                let rule = match value.parse::<u64>() {
                    Ok(number) if (*least..=*most).contains(&number) => return None,
                    Ok(number) if number <= *holds => "range",
                    _ => "type",
                };
                Some((rule, bound::a_whole_number_from_to(least, most)))
            }
            Self::Choice(words) => {
                let names = || words.iter().map(|word| quote(word)).collect::<Vec<_>>().join(", ");
                let is_one = words.iter().any(|word| word == value);
                (!is_one).then(|| ("choice", expected::one_of(names())))
            }
        }
    }
}

/// The parameters of an operation that are in its query.
fn parameters(operation: &Operation) -> Vec<QueryParameter> {
    let all = operation.parameters.iter().flatten();
    let own = all.filter_map(|parameter| match parameter {
        RefOr::T(parameter) => Some(parameter),
        RefOr::Ref(_) => None,
    });
    let own = own.filter(|parameter| parameter.parameter_in == ParameterIn::Query);
    own.map(QueryParameter::of).collect()
}

fn whole(number: &Number) -> Option<u64> {
    match number {
        Number::Int(number) => u64::try_from(*number).ok(),
        Number::UInt(number) => u64::try_from(*number).ok(),
        Number::Float(_) => None,
    }
}
