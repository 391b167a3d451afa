//! The permitted values of a column, in the SQL of each engine: `{typed TABLE: COLUMN TYPE, …}`.

use crate::catalog::DatabaseEngine;

/// The values that the columns of a table may hold.
pub(super) struct TypedTable<'t> {
    pub(super) table: &'t str,
    columns: Vec<ColumnRule<'t>>,
}

struct ColumnRule<'t> {
    name: &'t str,
    kind: ColumnKind<'t>,
    may_be_null: bool,
}

enum ColumnKind<'t> {
    Text,
    /// A text that is not empty.
    Name,
    /// A whole number from 0.
    Count,
    /// A number from 0 to 1.
    Share,
    /// A moment in UTC, to the millisecond.
    Time,
    /// A SHA-256, as `sha256:` and 64 digits.
    Digest,
    Json,
    /// One of these.
    Words(&'t str),
}

impl<'t> TypedTable<'t> {
    /// Reads a line of a migration.
    pub(super) fn read(line: &'t str) -> Option<Self> {
        let (table, columns) = line.strip_prefix("{typed ")?.strip_suffix('}')?.split_once(": ")?;
        let columns: Option<Vec<_>> = columns.split(", ").map(ColumnRule::read).collect();
        Some(Self { table, columns: columns? })
    }

    /// The name of the constraint or trigger.
    pub(super) fn guard(&self) -> String {
        format!("{}_typed", self.table)
    }

    /// The statement that makes the database hold to it.
    pub(super) fn statement(&self, engine: DatabaseEngine) -> String {
        let (table, guard) = (self.table, self.guard());
        let conditions = self.columns.iter().map(|column| column.condition(engine));
        let condition = conditions.collect::<Vec<_>>().join(" AND ");
        match engine {
            // SQLite adds no constraint to a table that is there, so a trigger refuses the row.
            DatabaseEngine::Sqlite => format!(
                "CREATE TRIGGER {guard} BEFORE INSERT ON {table} WHEN NOT ({condition}) BEGIN \
                 SELECT RAISE(ABORT, 'not a row of {table}'); END;\n"
            ),
            // `NOT VALID`: rows that are there stay; each new one is checked.
            DatabaseEngine::Postgres => format!(
                "ALTER TABLE {table} ADD CONSTRAINT {guard} CHECK ({condition}) NOT VALID;\n"
            ),
        }
    }
}

impl<'t> ColumnRule<'t> {
    fn read(text: &'t str) -> Option<Self> {
        let (name, kind) = text.split_once(' ')?;
        let may_be_null = kind.ends_with('?');
        let kind = match kind.strip_suffix('?').unwrap_or(kind) {
            "text" => ColumnKind::Text,
            "name" => ColumnKind::Name,
            "count" => ColumnKind::Count,
            "share" => ColumnKind::Share,
            "time" => ColumnKind::Time,
            "digest" => ColumnKind::Digest,
            "json" => ColumnKind::Json,
            words => ColumnKind::Words(words),
        };
        Some(Self { name, kind, may_be_null })
    }

    /// A condition that is never unknown.
    fn condition(&self, engine: DatabaseEngine) -> String {
        let column = match engine {
            DatabaseEngine::Sqlite => format!("NEW.{}", self.name),
            DatabaseEngine::Postgres => self.name.to_owned(),
        };
        let typed = match engine {
            // SQLite keeps any type in any column.
            DatabaseEngine::Sqlite => format!("typeof({column}) = '{}'", self.kind.sqlite_type()),
            DatabaseEngine::Postgres => format!("{column} IS NOT NULL"),
        };
        let holds = match self.kind.value(engine, &column) {
            Some(value) => format!("{typed} AND {value}"),
            None => typed,
        };
        if self.may_be_null { format!("({column} IS NULL OR ({holds}))") } else { holds }
    }
}

impl ColumnKind<'_> {
    const fn sqlite_type(&self) -> &'static str {
        match self {
            Self::Count => "integer",
            Self::Share => "real",
            Self::Text | Self::Name | Self::Time | Self::Digest | Self::Json | Self::Words(_) => {
                "text"
            }
        }
    }

    /// The condition on a value of the type, if there is one.
    fn value(&self, engine: DatabaseEngine, column: &str) -> Option<String> {
        let condition = match (self, engine) {
            (Self::Text, _) => return None,
            (Self::Name, _) => format!("{column} <> ''"),
            (Self::Count, _) => format!("{column} >= 0"),
            (Self::Share, _) => format!("{column} >= 0 AND {column} <= 1"),
            (Self::Time, _) => format!("{column} LIKE '____-__-__T__:__:__.___Z'"),
            (Self::Digest, _) => {
                format!("{column} LIKE 'sha256:%' AND LENGTH({column}) = 71")
            }
            (Self::Json, DatabaseEngine::Sqlite) => format!("json_valid({column})"),
            (Self::Json, DatabaseEngine::Postgres) => format!("{column}::jsonb IS NOT NULL"),
            (Self::Words(words), _) => {
                let words: Vec<String> = words.split('|').map(|word| format!("'{word}'")).collect();
                format!("{column} IN ({})", words.join(", "))
            }
        };
        Some(condition)
    }
}
