/** Tokens of SQL as PostgreSQL cuts it: enough to find where statements end, and to read those that we answer ourselves. */

export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'parameter' | 'symbol';
  /** What it stands for: words in small letters, quoted names and strings without their quotes. */
  readonly text: string;
  /** Where it begins, and where it ends, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

const SPACE = /\s+/y;
const LINE_COMMENT = /--[^\n]*/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const PARAMETER = /\$\d+/y;
const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

function matchAt(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : at;
}

/** Behind a comment, which may hold others. */
function behindBlockComment(sql: string, from: number): number {
  let depth = 0;
  for (let at = from; at < sql.length;) {
    const two = sql.slice(at, at + 2);
    if (two === '/*') depth++;
    if (two === '*/') depth--;
    at += two === '/*' || two === '*/' ? 2 : 1;
    if (depth === 0) return at;
  }
  return sql.length;
}

/** Behind what stands between quotes; doubled quotes are within it. `escapes`: so is what a backslash precedes. */
function behindQuotes(sql: string, from: number, quote: string, escapes: boolean): number {
  for (let at = from + 1; at < sql.length; at++) {
    if (escapes && sql[at] === '\\') at++;
    else if (sql[at] === quote && sql[at + 1] === quote) at++;
    else if (sql[at] === quote) return at + 1;
  }
  return sql.length;
}

const unquoted = (text: string, quote: string): string =>
  text
    .slice(1, text.endsWith(quote) && text.length > 1 ? -1 : undefined)
    .replaceAll(quote + quote, () => quote);

function tokenAt(sql: string, start: number): Token {
  const token = (kind: Token['kind'], end: number, text = sql.slice(start, end)): Token => ({
    ...{ kind, text, start, end },
  });
  const char = sql[start] ?? '';
  if (char === "'" || char === '"') {
    const end = behindQuotes(sql, start, char, false);
    return token(char === "'" ? 'string' : 'quoted', end, unquoted(sql.slice(start, end), char));
  }
  if (/[eE]/.test(char) && sql[start + 1] === "'") {
    const end = behindQuotes(sql, start + 1, "'", true);
    return token('string', end, unquoted(sql.slice(start + 1, end), "'").replace(/\\(.)/gs, '$1'));
  }
  if (char === '$') {
    const parameter = matchAt(PARAMETER, sql, start);
    if (parameter > start) return token('parameter', parameter);
    const tagEnd = matchAt(DOLLAR_TAG, sql, start);
    if (tagEnd > start) {
      const tag = sql.slice(start, tagEnd);
      const close = sql.indexOf(tag, tagEnd);
      const end = close < 0 ? sql.length : close + tag.length;
      return token('string', end, sql.slice(tagEnd, close < 0 ? sql.length : close));
    }
  }
  const word = matchAt(WORD, sql, start);
  if (word > start) return token('word', word, sql.slice(start, word).toLowerCase());
  const number = matchAt(NUMBER, sql, start);
  if (number > start) return token('number', number);
  return token('symbol', start + (sql.startsWith('::', start) ? 2 : 1));
}

/** The tokens of a text, comments and spaces left out. */
export function* tokensOf(sql: string): Generator<Token> {
  for (let at = 0; at < sql.length;) {
    const before = at;
    at = matchAt(SPACE, sql, at);
    at = matchAt(LINE_COMMENT, sql, at);
    if (sql.startsWith('/*', at)) at = behindBlockComment(sql, at);
    if (at > before) continue;
    const token = tokenAt(sql, at);
    yield token;
    at = token.end;
  }
}

/** A statement of several: its text, and where that begins. */
export interface Piece {
  readonly sql: string;
  /** UTF-16 units before it. */
  readonly offset: number;
}

/** The statements of a text, empty ones left out, without the semicolons between them. */
export function splitStatements(sql: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = -1;
  let end = 0;
  const close = (): void => {
    if (start >= 0) pieces.push({ sql: sql.slice(start, end), offset: start });
    start = -1;
  };
  for (const token of tokensOf(sql)) {
    if (token.kind === 'symbol' && token.text === ';') {
      close();
      continue;
    }
    if (start < 0) start = token.start;
    end = token.end;
  }
  close();
  return pieces;
}

/** How many parameters a statement has: the highest of their numbers. */
export function parameterCount(sql: string): number {
  let count = 0;
  if (!sql.includes('$')) return count;
  for (const { kind, text } of tokensOf(sql))
    if (kind === 'parameter') count = Math.max(count, Number(text.slice(1)));
  return count;
}
