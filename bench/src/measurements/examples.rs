//! Measurements that a crate does itself: its examples named `bench` or `bench_…`, in a release build. Such an
//! example prints one `measure<TAB>result` in each line. Other lines are shown and not stored.

use std::process::Stdio;

use anyhow::{Context, Result, bail};
use xtask::workspace::{Workspace, cargo};

use super::Measure;

/// The schedule mathematics alone.
pub(crate) fn measure_engine(workspace: &Workspace) -> Result<Vec<Measure>> {
    measure(workspace, "planwright-engine")
}

fn measure(workspace: &Workspace, package: &str) -> Result<Vec<Measure>> {
    let members = workspace.packages.iter().filter(|member| member.name == package);
    let examples = members.flat_map(|member| &member.examples);
    let mut measures = Vec::new();
    for example in examples.filter(|name| *name == "bench" || name.starts_with("bench_")) {
        measures.extend(read(&run(workspace, package, example)?));
    }
    Ok(measures)
}

fn run(workspace: &Workspace, package: &str, example: &str) -> Result<String> {
    let output = cargo()
        .args(["run", "--release", "--package", package, "--example", example])
        .current_dir(&workspace.root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("could not run cargo")?;
    if !output.status.success() {
        bail!("the example {example} of {package} ended with {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("the example {example} printed no UTF-8"))
}

fn read(output: &str) -> Vec<Measure> {
    let mut measures = Vec::new();
    for line in output.lines() {
        match line.split_once('\t') {
            Some((name, result)) => measures.push(Measure { name: name.into(), result: result.into() }),
            None => println!("{line}"),
        }
    }
    measures
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn keeps_only_lines_with_a_tab() {
        let measures = read("warming up\n10 000 tasks\t41 ms\n");
        assert_eq!(measures.len(), 1);
        assert_eq!((measures[0].name.as_str(), measures[0].result.as_str()), ("10 000 tasks", "41 ms"));
    }
}
