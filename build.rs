//! Tells cargo that an optimised program holds the files of the web page, so that a page that was built anew is embedded
//! anew. Other builds read them from the disk when they run.

fn main() {
    let embeds = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let watched = if embeds { "web/dist" } else { "build.rs" };
    println!("cargo::rerun-if-changed={watched}");
}
