/** Numeric annotation glyphs and comment commands as people read them. */

// Informator's signs as far as common fonts have them: a slight advantage is written in two characters.
const GLYPHS: Record<number, string> = {
  1: "!",
  2: "?",
  3: "!!",
  4: "??",
  5: "!?",
  6: "?!",
  7: "□",
  10: "=",
  11: "=",
  13: "∞",
  14: "+=",
  15: "=+",
  16: "±",
  17: "∓",
  18: "+−",
  19: "−+",
  22: "⨀",
  23: "⨀",
  32: "⟳",
  33: "⟳",
  36: "→",
  37: "→",
  40: "↑",
  41: "↑",
  44: "=∞",
  45: "=∞",
  132: "⇆",
  133: "⇆",
  138: "⊕",
  139: "⊕",
  146: "N",
};

/** The signs after a move. Signs of the move itself (`!?`) are set close, judgements of the position apart. */
export function glyphs(nags: readonly number[] = []): { close: string; apart: string } {
  const close = nags.filter((nag) => nag >= 1 && nag <= 6).map((nag) => GLYPHS[nag]);
  const apart = nags.filter((nag) => nag < 1 || nag > 6).map((nag) => GLYPHS[nag] ?? `$${nag}`);
  return { close: close.join(""), apart: apart.join(" ") };
}

export interface Shape {
  orig: string;
  dest?: string;
  brush: string;
}

export interface Comment {
  /** What is meant to be read. */
  text: string;
  clock: string;
  evaluation: string;
  shapes: Shape[];
}

const BRUSHES: Record<string, string> = { G: "green", R: "red", Y: "yellow", B: "blue" };

/** Takes the commands (`[%clk 0:01:02]`, `[%cal Gg1f3]`) out of a comment. Unknown ones are left out of the text. */
export function readComment(raw: string): Comment {
  const comment: Comment = { text: "", clock: "", evaluation: "", shapes: [] };
  const text = raw.replace(/\[%(\w+)\s*([^\]]*)\]/g, (_, name: string, value: string) => {
    const values = value.split(",").map((one) => one.trim());
    if (name === "clk") comment.clock = values[0]?.replace(/^0:(?=\d\d:)/, "") ?? "";
    else if (name === "eval") comment.evaluation = readEvaluation(values[0] ?? "");
    else if (name === "cal" || name === "csl") comment.shapes.push(...values.flatMap(readShape));
    return " ";
  });
  comment.text = text.replace(/\s+/g, " ").trim();
  return comment;
}

function readEvaluation(value: string): string {
  return /^[+-]?\d/.test(value) ? `${/^[+-]/.test(value) ? "" : "+"}${value}`.replace("-", "−") : value;
}

function readShape(value: string): Shape[] {
  const shape = /^([GRYB])([a-h][1-8])([a-h][1-8])?$/.exec(value);
  const [, color = "", orig = "", dest] = shape ?? [];
  if (!shape) return [];
  return [{ orig, brush: BRUSHES[color] ?? "green", ...(dest ? { dest } : {}) }];
}
