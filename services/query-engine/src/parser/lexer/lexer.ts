import type { SqlSyntaxError } from '../errors.ts';
import { syntaxError } from '../errors.ts';
import { PARSER_LIMITS } from '../limits.ts';
import { lineStarts, positionAt } from '../source-text.ts';
import { isDigit, isSpace, isWordPart, isWordStart, wordEnd } from './characters.ts';
import { readDollarQuoted, readEscaped, readQuoted, type Quoted } from './strings.ts';
import type { Comment, Token, TokenType } from './token.ts';

/** Longest first. Those that mean nothing here are read whole all the same, so that an error can name them. */
const OPERATORS = [
  ...[
    '!~~*',
    '->>',
    '#>>',
    '!~~',
    '~~*',
    '!~*',
    '~~',
    '~*',
    '!~',
    '::',
    '->',
    '#>',
    '@>',
    '<@',
    '||',
    '<<',
    '>>',
    '<=',
    '>=',
    '<>',
    '!=',
    '==',
    '=>',
    ':=',
    '**',
    '//',
    '&&',
    '^@',
  ],
  ...['&', '|', '^', '~', '<', '>', '=', '+', '-', '*', '/', '%', '#', '!', '@', ':'],
  ...['(', ')', '[', ']', '{', '}', ',', '.', ';', '\\'],
];
/** The operators by their first character, longest first. */
const OPERATORS_BY_START: ReadonlyMap<string, readonly string[]> = Map.groupBy(OPERATORS, (operator) =>
  operator.charAt(0),
);
const NUMBER = /(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+)?/y;
const NOT_ASCII = /[^\x00-\x7f]/;
const PREFIXED_STRINGS = new Set(['E', 'X', 'B', 'N', 'R', 'U&']);

/**
 * Cuts SQL text into tokens; the last is of type `end`. Strings are standard SQL's (`''` is a quote, a backslash is a
 * backslash), names in double quotes keep every character, comments nest.
 * @param comments takes the comments, in order
 * @throws SqlSyntaxError on anything unterminated or unknown, and beyond the limits of size and tokens.
 */
export function tokenize(sql: string, comments: Comment[] = []): readonly Token[] {
  const starts = lineStarts(sql);
  const tokens: Token[] = [];
  let at = 0;
  let spaceBefore = true;
  let line = 0;

  const fail = (what: string, offset: number, advice?: string): SqlSyntaxError =>
    syntaxError('parse', sql, positionAt(starts, offset), what, advice);
  const unsupported = (what: string, offset: number, advice?: string): SqlSyntaxError =>
    syntaxError('unsupported', sql, positionAt(starts, offset), what, advice);

  const add = (type: TokenType, end: number, value: string): void => {
    while ((starts[line + 1] ?? Infinity) <= at) line++;
    const column = at - (starts[line] ?? 0) + 1;
    const position = Object.freeze({ offset: at, line: line + 1, column });
    if (tokens.length >= PARSER_LIMITS.tokensMax && type !== 'end') {
      throw syntaxError(
        'unsupported',
        sql,
        position,
        `more than ${PARSER_LIMITS.tokensMax} tokens`,
        'shorten the query',
      );
    }
    const text = sql.slice(at, end);
    const upper = type === 'word' ? asciiUpper(text) : type === 'operator' ? text : '';
    tokens.push({ type, text, value, upper, position, end, spaceBefore });
    spaceBefore = false;
    at = end;
  };
  const addQuoted = (type: TokenType, quoted: Quoted, what: string): void => {
    if (quoted === null) throw fail(`unterminated ${what}`, at, 'its closing quote is missing');
    add(type, quoted.end, quoted.value);
  };

  if (Buffer.byteLength(sql, 'utf8') > PARSER_LIMITS.sqlBytesMax) {
    throw unsupported(`more than ${PARSER_LIMITS.sqlBytesMax} bytes of SQL`, 0, 'shorten the query');
  }
  const nul = sql.indexOf('\0');
  if (nul >= 0) throw fail('a NUL character', nul, 'a statement has none, nor has a text or a name in it');
  while (at < sql.length) {
    const character = sql.charAt(at);
    const next = sql.charAt(at + 1);
    if (isSpace(sql, at)) {
      at++;
      spaceBefore = true;
    } else if (character === '-' && next === '-') {
      const from = at;
      const lineBreak = sql.slice(at).search(/[\r\n]/);
      at = lineBreak < 0 ? sql.length : at + lineBreak;
      comments.push({ from, to: at });
      spaceBefore = true;
    } else if (character === '/' && next === '*') {
      const end = commentEnd(sql, at);
      if (end < 0) throw fail('unterminated comment', at, 'its closing */ is missing');
      comments.push({ from: at, to: end });
      at = end;
      spaceBefore = true;
    } else if (character === "'") {
      const quoted = readQuoted(sql, at);
      const previous = tokens.at(-1);
      // Standard SQL: literals with a line break between them are one literal.
      if (quoted !== null && previous?.type === 'string' && /[\r\n]/.test(sql.slice(previous.end, at))) {
        tokens[tokens.length - 1] = { ...previous, value: previous.value + quoted.value, end: quoted.end };
        at = quoted.end;
      } else {
        addQuoted('string', quoted, 'string');
      }
    } else if (character === '"') {
      if (next === '"' && sql.charAt(at + 2) !== '"') throw fail('an empty name in double quotes', at);
      addQuoted('name', readQuoted(sql, at), 'quoted name');
    } else if (character === '`') {
      const isFence = sql.startsWith('```', at);
      const advice = isFence
        ? 'send the statement without the ``` around it'
        : 'names are quoted with "double quotes"';
      throw fail(isFence ? "unexpected '```'" : "unexpected '`'", at, advice);
    } else if (
      isDigit(character) ||
      (character === '.' && isDigit(next) && !followsName(tokens.at(-1), spaceBefore))
    ) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(sql)?.[0] ?? character;
      if (isWordPart(sql, at + number.length)) {
        const text = sql.slice(at, wordEnd(sql, at + number.length));
        throw fail(
          `unexpected '${text.slice(0, 40)}'`,
          at,
          'names that start with a digit need "double quotes"',
        );
      }
      add('number', at + number.length, number.replaceAll('_', ''));
    } else if (character === '$') {
      const quoted = readDollarQuoted(sql, at);
      if (quoted !== undefined) {
        addQuoted('string', quoted, 'string');
      } else {
        const end = wordEnd(sql, at + 1);
        const parameter = sql.slice(at + 1, end);
        if (!/^([1-9]\d{0,3}|[A-Za-z_]\w*)$/.test(parameter)) {
          throw fail("unexpected '$'", at, 'parameters are ?, $1 or :name');
        }
        add('parameter', end, parameter);
      }
    } else if (character === ':' && /[A-Za-z_]/.test(next) && tokens.at(-1)?.upper !== ':') {
      const end = wordEnd(sql, at + 1);
      add('parameter', end, sql.slice(at + 1, end));
    } else if (character === '?') {
      add('parameter', at + 1, '?');
    } else if (isWordStart(sql, at)) {
      const end = wordEnd(sql, at);
      const prefix = sql.slice(at, end + (sql.startsWith("&'", end) ? 1 : 0)).toUpperCase();
      if (sql.charAt(at + prefix.length) !== "'" || !PREFIXED_STRINGS.has(prefix)) {
        add('word', end, sql.slice(at, end));
      } else if (prefix === 'E') {
        const quoted = readEscaped(sql, end);
        if (quoted === 'badEscape') throw unsupported("this backslash escape in an E'…' string", at);
        addQuoted('string', quoted, 'string');
      } else if (prefix === 'N') {
        addQuoted('string', readQuoted(sql, end), 'string');
      } else if (prefix === 'X') {
        const quoted = readQuoted(sql, end);
        if (quoted !== null && !/^(?:[0-9A-Fa-f]{2})*$/.test(quoted.value))
          throw fail("X'…' that is no binary value", at, "each byte is two hexadecimal digits, as in X'1F'");
        addQuoted('binary', quoted, 'binary value');
      } else {
        const advice = prefix === 'B' ? "write a number, or bytes as X'1F'" : "write a plain '…' string";
        throw unsupported(`${prefix}'…' strings`, at, advice);
      }
    } else {
      const candidates = OPERATORS_BY_START.get(character);
      const operator = candidates?.find((candidate) => sql.startsWith(candidate, at));
      if (operator === undefined) throw fail(`unexpected character ${JSON.stringify(character)}`, at);
      add('operator', at + operator.length, operator);
    }
  }
  add('end', at, '');
  return tokens;
}

/** Keywords and functions are ASCII; other letters have upper cases of other lengths and meanings. */
const asciiUpper = (text: string): string =>
  NOT_ASCII.test(text) ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()) : text.toUpperCase();

/** `t.1` is a dot and a number's digit, not `t` and `.1`: a mistake to be named as such. */
function followsName(previous: Token | undefined, spaceBefore: boolean): boolean {
  return !spaceBefore && (previous?.type === 'word' || previous?.type === 'name');
}

/** The offset after the comment that starts here; -1 if it, or one nested in it, is not closed. */
function commentEnd(sql: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  for (let depth = 0, found = mark.exec(sql); found !== null; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return -1;
}
