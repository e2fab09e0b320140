//! `planwright completions` and `planwright man`: what a shell and a reader of manuals want to know of the command line.
//! Both are made from the arguments themselves, so they are never behind.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Arguments;

/// Flags of `completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<u8> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "planwright", &mut text);
        std::io::stdout().write_all(&text)?;
        Ok(0)
    }
}

/// The manual page: the program, then each command with its flags.
pub fn manual() -> anyhow::Result<u8> {
    let mut command = Arguments::command();
    command.build();
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    for inner in command.get_subcommands() {
        let page = clap_mangen::Man::new(inner.clone());
        writeln!(text, ".SH \"{}\"", inner.get_name().to_uppercase())?;
        page.render_synopsis_section(&mut text)?;
        page.render_description_section(&mut text)?;
        page.render_options_section(&mut text)?;
    }
    std::io::stdout().write_all(&text)?;
    Ok(0)
}
