//! One list of fields makes a struct, its columns, its binds and its reading, so that the four cannot drift apart.
//! Statements are put together from it in `queries.rs`.

use planwright_store::{FromRow, Sql, Value};

/// Columns with the values for them.
pub type Columns = Vec<(&'static str, Value)>;

/// How many names several lists hold together.
pub const fn total(lists: &[&[&str]]) -> usize {
    let (mut sum, mut list) = (0, 0);
    while list < lists.len() {
        sum += lists[list].len();
        list += 1;
    }
    sum
}

/// List lists of names as one.
pub const fn joined<const N: usize>(lists: &[&[&'static str]]) -> [&'static str; N] {
    let mut all = [""; N];
    let (mut list, mut at) = (0, 0);
    while list < lists.len() {
        let mut item = 0;
        while item < lists[list].len() {
            all[at] = lists[list][item];
            at += 1;
            item += 1;
        }
        list += 1;
    }
    all
}

/// The columns of a row type, each with the name its table has in the statement.
pub fn select_list<T: FromRow>(table: &str) -> String {
    let plain = |column: &str| format!("{table}.{}", column.trim_start_matches("r#"));
    let names: Vec<String> = T::COLUMNS.iter().map(|column| plain(column)).collect();
    names.join(", ")
}

/// `a, b`, for the columns of an `INSERT`.
pub fn names(columns: &Columns) -> String {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

/// `:a, :b`, for its values.
pub fn binds(columns: &Columns) -> String {
    let binds: Vec<String> = columns.iter().map(|(name, _)| format!(":{name}")).collect();
    binds.join(", ")
}

/// `a = :a, b = :b`, for an `UPDATE`.
pub fn assignments(columns: &Columns) -> String {
    let assignments: Vec<String> = columns.iter().map(|(name, _)| format!("{name} = :{name}")).collect();
    assignments.join(", ")
}

/// Adds the values to a statement.
pub fn bind_all(sql: Sql, columns: Columns) -> Sql {
    columns.into_iter().fold(sql, |sql, (name, value)| sql.bind(name, value))
}

/// Declares a struct whose fields are columns; `and` adds the fields of another such struct.
macro_rules! fields {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident { $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty,)* }
        $(and $(#[$inner_meta:meta])* $inner_vis:vis $inner:ident: $inner_type:ty)?
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        $vis struct $name {
            $($(#[$field_meta])* $field_vis $field: $type,)*
            $($(#[$inner_meta])* #[serde(flatten)] $inner_vis $inner: $inner_type,)?
        }

        impl planwright_store::FromRow for $name {
            const COLUMNS: &'static [&'static str] = {
                const LISTS: &[&[&str]] = &[
                    &[$(stringify!($field)),*],
                    $(<$inner_type as planwright_store::FromRow>::COLUMNS)?
                ];
                const ALL: [&str; $crate::containers::fields::total(LISTS)] = $crate::containers::fields::joined(LISTS);
                &ALL
            };

            fn read(reader: &mut planwright_store::Reader<'_>) -> planwright_store::Result<Self> {
                Ok(Self {
                    $($field: reader.take()?,)*
                    $($inner: <$inner_type as planwright_store::FromRow>::read(reader)?,)?
                })
            }
        }

        impl $name {
            /// Its columns with their values.
            #[allow(dead_code)]
            $vis fn columns(&self) -> $crate::containers::fields::Columns {
                #[allow(unused_mut)]
                let mut columns = vec![
                    $((
                        stringify!($field).trim_start_matches("r#"),
                        planwright_store::ToValue::to_value(&self.$field),
                    ),)*
                ];
                $(columns.extend(self.$inner.columns());)?
                columns
            }
        }
    };
}

pub(crate) use fields;

#[cfg(test)]
mod tests {
    use super::*;

    fields! {
        struct Inner { size: i64, }
    }

    fields! {
        struct Outer { name: String, }
        and inner: Inner
    }

    #[test]
    fn columns_and_binds_stand_in_the_same_order() {
        let outer = Outer { name: "a".into(), inner: Inner { size: 7 } };
        assert_eq!(Outer::COLUMNS, ["name", "size"]);
        assert_eq!(names(&outer.columns()), "name, size");
        assert_eq!(binds(&outer.columns()), ":name, :size");
        assert_eq!(assignments(&outer.columns()), "name = :name, size = :size");
        assert_eq!(select_list::<Outer>("o"), "o.name, o.size");
    }
}
