//! Packs the committed OpenAPI document, so that the program carries it: as JSON and as YAML, compressed, with the version
//! of the program.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value as Json;

const DOCUMENT: &str = "../../openapi.json";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={DOCUMENT}");
    let mut document: Json = serde_json::from_slice(&fs::read(DOCUMENT)?)?;
    document["info"]["version"] = std::env::var("CARGO_PKG_VERSION")?.into();
    let output = std::env::var("OUT_DIR")?;
    let pack = |name: &str| Ok::<_, Box<dyn Error>>(packing(File::create(Path::new(&output).join(name))?));
    let mut json = pack("openapi.json.gz")?;
    serde_json::to_writer(&mut json, &document)?;
    json.finish()?;
    let mut yaml = pack("openapi.yaml.gz")?;
    serde_yaml_ng::to_writer(&mut yaml, &document)?;
    yaml.finish()?;
    Ok(())
}

fn packing(file: File) -> GzEncoder<File> {
    GzEncoder::new(file, Compression::best())
}
