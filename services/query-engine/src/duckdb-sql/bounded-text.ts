/**
 * Texts that a statement makes longer than what it read, with a bound on each: DuckDB's memory limit does not see the
 * texts of the rows in hand, and doubling a text a few dozen times would end the process.
 *
 * A lambda names the values, so that no argument is written (and, nested, multiplied) twice.
 */
import { REPEATED_TEXT_BYTES_MAX } from '../limits.ts';
import { toNumber, toText } from './types/convert.ts';
import { BINARY, TEXT, type Typed } from './types/sql-type.ts';
import { quoteText } from './literal.ts';
import type { TextBudget } from './text-budget.ts';
import { given } from './named.ts';

const ADVICE = 'take a part of each first, as LEFT(text, 1000), or fewer rows';
const tooLongToWorkOn = (bytes: number): string =>
  `a text of more than ${bytes} bytes is too long for what is done with it; ${ADVICE}`;
const tooLong = (bytes: number): string =>
  `error(${quoteText(`a text of more than ${bytes} bytes would come out`)})`;

/**
 * Pairs that searching compares in the time of one that LEVENSHTEIN or LIKE does: whole words at a time.
 */
export const NEEDLE_PAIRS = 64;
/** A text to search for that is not worth checking, bytes. */
export const SHORT_NEEDLE = 64;
/** What an item may hold, as JSON text at most: escapes are six characters each. */
const STORED_TEXT_BYTES_MAX = 1_048_576;

/** Fields of `v` as they are, unless the condition holds. */
function unless(condition: string, bytes: number, value: string, fields: Readonly<Record<string, string>>) {
  const struct = Object.entries(fields).map(([name, sql]) => `${name}: ${sql}`);
  const guarded = `CASE WHEN ${condition} THEN ${tooLong(bytes)} ELSE ${value} END`;
  return { sql: given('v', `{${struct.join(', ')}}`, guarded), type: TEXT };
}

/** The expression where it may stand several times. */
const isSimple = (sql: string): boolean => /^(?:c\d+|\d+)$/.test(sql);

/**
 * A value that a function works on, where it is a column: it may be as long as an item. What other functions made is
 * bounded already.
 */
export function boundedInput(value: Typed, { valueBytes: max, checksStored }: TextBudget): Typed {
  const { sql, type } = value;
  if (!checksStored || max >= STORED_TEXT_BYTES_MAX) return value;
  const length: Partial<Record<Typed['type']['kind'], (v: string) => string>> = {
    text: (v) => `strlen(${v})`,
    json: (v) => `strlen(${v})`,
    binary: (v) => `octet_length(${v})`,
    mixed: (v) => `strlen((${v}).t)`,
  };
  const lengthOf = length[type.kind];
  if (lengthOf === undefined) return value;
  const bounded = (v: string): string =>
    `CASE WHEN ${lengthOf(v)} > ${max} THEN error(${quoteText(tooLongToWorkOn(max))}) ELSE ${v} END`;
  if (isSimple(sql)) return { sql: `(${bounded(sql)})`, type };
  return { sql: given('v', sql, bounded('v')), type };
}

/** The lengths of two texts multiplied are within what a function may compare; or so many times that. */
export function boundedPairs(
  values: readonly [Typed, Typed],
  { pairs }: TextBudget,
  made: (a: string, b: string) => string,
  { times = 1, short = 0 } = {},
): string {
  const [a, b] = values.map((value) => toText(value).sql) as [string, string];
  const constant = /^'((?:[^']|'')*)'$/.exec(b)?.[1];
  if (constant !== undefined && Buffer.byteLength(constant) <= short) return made(a, b);
  const max = pairs * times;
  const fails = `error(${quoteText(`texts whose lengths multiplied are more than ${max} would be compared; ${ADVICE}`)})`;
  const checked = (x: string, y: string): string =>
    `CASE WHEN CAST(strlen(${x}) AS DOUBLE) * strlen(${y}) > ${max} THEN ${fails} ELSE ${made(x, y)} END`;
  if (isSimple(a) && (isSimple(b) || constant !== undefined)) return `(${checked(a, b)})`;
  if (constant !== undefined) return given('v', a, checked('v', b));
  return given('v', `{a: ${a}, b: ${b}}`, checked('v.a', 'v.b'));
}

/** A text that is at most some times as long as what it is made of. */
export function boundedText(sql: string, { valueBytes: max }: TextBudget, lengthOf = 'strlen'): Typed {
  const bounded = `CASE WHEN ${lengthOf}(v) > ${max} THEN ${tooLong(max)} ELSE v END`;
  return { sql: given('v', sql, bounded), type: TEXT };
}

const NULL_TEXT = 'CAST(NULL AS VARCHAR)';
const textAt = (values: readonly Typed[], index: number): string => {
  const value = values[index];
  return value === undefined ? NULL_TEXT : toText(value).sql;
};

function countAt(values: readonly Typed[], index: number): string {
  const value = values[index];
  return value === undefined ? 'NULL::BIGINT' : `CAST(${toNumber(value).sql} AS BIGINT)`;
}

export function repeated(values: readonly Typed[], { valueBytes }: TextBudget): Typed {
  const max = Math.min(REPEATED_TEXT_BYTES_MAX, valueBytes);
  return unless(`CAST(v.n AS DOUBLE) * strlen(v.s) > ${max}`, max, 'repeat(v.s, v.n)', {
    s: textAt(values, 0),
    n: countAt(values, 1),
  });
}

/** LPAD and RPAD. */
export function padded(name: 'lpad' | 'rpad', values: readonly Typed[], { valueBytes }: TextBudget): Typed {
  const max = Math.min(REPEATED_TEXT_BYTES_MAX, valueBytes);
  // A character may take four bytes.
  return unless(
    `v.n > ${max} OR (v.n > ${Math.floor(max / 4)} AND strlen(v.p) > length(v.p))`,
    max,
    `${name}(v.s, CAST(v.n AS INTEGER), v.p)`,
    {
      s: textAt(values, 0),
      n: countAt(values, 1),
      p: values.length > 2 ? textAt(values, 2) : "' '",
    },
  );
}

export function replaced(values: readonly Typed[], { valueBytes: max, pairs }: TextBudget): Typed {
  const matches = `(strlen(v.s) - strlen(replace(v.s, v.f, ''))) / strlen(v.f)`;
  const grows = `strlen(v.f) > 0 AND strlen(v.t) > strlen(v.f)`;
  const length = `strlen(v.s) + ${matches} * (strlen(v.t) - strlen(v.f))`;
  const isLong = `CAST(strlen(v.s) AS DOUBLE) * strlen(v.f) > ${pairs * NEEDLE_PAIRS}`;
  const isTooMuch = `CASE WHEN ${isLong} THEN TRUE WHEN ${grows} THEN ${length} > ${max} ELSE FALSE END`;
  return unless(isTooMuch, max, 'replace(v.s, v.f, v.t)', {
    s: textAt(values, 0),
    f: textAt(values, 1),
    t: textAt(values, 2),
  });
}

/** At most one match a byte, and one at the end. The pattern and the options must stay constants. */
export function regexReplaced(values: readonly Typed[], budget: TextBudget): Typed {
  // Most replacements are short, and most matches longer than a byte: only what comes of them is sure to be bounded.
  const max = Math.max(budget.valueBytes / 8, 1);
  const options = values.length > 3 ? `, ${textAt(values, 3)}` : '';
  const growsTo = Math.floor(max * 16);
  const { sql } = unless(
    `CAST(strlen(v.s) + 1 AS DOUBLE) * strlen(v.t) > ${growsTo}`,
    growsTo,
    `regexp_replace(v.s, ${textAt(values, 1)}, v.t${options})`,
    { s: textAt(values, 0), t: textAt(values, 2) },
  );
  return boundedText(sql, budget);
}

/** Operands joined in one step: each step is within the bound, and no text is nested deeply. */
const JOINED_AT_ONCE = 16;

function inSteps(
  parts: readonly string[],
  join: (parts: readonly string[]) => string,
  budget: TextBudget,
  lengthOf?: string,
): Typed {
  let made = boundedText(join(parts.slice(0, JOINED_AT_ONCE)), budget, lengthOf);
  for (let at = JOINED_AT_ONCE; at < parts.length; at += JOINED_AT_ONCE)
    made = boundedText(join([made.sql, ...parts.slice(at, at + JOINED_AT_ONCE)]), budget, lengthOf);
  return made;
}

/** `a || b || …`: NULL where one of them is. Binary values alone are joined byte by byte, anything else as text. */
export function joined(values: readonly Typed[], budget: TextBudget): Typed {
  if (values.every(({ type }) => type.kind === 'binary')) {
    const parts = (bytes: readonly string[]): string => bytes.join(' || ');
    const { sql } = inSteps(
      values.map((value) => value.sql),
      parts,
      budget,
      'octet_length',
    );
    return { sql, type: BINARY };
  }
  return inSteps(
    values.map((value) => toText(value).sql),
    (parts) => parts.join(' || '),
    budget,
  );
}

/** CONCAT: without those that are NULL. */
export function concatenated(values: readonly Typed[], budget: TextBudget): Typed {
  return inSteps(
    values.map((value) => toText(value).sql),
    (parts) => `concat(${parts.join(', ')})`,
    budget,
  );
}

/** The elements of a JSON list with a separator between any two, and a text for each that is NULL: none where that is. */
export function joinedElements(
  {
    list,
    separator,
    instead,
  }: { readonly list: string; readonly separator: string; readonly instead: string },
  budget: TextBudget,
): Typed {
  const each = `coalesce(strlen(v.s), 0) + coalesce(strlen(v.i), 0)`;
  const elements = `list_filter(list_transform(from_json(v.l, '["JSON"]'), lambda e: coalesce(e->>'$', v.i)), lambda e: e IS NOT NULL)`;
  // DuckDB joins by constants only.
  const joinedAll = `array_to_string(list_transform(${elements}, lambda e, i: CASE WHEN i = 1 THEN e ELSE v.s || e END), '')`;
  const { sql } = unless(
    `CAST(json_array_length(v.l) AS DOUBLE) * (${each}) > ${budget.valueBytes}`,
    budget.valueBytes,
    `CASE WHEN v.s IS NOT NULL THEN ${joinedAll} END`,
    { l: list, s: separator, i: instead },
  );
  return boundedText(sql, budget);
}
