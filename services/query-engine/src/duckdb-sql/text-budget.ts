/**
 * How long the texts may be that a statement works on.
 *
 * DuckDB computes an expression for 2048 rows at a time, keeps what each step made of them outside of its memory limit, and
 * cannot be interrupted meanwhile. So a statement has a budget of bytes for such a vector: the more rows there may be, and
 * the more steps make texts, the shorter a value may be. Steps are counted in the SQL that was written, where an operand
 * may stand several times.
 */
import { COMPARED_PAIRS_MAX, MADE_TEXT_BYTES_MAX, STATEMENT_TEXT_BYTES_MAX, VECTOR_ROWS } from '../limits.ts';
import type { LogicalPlan, TableScan } from '../logical/plan.ts';
import { walkDeep } from '../logical/visit.ts';

export interface TextBudget {
  /** A text that a function takes or makes, UTF-8 bytes. */
  readonly valueBytes: number;
  /** Length times length, where a function compares each part of one text with each of another. */
  readonly pairs: number;
  /** Whether values that were read may be longer than that. */
  readonly checksStored: boolean;
}

/** Of a single row and step: what holds where nothing else is known. */
export const WIDEST: TextBudget = Object.freeze({
  valueBytes: MADE_TEXT_BYTES_MAX,
  pairs: COMPARED_PAIRS_MAX,
  checksStored: false,
});

/**
 * DuckDB's functions that copy a text or read all of it: what they hold of a value at once, in texts as long as it; or more,
 * where they are slow. As measured on texts of 64 KiB.
 */
const WEIGHTS: Readonly<Record<string, number>> = Object.freeze({
  concat: 1,
  concat_ws: 1,
  encode: 1,
  from_base64: 2,
  from_json: 4,
  hex: 2,
  json_contains: 2,
  json_extract: 1,
  json_extract_string: 1,
  json_keys: 1,
  json_valid: 1,
  // Puts the value into a list, and what is made of it into another.
  list_transform: 2,
  lower: 2,
  lpad: 1,
  ltrim: 2,
  md5: 2,
  ps_elements: 4,
  // Of a document with long numbers: of many small ones as much again for each step.
  ps_kept_digits: 6,
  ps_json_of_text: 3,
  ps_bytes_of_escaped: 60,
  ps_contains: 40,
  ps_elements_between: 12,
  ps_escaped_bytes: 60,
  ps_list_joined: 10,
  ps_list_key: 10,
  ps_names: 10,
  ps_overlap: 40,
  ps_plain_keys: 20,
  ps_mixed_of_binary: 3,
  regexp_extract: 3,
  regexp_extract_all: 8,
  regexp_full_match: 2,
  regexp_matches: 2,
  regexp_replace: 4,
  regexp_split_to_array: 20,
  repeat: 1,
  replace: 2,
  reverse: 2,
  rpad: 1,
  rtrim: 2,
  sha256: 2,
  split_part: 2,
  // Each character may become a text of a list, and of a document.
  string_split: 20,
  strip_accents: 2,
  substring: 1,
  to_base64: 2,
  to_json: 3,
  translate: 2,
  trim: 2,
  try_strptime: 2,
  unhex: 1,
  upper: 2,
});
const PAIRING: ReadonlySet<string> = new Set([
  'levenshtein', 'strpos', 'contains', 'replace', 'split_part', 'string_split', 'json_contains',
  'regexp_extract', 'regexp_full_match', 'regexp_matches', 'regexp_replace',
]); // oxfmt-ignore

/** What is known of the rows of a scan. */
interface Loaded {
  readonly rowCount?: number;
  readonly bytes?: number;
}

/** Nodes that make as many rows as they like. */
const MANY: ReadonlySet<LogicalPlan['kind']> = new Set(['CteScan', 'RecursionScan', 'Series', 'Unnest']);

/** Rows of a vector, at most. */
function rowsAtOnce(plan: LogicalPlan, sourceOf: (scan: TableScan) => Loaded): number {
  let rows = 1;
  walkDeep(plan, {
    plan: (node) => {
      // Joined with each other at worst; one more for the side of an outer join that is missing.
      if (node.kind === 'TableScan') rows *= (sourceOf(node).rowCount ?? VECTOR_ROWS) + 1;
      else if (node.kind === 'Values') rows *= Math.max(node.rows.length, 1);
      else if (MANY.has(node.kind)) rows = Infinity;
      else if (node.kind === 'Aggregate') rows *= node.groupingSets?.length ?? 1;
      else if (node.kind === 'SetOperation') rows *= 2;
    },
  });
  return Math.min(rows, VECTOR_ROWS);
}

/** The budget of a statement that was written as `sql`. */
export function textBudget(
  sql: string,
  plan: LogicalPlan,
  sourceOf: (scan: TableScan) => Loaded,
): TextBudget {
  let copies = 0;
  let pairings = 0;
  for (const [, name = ''] of sql.matchAll(/\b([a-z_0-9]+)\(/g)) {
    copies += WEIGHTS[name] ?? 0;
    if (PAIRING.has(name)) pairings++;
  }
  // What `||` makes on its way to the last operand is kept, too.
  copies += sql.split(' || ').length - 1;
  pairings += sql.split('LIKE ').length - 1;
  if (copies === 0 && pairings === 0) return WIDEST;
  const rows = rowsAtOnce(plan, sourceOf);
  const valueBytes = Math.min(
    WIDEST.valueBytes,
    Math.floor(STATEMENT_TEXT_BYTES_MAX / (rows * Math.max(copies, 1))),
  );
  return {
    valueBytes,
    pairs: Math.floor(WIDEST.pairs / (rows * Math.max(pairings, 1))),
    checksStored: sql.includes('string_agg(') || storedBytes(plan, sourceOf) > valueBytes,
  };
}

/** What any value that was read may take at most. */
function storedBytes(plan: LogicalPlan, sourceOf: (scan: TableScan) => Loaded): number {
  let most = 0;
  walkDeep(plan, {
    plan: (node) => {
      if (node.kind === 'TableScan') most = Math.max(most, sourceOf(node).bytes ?? Infinity);
    },
  });
  return most;
}
