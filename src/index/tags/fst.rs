//! The transducer from terms to their numbers, as tantivy's term dictionary has it, byte for byte.
//!
//! tantivy's own builder serves any keys and outputs. It allocates each node and looks it up in a table of allocated
//! nodes, and most nodes of terms are but one step of a long tail. Here the outputs are known to count up from 0, so that
//! none of them ever has to be moved, and a node of one step is three numbers. An import of games with unique addresses
//! takes a tenth less time for it. The format is that of the crate tantivy-fst 0.5; tests compare the bytes.
//!
//! Terms come in order. A node is written when no later term can pass through it, after those that it leads to, and at the
//! place of the next equal node instead, if the table still has that one.

use std::io::{self, Write};

/// Version of the format, and the kind of transducer, of which there is one.
const HEADER: [u64; 2] = [2, 0];
/// Address of the node that is final and leads nowhere. It is not written.
const END: u64 = 0;
/// No address of a node.
const NOWHERE: u64 = 1;
/// Inputs that are part of the first byte of a node, from 1 on.
const COMMON: &[u8; 63] = b"te/oasripcnw.hlm-du012g=:bf3y5&_4v9678k%?xCDASFIBEjPTzRNM+LOqHG";
/// Nodes of more steps have an index of them.
const MAX_STEPS_UNINDEXED: usize = 32;
const N_BUCKETS: usize = 10_000;
/// How many bytes are written at a time.
const WRITE_BYTES: usize = 1 << 16;

const COMMON_OF_INPUT: [u8; 256] = {
    let mut of_input = [0; 256];
    let mut i = 0;
    while i < COMMON.len() {
        of_input[COMMON[i] as usize] = i as u8 + 1;
        i += 1;
    }
    of_input
};

/// Writes a transducer of terms that come in order.
#[derive(Debug)]
pub(super) struct FstWriter<W> {
    out: W,
    /// What has not been handed on yet, and the address of its first byte.
    buffer: Vec<u8>,
    buffer_at: u64,
    /// The last term, and the nodes before and after each of its bytes.
    last: Vec<u8>,
    open: Vec<Open>,
    /// Steps of the open nodes that lead to written ones, the root's first.
    steps: Vec<Step>,
    written: Written,
    /// Address of the node written last.
    last_addr: u64,
    n_terms: u32,
}

/// A node that the last term passes through.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The first term that passed through it.
    first: u32,
    /// Output of the step that the last term takes.
    output: u32,
    /// How many of its steps lead to written nodes.
    n_steps: u32,
    is_final: bool,
}

/// From a node to the next one. The outputs on the way of a term add up to its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Step {
    to: u64,
    output: u32,
    input: u8,
}

impl<W: Write> FstWriter<W> {
    pub(super) fn new(out: W) -> FstWriter<W> {
        let mut buffer = Vec::with_capacity(WRITE_BYTES * 2);
        for number in HEADER {
            buffer.extend_from_slice(&number.to_le_bytes());
        }
        FstWriter {
            out,
            buffer,
            buffer_at: 0,
            last: Vec::new(),
            open: vec![Open::new(0)],
            steps: Vec::new(),
            written: Written::new(),
            last_addr: NOWHERE,
            n_terms: 0,
        }
    }

    /// Adds the next term, which comes after the last one in the order of bytes.
    pub(super) fn insert(&mut self, term: &[u8]) -> io::Result<()> {
        debug_assert!(self.n_terms == 0 || *self.last < *term, "terms in order");
        let n_same = self
            .last
            .iter()
            .zip(term)
            .take_while(|(a, b)| a == b)
            .count();
        self.close(n_same);
        let number = self.n_terms;
        let open = &mut self.open[n_same];
        open.output = number - open.first;
        self.open.truncate(n_same + 1);
        self.open.resize(term.len() + 1, Open::new(number));
        self.open[term.len()].is_final = true;
        self.last.truncate(n_same);
        self.last.extend_from_slice(&term[n_same..]);
        self.n_terms += 1;
        if self.buffer.len() >= WRITE_BYTES {
            self.hand_on()?;
        }
        Ok(())
    }

    /// Writes the rest and returns the writer.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.close(0);
        let root = self.open[0];
        let addr = if root.is_final && self.steps.is_empty() {
            END
        } else {
            self.write_node(root.is_final, self.steps.len())
        };
        for number in [u64::from(self.n_terms), addr] {
            self.buffer.extend_from_slice(&number.to_le_bytes());
        }
        self.hand_on()?;
        Ok(self.out)
    }

    fn hand_on(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer_at += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the nodes of the last term that are deeper than `depth`.
    fn close(&mut self, depth: usize) {
        let mut to = END;
        for at in (depth..self.last.len()).rev() {
            let open = self.open[at];
            let step = Step {
                to,
                output: open.output,
                input: self.last[at],
            };
            if at == depth {
                self.steps.push(step);
                self.open[at].n_steps += 1;
            } else if open.n_steps == 0 && !open.is_final {
                to = self.write_single(step);
            } else {
                self.steps.push(step);
                to = self.write_node(open.is_final, open.n_steps as usize + 1);
            }
        }
    }

    /// Writes a node of one step that is not final, as most of them are.
    #[inline]
    fn write_single(&mut self, step: Step) -> u64 {
        let bucket = bucket_of(false, &[step]);
        let shape = Shape::of_single(step);
        if let Some(addr) = self.written.find(bucket, shape, &[]) {
            return addr;
        }
        let common = COMMON_OF_INPUT[step.input as usize];
        if step.to == self.last_addr && step.output == 0 {
            if common == 0 {
                self.buffer.push(step.input);
            }
            self.buffer.push(0b1100_0000 | common);
        } else {
            let start = self.here();
            let output_len = match step.output {
                0 => 0,
                output => packed_len(u64::from(output)),
            };
            let to = delta(start, step.to);
            let to_len = packed_len(to);
            self.pack(u64::from(step.output), output_len);
            self.pack(to, to_len);
            self.buffer.push(to_len << 4 | output_len);
            if common == 0 {
                self.buffer.push(step.input);
            }
            self.buffer.push(0b1000_0000 | common);
        }
        self.last_addr = self.here() - 1;
        self.written.put(bucket, shape, &[], self.last_addr);
        self.last_addr
    }

    /// Writes a node of the last `n` steps, which are dropped.
    fn write_node(&mut self, is_final: bool, n: usize) -> u64 {
        let kept = self.steps.len() - n;
        if let (1, false) = (n, is_final) {
            let step = self.steps[kept];
            self.steps.truncate(kept);
            return self.write_single(step);
        }
        let steps = &self.steps[kept..];
        let bucket = bucket_of(is_final, steps);
        let shape = Shape::new(is_final, steps);
        let more = steps.get(1..).unwrap_or_default();
        if let Some(addr) = self.written.find(bucket, shape, more) {
            self.steps.truncate(kept);
            return addr;
        }
        let start = self.here();
        // A node's own output, that of a term that ends there, is always 0: it is the first term to pass through.
        let (mut to_len, mut output_len, mut any_output) = (0, 1, false);
        for step in &self.steps[kept..] {
            to_len = to_len.max(packed_len(delta(start, step.to)));
            output_len = output_len.max(packed_len(u64::from(step.output)));
            any_output |= step.output != 0;
        }
        if any_output {
            if is_final {
                self.pack(0, output_len);
            }
            for i in (kept..kept + n).rev() {
                self.pack(u64::from(self.steps[i].output), output_len);
            }
        } else {
            output_len = 0;
        }
        for i in (kept..kept + n).rev() {
            self.pack(delta(start, self.steps[i].to), to_len);
        }
        let inputs = self.steps[kept..].iter().map(|step| step.input);
        self.buffer.extend(inputs.clone().rev());
        if n > MAX_STEPS_UNINDEXED {
            let mut index = [255; 256];
            for (i, input) in inputs.enumerate() {
                index[input as usize] = i as u8;
            }
            self.buffer.extend_from_slice(&index);
        }
        self.buffer.push(to_len << 4 | output_len);
        let n_in_first = if n < 64 { n as u8 } else { 0 };
        if n_in_first == 0 {
            // One step is always said in the first byte, so that 1 is free to stand for 256 here.
            self.buffer.push(if n == 256 { 1 } else { n as u8 });
        }
        self.buffer.push(u8::from(is_final) << 6 | n_in_first);
        self.last_addr = self.here() - 1;
        let more = self.steps.get(kept + 1..).unwrap_or_default();
        self.written.put(bucket, shape, more, self.last_addr);
        self.steps.truncate(kept);
        self.last_addr
    }

    fn pack(&mut self, number: u64, len: u8) {
        self.buffer
            .extend_from_slice(&number.to_le_bytes()[..len as usize]);
    }

    /// Address of the next byte.
    fn here(&self) -> u64 {
        self.buffer_at + self.buffer.len() as u64
    }
}

impl Open {
    fn new(first: u32) -> Open {
        Open {
            first,
            output: 0,
            n_steps: 0,
            is_final: false,
        }
    }
}

/// An address as seen from a node.
fn delta(from: u64, to: u64) -> u64 {
    if to == END { 0 } else { from - to }
}

/// Bytes that a number takes.
fn packed_len(number: u64) -> u8 {
    (8 - (number | 1).leading_zeros() / 8) as u8
}

/// Some of the nodes that have been written: the last two of each bucket, in order of use.
#[derive(Debug)]
struct Written {
    nodes: Vec<[(Shape, u64); 2]>,
    /// Steps of the same nodes but for the first.
    more: Vec<[Vec<Step>; 2]>,
}

/// A node but for its steps after the first: two numbers, so that the table stays in the processor's cache, and a node on
/// its way into it in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    to: u64,
    /// Output and input of the first step, how many steps there are, and whether the node is final.
    rest: u64,
}

impl Shape {
    fn of_single(step: Step) -> Shape {
        Shape {
            to: step.to,
            rest: u64::from(step.output) << 32 | u64::from(step.input) << 24 | 1 << 1,
        }
    }

    fn new(is_final: bool, steps: &[Step]) -> Shape {
        let first = Shape::of_single(steps.first().copied().unwrap_or_default());
        Shape {
            to: first.to,
            rest: first.rest & !0xff_ffff | (steps.len() as u64) << 1 | u64::from(is_final),
        }
    }

    fn has_more(self) -> bool {
        self.rest & 0xff_ffff > 3
    }
}

impl Written {
    fn new() -> Written {
        let none = Shape::new(false, &[]);
        Written {
            nodes: vec![[(none, NOWHERE); 2]; N_BUCKETS],
            more: vec![[const { Vec::new() }; 2]; N_BUCKETS],
        }
    }

    /// The address of a node.
    #[inline]
    fn find(&mut self, bucket: usize, shape: Shape, more: &[Step]) -> Option<u64> {
        let [first, second] = &self.nodes[bucket];
        let is_same = |&(have, addr): &(Shape, u64), i: usize| {
            have == shape && addr != NOWHERE && (more.is_empty() || self.more[bucket][i] == more)
        };
        if is_same(first, 0) {
            return Some(first.1);
        }
        if is_same(second, 1) {
            let addr = second.1;
            self.nodes[bucket].swap(0, 1);
            self.more[bucket].swap(0, 1);
            return Some(addr);
        }
        None
    }

    /// Keeps a node in place of the one of the bucket that was not used for longest.
    #[inline]
    fn put(&mut self, bucket: usize, shape: Shape, more: &[Step], addr: u64) {
        let nodes = &mut self.nodes[bucket];
        // A node of one step does not read the others, so they need not follow it.
        let has_more = !more.is_empty() || nodes[0].0.has_more();
        nodes[1] = nodes[0];
        nodes[0] = (shape, addr);
        if has_more {
            let of_nodes = &mut self.more[bucket];
            of_nodes.swap(0, 1);
            of_nodes[0].clear();
            of_nodes[0].extend_from_slice(more);
        }
    }
}

/// FNV-1a over the numbers of a node. Another hash would keep other nodes, and write other bytes.
#[inline]
fn bucket_of(is_final: bool, steps: &[Step]) -> usize {
    let add = |hash: u64, number: u64| (hash ^ number).wrapping_mul(0x0100_0000_01b3);
    // A node's own output, always 0, comes second.
    let mut hash = add(add(0xcbf2_9ce4_8422_2325, u64::from(is_final)), 0);
    for step in steps {
        hash = add(hash, u64::from(step.input));
        hash = add(hash, u64::from(step.output));
        hash = add(hash, step.to);
    }
    (hash % N_BUCKETS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use tantivy::postings::TermInfo;
    use tantivy::termdict::TermDictionaryBuilder;

    /// What tantivy writes, up to where the places of postings begin.
    fn of_tantivy(terms: &BTreeSet<Vec<u8>>) -> Vec<u8> {
        let mut builder = TermDictionaryBuilder::create(Vec::new()).expect("a dictionary");
        for term in terms {
            builder
                .insert(term, &TermInfo::default())
                .expect("in order");
        }
        let mut bytes = builder.finish().expect("a dictionary");
        let at = bytes.len() - 16;
        let footer = u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        bytes.truncate(at - footer as usize);
        bytes
    }

    fn of_ours(terms: &BTreeSet<Vec<u8>>) -> Vec<u8> {
        let mut writer = FstWriter::new(Vec::new());
        for term in terms {
            writer.insert(term).expect("in memory");
        }
        writer.finish().expect("in memory")
    }

    fn check(terms: impl IntoIterator<Item = Vec<u8>>) {
        let terms = terms.into_iter().collect();
        assert!(of_ours(&terms) == of_tantivy(&terms), "{terms:?}");
    }

    proptest! {
        #[test]
        fn any_terms_are_written_as_tantivy_writes_them(
            terms in prop::collection::btree_set(prop::collection::vec(any::<u8>(), 0..4), 0..400)
        ) {
            prop_assert_eq!(of_ours(&terms), of_tantivy(&terms));
        }

        #[test]
        fn terms_of_few_letters_are_written_as_tantivy_writes_them(
            terms in prop::collection::btree_set(prop::collection::vec(97..100u8, 0..12), 0..600)
        ) {
            prop_assert_eq!(of_ours(&terms), of_tantivy(&terms));
        }
    }

    #[test]
    fn nothing_and_the_empty_term_are_written_as_tantivy_writes_them() {
        check([]);
        check([vec![]]);
        check([vec![], vec![0]]);
    }

    #[test]
    fn nodes_of_every_width_are_written_as_tantivy_writes_them() {
        for n in [1, 2, 31, 32, 33, 63, 64, 65, 255, 256] {
            check((0..n).map(|i| vec![i as u8]));
            check((0..n).flat_map(|i| [vec![7], vec![7, i as u8], vec![7, i as u8, 9]]));
        }
    }

    #[test]
    fn many_terms_are_written_as_tantivy_writes_them() {
        // More nodes than the table keeps, outputs and distances of up to three bytes, and more than is written at once.
        let hash = |i: u32| xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes());
        check(
            (0..70_000)
                .map(|i| format!("site\x02https://a.org/{:010x}", hash(i) >> 24).into_bytes()),
        );
        check((0..70_000).map(|i| {
            let (a, b) = (hash(i) % 5000, hash(i) >> 32 & 1023);
            format!("white\x02kestrel{a}, {b}\0Kestrel{a}, {b}").into_bytes()
        }));
    }
}
