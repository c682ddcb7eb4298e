import { isDigit, isSpace, isWordPart, isWordStart, wordEnd } from '../../lexer/characters.ts';
import type { Dialect } from '../dialect.ts';
import { NoOfferError } from '../no-offer.ts';
import { readQuoted } from './quoted.ts';
import type { SourceToken } from './source-token.ts';

/** Longest first. */
const OPERATORS = [
  ...['<=>', '->>', '::', '->', '||', '&&', '<<', '>>', '<=', '>=', '<>', '!=', '==', '!<', '!>', '!~'],
  ...['&', '|', '^', '~', '<', '>', '=', '+', '-', '*', '/', '%', ':', '(', ')', '[', ']', ',', '.', ';'],
];
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;

/**
 * Cuts a statement into tokens as its dialect does: what is a name, a text or a comment there. Comments are left out.
 * @throws NoOfferError on anything that is not the same there and here, or not known to be
 */
export function tokenizeSource(sql: string, dialect: Dialect): readonly SourceToken[] {
  const tokens: SourceToken[] = [];
  let at = 0;
  let spaceBefore = false;
  const add = (kind: SourceToken['kind'], value: string, end: number): void => {
    const upper = kind === 'word' ? value.toUpperCase() : kind === 'operator' ? value : '';
    tokens.push(Object.freeze({ kind, value, upper, spaceBefore, source: sql.slice(at, end) }));
    spaceBefore = false;
    at = end;
  };
  const addQuoted = (kind: 'name' | 'text', close: string): void => {
    const escapes = kind === 'text' && dialect.backslashEscapes;
    const { value, end } = readQuoted(sql, at, close, escapes);
    // Three quotes begin a text of several lines there.
    const hasDoubled =
      sql.slice(at + 1, end - 1).includes(close.repeat(2)) || sql.startsWith(close.repeat(2), at);
    if (kind === 'text' && !dialect.doubledQuotes && hasDoubled && value !== '')
      throw new NoOfferError('quotes beside each other');
    if (kind === 'name' && value === '') throw new NoOfferError('an empty name');
    if (kind === 'text' && tokens.at(-1)?.kind === 'text') throw new NoOfferError('texts beside each other');
    // `a.b` within one pair of backticks is a path of two names in BigQuery.
    if (kind === 'name' && dialect.name === 'BigQuery' && value.includes('.')) addPath(value, end);
    else if (kind === 'name' && value.includes('.')) throw new NoOfferError('a dot in a name');
    else add(kind, value, end);
  };
  const addPath = (path: string, end: number): void => {
    path.split('.').forEach((name, i) => {
      if (name === '') throw new NoOfferError('an empty name');
      if (i > 0) add('operator', '.', at);
      add('name', name, at);
    });
    at = end;
  };

  while (at < sql.length) {
    const character = sql.charAt(at);
    const next = sql.charAt(at + 1);
    const comment = commentEnd(sql, at, dialect);
    if (isSpace(sql, at) || comment > at) {
      at = Math.max(comment, at + 1);
      spaceBefore = true;
    } else if (character === "'") addQuoted('text', "'");
    else if (character === '"') addQuoted(dialect.doubleQuoted, '"');
    else if (character === '`' && dialect.backticks) addQuoted('name', '`');
    else if (character === '[' && dialect.bracketedNames) addQuoted('name', ']');
    else if (isDigit(character) || (character === '.' && isDigit(next))) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(sql)?.[0] ?? character;
      if (isWordPart(sql, at + number.length)) throw new NoOfferError('a name that starts with a digit');
      add('number', number, at + number.length);
    } else if (character === '@' && isWordStart(sql, at + 1)) {
      if (dialect.at === 'variable') throw new NoOfferError('a variable');
      const end = wordEnd(sql, at + 1);
      add('other', `:${sql.slice(at + 1, end)}`, end);
    } else if (character === '?') add('other', '?', at + 1);
    else if (isWordStart(sql, at)) addWord(sql, at, dialect, add);
    else {
      const operator = OPERATORS.find((candidate) => sql.startsWith(candidate, at));
      if (operator === undefined) throw new NoOfferError('a character that means nothing here');
      add('operator', operator, at + operator.length);
    }
  }
  return tokens;
}

/** A word, or the text or binary value that its letter begins. */
function addWord(
  sql: string,
  at: number,
  dialect: Dialect,
  add: (kind: SourceToken['kind'], value: string, end: number) => void,
): void {
  const end = wordEnd(sql, at);
  const quote = sql.charAt(end);
  const prefix = sql.slice(at, end).toUpperCase();
  const isQuote = quote === "'" || (quote === '"' && dialect.doubleQuoted === 'text');
  if (!isQuote || prefix.length > 1) add('word', sql.slice(at, end), end);
  else if (prefix === 'N' && dialect.name !== 'BigQuery') {
    const { value, end: after } = readQuoted(sql, end, quote, dialect.backslashEscapes);
    add('text', value, after);
  } else if (prefix === 'R' && dialect.name === 'BigQuery') {
    const { value, end: after } = readQuoted(sql, end, quote, false);
    if (value.includes(quote) || value.endsWith('\\')) throw new NoOfferError('quotes in a raw text');
    add('text', value, after);
  } else throw new NoOfferError(`${prefix}'…' texts`);
}

/** The offset after the comment that starts here; `at` if none does. */
function commentEnd(sql: string, at: number, { hashComments, name }: Dialect): number {
  const isLine = sql.startsWith('--', at) || (hashComments && sql.charAt(at) === '#');
  if (isLine) {
    const lineBreak = sql.slice(at).search(/[\r\n]/);
    return lineBreak < 0 ? sql.length : at + lineBreak;
  }
  if (!sql.startsWith('/*', at)) return at;
  // MySQL runs what stands in /*! … */, and takes /*+ … */ for hints, which change no row.
  const isRun = sql.startsWith('/*!', at) || sql.startsWith('/*M!', at);
  const end = sql.indexOf('*/', at + 2);
  // Only some systems let comments nest.
  const isNested = end >= 0 && sql.slice(at + 2, end).includes('/*');
  if (end < 0 || isRun || isNested) throw new NoOfferError(`a comment that ${name} may read otherwise`);
  return end + 2;
}
