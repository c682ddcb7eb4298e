/**
 * LIKE and ILIKE.
 *
 * DuckDB matches a pattern of `_`, or one that is no constant, by trying each `%` at each place: in time by the power of
 * their number, and it cannot be interrupted meanwhile. Such a pattern becomes a regular expression, which takes time by
 * the length of the text. A constant pattern without `_` has a matcher of its own.
 */
import { toText } from './types/convert.ts';
import type { Typed } from './types/sql-type.ts';
import { boundedPairs, NEEDLE_PAIRS, SHORT_NEEDLE } from './bounded-text.ts';
import { constantText, quoteText } from './literal.ts';
import type { TextBudget } from './text-budget.ts';
import { given } from './named.ts';

const SPECIAL = /[\\.^$|()[\]{}*+?]/g;
/** The same for DuckDB's own functions. */
const SPECIAL_SQL = quoteText('([\\\\.^$|()\\[\\]{}*+?])');
const ESCAPED_SQL = quoteText('\\\\\\1');

/** A constant pattern as a regular expression; null where it ends in its escape character, which DuckDB refuses. */
function regexOf(pattern: string, escape: string | null): string | null {
  let regex = '';
  let isEscaped = false;
  for (const character of pattern) {
    if (!isEscaped && character === escape) isEscaped = true;
    else {
      if (!isEscaped && character === '%') regex += '.*';
      else if (!isEscaped && character === '_') regex += '.';
      else regex += character.replace(SPECIAL, '\\$&');
      isEscaped = false;
    }
  }
  return isEscaped ? null : regex.replace(/(?:\.\*)+/g, '.*');
}

/** The condition; `escape` null: none. */
export function writeLike(
  text: Typed,
  pattern: Typed,
  escape: Typed | null,
  caseInsensitive: boolean,
  budget: TextBudget,
): string {
  const folded = (sql: string): string => (caseInsensitive ? `lower(${sql})` : sql);
  const constant = constantText(toText(pattern).sql);
  const escapedBy = escape === null ? null : constantText(toText(escape).sql);
  const byRegex = (regex: string, of: string): string =>
    `regexp_full_match(${folded(of)}, ${folded(regex)}, 's')`;

  if (constant !== null && (escape === null || escapedBy?.length === 1)) {
    const regex = regexOf(constant, escapedBy);
    if (regex !== null && (escape !== null || constant.includes('_')))
      return boundedPairs([text, pattern], budget, (a) => byRegex(quoteText(regex), a), {
        short: SHORT_NEEDLE,
      });
    if (regex !== null) {
      const options = { times: NEEDLE_PAIRS, short: SHORT_NEEDLE };
      return boundedPairs([text, pattern], budget, (a, b) => `(${folded(a)} LIKE ${folded(b)})`, options);
    }
  }
  if (escape === null) {
    const regex = (p: string): string =>
      `replace(replace(regexp_replace(${p}, ${SPECIAL_SQL}, ${ESCAPED_SQL}, 'g'), '%', '.*'), '_', '.')`;
    return boundedPairs([text, pattern], budget, (a, b) => byRegex(regex(b), a));
  }
  return byTrying(text, pattern, escape, caseInsensitive, budget);
}

/** A pattern that is no constant and has an escape character: as many tries as there may be are within the bound. */
function byTrying(
  text: Typed,
  pattern: Typed,
  escape: Typed,
  caseInsensitive: boolean,
  budget: TextBudget,
): string {
  const operator = caseInsensitive ? 'ILIKE' : 'LIKE';
  const [t, p, e] = [text, pattern, escape].map((value) => toText(value).sql);
  const wildcards = "strlen(v.p) - strlen(replace(v.p, '%', ''))";
  const tries = `strlen(v.p) * power(CAST(strlen(v.t) + 1 AS DOUBLE), least(${wildcards}, 30))`;
  const fails = `error(${quoteText('a pattern with ESCAPE that is no constant has too many %; write REGEXP_MATCHES')})`;
  const made = `CASE WHEN ${tries} > ${budget.pairs} THEN ${fails} ELSE v.t ${operator} v.p ESCAPE v.e END`;
  return given('v', `{t: ${t}, p: ${p}, e: ${e}}`, made);
}
