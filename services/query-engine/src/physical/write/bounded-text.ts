/**
 * Texts that a statement makes longer than what it read, with a bound on each: DuckDB's memory limit does not see the
 * texts of the rows in hand, and doubling a text a few dozen times would end the process.
 *
 * A lambda names the values, so that no argument is written (and, nested, multiplied) twice.
 */
import { MADE_TEXT_BYTES_MAX, REPEATED_TEXT_BYTES_MAX } from '../../limits.ts';
import { toNumber, toText } from '../types/convert.ts';
import { BINARY, TEXT, type Typed } from '../types/sql-type.ts';
import { quoteText } from './literal.ts';

const tooLong = (bytes: number): string =>
  `error(${quoteText(`a text of more than ${bytes} bytes would come out`)})`;

/** Fields of `v` as they are, unless the condition holds. */
function unless(condition: string, bytes: number, value: string, fields: Readonly<Record<string, string>>) {
  const struct = Object.entries(fields).map(([name, sql]) => `${name}: ${sql}`);
  const guarded = `CASE WHEN ${condition} THEN ${tooLong(bytes)} ELSE ${value} END`;
  return { sql: `list_transform([{${struct.join(', ')}}], lambda v: ${guarded})[1]`, type: TEXT };
}

/** A text that is at most some times as long as what it is made of. */
export function boundedText(sql: string, lengthOf = 'strlen'): Typed {
  const max = MADE_TEXT_BYTES_MAX;
  return {
    sql: `list_transform([${sql}], lambda v: CASE WHEN ${lengthOf}(v) > ${max} THEN ${tooLong(max)} ELSE v END)[1]`,
    type: TEXT,
  };
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

export function repeated(values: readonly Typed[]): Typed {
  const max = REPEATED_TEXT_BYTES_MAX;
  return unless(`CAST(v.n AS DOUBLE) * strlen(v.s) > ${max}`, max, 'repeat(v.s, v.n)', {
    s: textAt(values, 0),
    n: countAt(values, 1),
  });
}

/** LPAD and RPAD. */
export function padded(name: 'lpad' | 'rpad', values: readonly Typed[]): Typed {
  const max = REPEATED_TEXT_BYTES_MAX;
  return unless(`v.n > ${max}`, max, `${name}(v.s, CAST(v.n AS INTEGER), v.p)`, {
    s: textAt(values, 0),
    n: countAt(values, 1),
    p: values.length > 2 ? textAt(values, 2) : "' '",
  });
}

export function replaced(values: readonly Typed[]): Typed {
  const max = MADE_TEXT_BYTES_MAX;
  const matches = `(strlen(v.s) - strlen(replace(v.s, v.f, ''))) / strlen(v.f)`;
  const grows = `strlen(v.f) > 0 AND strlen(v.t) > strlen(v.f)`;
  const length = `strlen(v.s) + ${matches} * (strlen(v.t) - strlen(v.f))`;
  return unless(`CASE WHEN ${grows} THEN ${length} > ${max} ELSE FALSE END`, max, 'replace(v.s, v.f, v.t)', {
    s: textAt(values, 0),
    f: textAt(values, 1),
    t: textAt(values, 2),
  });
}

/** At most one match a byte, and one at the end. The pattern and the options must stay constants. */
export function regexReplaced(values: readonly Typed[]): Typed {
  const max = MADE_TEXT_BYTES_MAX;
  const options = values.length > 3 ? `, ${textAt(values, 3)}` : '';
  const { sql } = unless(
    `CAST(strlen(v.s) + 1 AS DOUBLE) * strlen(v.t) > ${max * 16}`,
    max * 16,
    `regexp_replace(v.s, ${textAt(values, 1)}, v.t${options})`,
    { s: textAt(values, 0), t: textAt(values, 2) },
  );
  return boundedText(sql);
}

/** Operands joined in one step: each step is within the bound, and no text is nested deeply. */
const JOINED_AT_ONCE = 16;

function inSteps(
  parts: readonly string[],
  join: (parts: readonly string[]) => string,
  lengthOf?: string,
): Typed {
  let made = boundedText(join(parts.slice(0, JOINED_AT_ONCE)), lengthOf);
  for (let at = JOINED_AT_ONCE; at < parts.length; at += JOINED_AT_ONCE)
    made = boundedText(join([made.sql, ...parts.slice(at, at + JOINED_AT_ONCE)]), lengthOf);
  return made;
}

/** `a || b || …`: NULL where one of them is. Binary values alone are joined byte by byte, anything else as text. */
export function joined(values: readonly Typed[]): Typed {
  if (values.every(({ type }) => type.kind === 'binary')) {
    const parts = (bytes: readonly string[]): string => bytes.join(' || ');
    const { sql } = inSteps(
      values.map((value) => value.sql),
      parts,
      'octet_length',
    );
    return { sql, type: BINARY };
  }
  return inSteps(
    values.map((value) => toText(value).sql),
    (parts) => parts.join(' || '),
  );
}

/** CONCAT: without those that are NULL. */
export function concatenated(values: readonly Typed[]): Typed {
  return inSteps(
    values.map((value) => toText(value).sql),
    (parts) => `concat(${parts.join(', ')})`,
  );
}
