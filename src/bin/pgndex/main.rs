use std::path::PathBuf;
use pgndex::ingest::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    match args[1].as_str() {
        "import" => {
            let t = args.get(4).map_or(2, |t| t.parse().unwrap());
            let r = import(&PathBuf::from(&args[2]), &[PathBuf::from(&args[3])], &ImportOptions { threads: t, memory_bytes: 2 << 30, reading: Default::default() }, None, &Progress::default());
            println!("{r:?}");
            println!("{:?}", pgndex::index::PartSizes::of(&PathBuf::from(&args[2])));
        }
        "verify" => println!("{:?}", pgndex::index::verify(&PathBuf::from(&args[2]), |_| {})),
        "stages" => {
            let s = pgndex::source::Source::open(&PathBuf::from(&args[2])).unwrap();
            let t = args.get(3).map_or(2, |t| t.parse().unwrap());
            for _ in 0..2 { for st in [Stage::Scan, Stage::PgnReaderParse, Stage::Parse, Stage::PgnReaderValidate, Stage::Replay, Stage::ReplaySan] {
                println!("{st:?} {:?}", run_stage(&s, st, t).unwrap());
            } }
        }
        _ => {}
    }
}
