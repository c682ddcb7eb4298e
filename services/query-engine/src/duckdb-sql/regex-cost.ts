/**
 * What a regular expression costs. RE2 takes time by the length of the text; where a pattern has too many states to keep,
 * also by their number.
 */
import { toText } from './types/convert.ts';
import type { Typed } from './types/sql-type.ts';
import { boundedPairs } from './bounded-text.ts';
import { quoteText } from './literal.ts';
import type { TextBudget } from './text-budget.ts';
import { given } from './named.ts';

/** Patterns of fewer states are found to run in time by the text alone. */
const FEW_STATES = 64;
/** States that a character class may take in UTF-8, about. */
const CLASS_STATES = 12;
const PROPERTY_STATES = 300;
/** Characters of a pattern that is looked at; of a longer one, the worst is assumed. */
const READ_MAX = 2_000;

/** States of a pattern, about: its characters, each as often as the counts around it say. */
export function regexStates(pattern: string): number {
  // Reading one takes time by the square of its length.
  if (pattern.length > READ_MAX) return pattern.length * PROPERTY_STATES;
  /** Of the group that is open, and of what a count may follow. */
  const groups: number[] = [0];
  let last = 0;
  for (let at = 0; at < pattern.length;) {
    const rest = pattern.slice(at);
    const [token = ''] =
      /^(?:\\[pP](?:\{[^}]*\}|.)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S])/u.exec(
        rest,
      ) ?? [];
    at += Math.max(token.length, 1);
    const top = groups.length - 1;
    const [, from, to] = /^\{(\d+)(?:,(\d*))?\}$/.exec(token) ?? [];
    if (from !== undefined) {
      const times = Math.max(Number(from), Number(to || 0), 1);
      groups[top] = (groups[top] ?? 0) + last * (times - 1);
      last *= times;
    } else if (token === '(') {
      groups.push(0);
      last = 0;
    } else if (token === ')' && top > 0) {
      last = (groups.pop() ?? 0) + 1;
      groups[top - 1] = (groups[top - 1] ?? 0) + last;
    } else if (!/^[*+?|]$/.test(token)) {
      const isClass = token.startsWith('[') || token === '.' || /^\\[DSWC]$/.test(token);
      last = /\\[pP]/.test(token) ? PROPERTY_STATES : isClass ? CLASS_STATES : 1;
      groups[top] = (groups[top] ?? 0) + last;
    }
  }
  return groups.reduce((sum, states) => sum + states, 0);
}

/** A call that matches `pattern` in `text`, `made` of both, where what it may cost is within the bound. */
export function boundedMatch(
  text: Typed,
  pattern: Typed,
  budget: TextBudget,
  made: (text: string, pattern: string) => string,
): string {
  const sql = toText(pattern).sql;
  const constant = /^'((?:[^']|'')*)'$/.exec(sql)?.[1];
  if (constant === undefined) return boundedPairs([text, pattern], budget, made);
  const states = regexStates(constant.replaceAll("''", "'"));
  if (states <= FEW_STATES) return made(toText(text).sql, sql);
  const max = Math.floor(budget.pairs / states);
  const fails = `error(${quoteText(
    `a text of more than ${max} bytes is too long for this pattern of about ${states} states; ` +
      'take a part of it first, as LEFT(text, 1000), a shorter pattern, or fewer rows',
  )})`;
  const checked = (v: string): string =>
    `CASE WHEN strlen(${v}) > ${max} THEN ${fails} ELSE ${made(v, sql)} END`;
  const value = toText(text).sql;
  return /^c\d+$/.test(value) ? `(${checked(value)})` : given('v', value, checked('v'));
}
