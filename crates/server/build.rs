//! Packs what the program carries: the committed OpenAPI document, as JSON and as YAML with the version of the program, the built
//! files of the application and the page that reads the document. Each is compressed once, here.

use std::error::Error;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value as Json;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const DOCUMENT: &str = "../../openapi.json";
const APPLICATION: &str = "../../ui/dist";
const READER: [&str; 4] = [
    "assets/home.css",
    "assets/start-swagger.js",
    "assets/swagger/swagger-ui-bundle.js",
    "assets/swagger/swagger-ui.css",
];

fn main() -> Outcome {
    let output = PathBuf::from(std::env::var("OUT_DIR")?);
    pack_document(&output)?;
    println!("cargo::rerun-if-changed={APPLICATION}");
    let mut application = Vec::new();
    list_files(Path::new(APPLICATION), &mut application)?;
    let application = application.iter().map(|path| Ok((path.strip_prefix(APPLICATION)?, path.as_path())));
    pack_files(&output, "application", application.collect::<Outcome<_>>()?)?;
    let reader = READER.map(|path| (Path::new(path.rsplit('/').next().unwrap_or(path)), Path::new(path)));
    pack_files(&output, "reader", reader.to_vec())
}

fn pack_document(output: &Path) -> Outcome {
    println!("cargo::rerun-if-changed={DOCUMENT}");
    let mut document: Json = serde_json::from_slice(&fs::read(DOCUMENT)?)?;
    document["info"]["version"] = std::env::var("CARGO_PKG_VERSION")?.into();
    let mut json = create(output, "openapi.json.gz")?;
    serde_json::to_writer(&mut json, &document)?;
    json.finish()?;
    let mut yaml = create(output, "openapi.yaml.gz")?;
    serde_yaml_ng::to_writer(&mut yaml, &document)?;
    yaml.finish()?;
    Ok(())
}

/// Writes each file compressed, and a table of them as Rust: the name and the bytes.
fn pack_files(output: &Path, table: &str, files: Vec<(&Path, &Path)>) -> Outcome {
    let mut rows = String::from("&[");
    for (number, (name, path)) in files.into_iter().enumerate() {
        println!("cargo::rerun-if-changed={}", path.display());
        let packed = format!("{table}-{number}.gz");
        let mut file = create(output, &packed)?;
        file.write_all(&fs::read(path)?)?;
        file.finish()?;
        write!(rows, "({:?}, include_bytes!({:?}).as_slice()),", name, output.join(packed))?;
    }
    rows.push(']');
    Ok(fs::write(output.join(format!("{table}.rs")), rows)?)
}

fn list_files(directory: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect::<Outcome<_>>()?;
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => list_files(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

fn create(output: &Path, name: &str) -> Outcome<GzEncoder<File>> {
    Ok(GzEncoder::new(File::create(output.join(name))?, Compression::best()))
}
