/** A tree as `json_serialize_sql` gives it; numbers that JavaScript has no like of are kept as their text. */
export type DuckDbTree =
  | string
  | number
  | boolean
  | null
  | readonly DuckDbTree[]
  | { readonly [key: string]: DuckDbTree };
export type DuckDbNode = { readonly [key: string]: DuckDbTree };

/** Numbers that lose digits as a double or are no JSON: DuckDB writes infinite and unset ones as no JSON has them. */
const INEXACT = String.raw`-?(?:Infinity|NaN|\d{16}[\d.eE+-]*|\d{1,15}[.eE][\d.eE+-]*)`;
/** Such a number as the value of a field: a quote inside of a text has a backslash before it, so that this is in none. */
const INEXACT_FIELD = new RegExp(String.raw`(?<="[a-z_]+":)${INEXACT}(?=[,}])`, 'g');
const INEXACT_ELEMENT = new RegExp(String.raw`[[,]${INEXACT}[,\]]`);
const STRING_OR_INEXACT = new RegExp(String.raw`"[^"\\]*(?:\\.[^"\\]*)*"|${INEXACT}`, 'g');

/** Reads a serialized tree, without losing a digit of its numbers. */
export function readTree(json: string): DuckDbTree {
  const text = INEXACT_ELEMENT.test(json)
    ? json.replace(STRING_OR_INEXACT, (match) => (match.startsWith('"') ? match : `"#${match}"`))
    : json.replace(INEXACT_FIELD, '"#$&"');
  return JSON.parse(text) as DuckDbTree;
}

/** Whether a part of a tree is a node with fields. */
export const isNode = (tree: DuckDbTree | undefined): tree is DuckDbNode =>
  typeof tree === 'object' && tree !== null && !Array.isArray(tree);
