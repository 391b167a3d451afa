//! The triggers that keep evidence as it is, in each engine's own words.

use std::collections::BTreeMap;

use super::column_rule::TypedTable;
use crate::catalog::DatabaseEngine;

/// Writes a migration out for one engine.
pub(super) fn expand(engine: DatabaseEngine, text: &str) -> String {
    let mut sql = match engine {
        DatabaseEngine::Sqlite => String::new(),
        DatabaseEngine::Postgres => POSTGRES_FUNCTIONS.to_owned(),
    };
    for line in text.lines().filter(|line| !line.starts_with("--")) {
        if let Some(statement) = line.strip_prefix("{postgres} ") {
            if engine == DatabaseEngine::Postgres {
                sql.push_str(statement);
            }
        } else if let Some(table) = TypedTable::read(line) {
            sql.push_str(&table.statement(engine));
        } else if let Some((table, condition)) = checked(line) {
            sql.push_str(&match engine {
                DatabaseEngine::Sqlite => sqlite_check(table, condition),
                DatabaseEngine::Postgres => format!(
                    // `NOT VALID`: rows that are there stay; each new one is checked.
                    "ALTER TABLE {table} ADD CONSTRAINT {table}_checked CHECK ({condition}) NOT VALID;\n"
                ),
            });
        } else if let Some((is_erasable, table, keys)) = guarded(line) {
            sql.push_str(&match engine {
                DatabaseEngine::Sqlite => sqlite(table, keys, is_erasable),
                DatabaseEngine::Postgres => postgres(table, is_erasable),
            });
        } else {
            sql.push_str(&line.replace(
                "{blob}",
                match engine {
                    DatabaseEngine::Sqlite => "BLOB",
                    DatabaseEngine::Postgres => "BYTEA",
                },
            ));
        }
        sql.push('\n');
    }
    sql
}

/// The guards of a migration, as PostgreSQL's own catalog describes them: by name, the table, the
/// function, whether it is on, and when it fires.
pub(super) fn postgres_guards(text: &str) -> BTreeMap<String, String> {
    let mut guards = BTreeMap::new();
    for (is_erasable, table, _) in text.lines().filter_map(guarded) {
        let delete = if is_erasable { "dalil_erasable" } else { "dalil_forever" };
        // Bits of `tgtype`: row 1, before 2, delete 8, update 16, truncate 32.
        let events = [("update", "dalil_forever", 19), ("delete", delete, 11)];
        for (event, function, bits) in events.into_iter().chain([("truncate", "dalil_forever", 34)])
        {
            let name = format!("trigger `{table}_no_{event}`");
            // `O` is a trigger that fires in sessions other than those of a replica.
            guards.insert(name, format!("{table} {function} O {bits}"));
        }
    }
    for (table, _) in text.lines().filter_map(checked) {
        guards.insert(format!("constraint `{table}_checked`"), table.to_owned());
    }
    for table in text.lines().filter_map(TypedTable::read) {
        guards.insert(format!("constraint `{}`", table.guard()), table.table.to_owned());
    }
    for function in POSTGRES_FUNCTIONS.split("CREATE OR REPLACE FUNCTION ").skip(1) {
        let name = function.split_once('(').map(|(name, _)| name);
        if let (Some(name), Some(body)) = (name, function.split("$$").nth(1)) {
            guards.insert(format!("function `{name}`"), body.trim_matches(' ').to_owned());
        }
    }
    guards
}

/// Reads `{forever TABLE: KEYS}` or `{erasable TABLE: KEYS}`.
fn guarded(line: &str) -> Option<(bool, &str, &str)> {
    let (word, rest) = line.strip_prefix('{')?.strip_suffix('}')?.split_once(' ')?;
    let (table, keys) = rest.split_once(": ")?;
    matches!(word, "erasable" | "forever").then_some((word == "erasable", table, keys))
}

/// Parses `{checked TABLE: CONDITION}`: the condition on a new row. Conditions are never unknown.
fn checked(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("{checked ")?.strip_suffix('}')?.split_once(": ")
}

/// SQLite adds no constraint to a table that is there, so a trigger refuses the row. A word in
/// small letters is a column; words of SQL are in capitals, values in quotes.
fn sqlite_check(table: &str, condition: &str) -> String {
    let is_column = |word: &str| {
        let is_name = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        word.starts_with(|ch: char| ch.is_ascii_lowercase()) && word.bytes().all(is_name)
    };
    let words = condition
        .split(' ')
        .map(|word| if is_column(word) { format!("NEW.{word}") } else { word.to_owned() });
    let condition = words.collect::<Vec<_>>().join(" ");
    format!(
        "CREATE TRIGGER {table}_checked BEFORE INSERT ON {table} WHEN NOT ({condition}) BEGIN \
         SELECT RAISE(ABORT, 'not a row of {table}'); END;\n"
    )
}

/// SQLite: `INSERT OR REPLACE` deletes without asking the trigger for deletes, so
/// a row with a key that is there is refused before.
fn sqlite(table: &str, keys: &str, is_erasable: bool) -> String {
    let stop = |what: &str, when: &str| {
        let event = what.to_uppercase();
        format!(
            "CREATE TRIGGER {table}_no_{what} BEFORE {event} ON {table} {when} BEGIN \
             SELECT RAISE(ABORT, 'evidence is only added: {what} of {table}'); END;\n"
        )
    };
    let same = |key: &str| {
        let columns = key.split(", ").map(|column| format!("{column} = NEW.{column}"));
        let columns = columns.collect::<Vec<_>>().join(" AND ");
        format!("EXISTS (SELECT 1 FROM {table} WHERE {columns})")
    };
    let taken = keys.split("; ").map(same).collect::<Vec<_>>().join(" OR ");
    // The row of `erasures` is inserted earlier in the same transaction, and itself is forever.
    let kept = if is_erasable {
        "WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE tenant = OLD.tenant AND erased = OLD.idx)"
    } else {
        ""
    };
    [stop("update", ""), stop("delete", kept), stop("insert", &format!("WHEN {taken}"))].concat()
}

fn postgres(table: &str, is_erasable: bool) -> String {
    let delete = if is_erasable { "dalil_erasable" } else { "dalil_forever" };
    format!(
        "CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION dalil_forever();\n\
         CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {delete}();\n\
         CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION dalil_forever();\n"
    )
}

const POSTGRES_FUNCTIONS: &str = "\
CREATE OR REPLACE FUNCTION dalil_forever() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'evidence is only added: % of %', lower(TG_OP), TG_TABLE_NAME;
END $$;
CREATE OR REPLACE FUNCTION dalil_erasable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM erasures WHERE tenant = OLD.tenant AND erased = OLD.idx) THEN
    RAISE EXCEPTION 'evidence is only added: % of %', lower(TG_OP), TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END $$;
";
