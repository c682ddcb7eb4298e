/** Reads the tokens of one statement, one after the other. */
import { PgError } from '../errors/pg-error.ts';
import { tokensOf, type Token } from './lexer.ts';

export interface StatementReader {
  readonly sql: string;
  /** The next token; undefined at the end. */
  readonly peek: Token | undefined;
  take(): Token | undefined;
  /** Takes the words where they follow. */
  words(...words: readonly string[]): boolean;
  symbol(text: string): boolean;
  /** A name, as PostgreSQL folds it. @throws PgError */
  name(): string;
  /** The text between the parentheses that begin with the next token. @throws PgError where they do not end */
  parenthesized(): string;
  /** The text from the next token on. */
  rest(): string;
  /** @throws PgError where anything follows */
  end(): void;
  /** The error that the next token is not what stands there. */
  wrong(): PgError;
}

export function readerOf(sql: string): StatementReader {
  const tokens = [...tokensOf(sql)];
  let at = 0;
  const wrong = (): PgError => {
    const token = tokens[at];
    const near =
      token === undefined ? 'at end of input' : `at or near "${sql.slice(token.start, token.end)}"`;
    const start = token?.start ?? sql.length;
    const position = [...sql.slice(0, start)].length + 1;
    return new PgError({ code: '42601', message: `syntax error ${near}`, position });
  };
  return {
    sql,
    get peek() {
      return tokens[at];
    },
    take: () => tokens[at++],
    words(...words) {
      const follow = words.every((word, i) => {
        const token = tokens[at + i];
        return token?.kind === 'word' && token.text === word;
      });
      if (follow) at += words.length;
      return follow;
    },
    symbol(text) {
      const token = tokens[at];
      const is = token?.kind === 'symbol' && token.text === text;
      if (is) at++;
      return is;
    },
    name() {
      const token = tokens[at];
      if (token === undefined || (token.kind !== 'word' && token.kind !== 'quoted')) throw wrong();
      at++;
      return token.text;
    },
    parenthesized() {
      const start = tokens[at]?.end ?? sql.length;
      let depth = 0;
      for (let token = tokens[at++]; token !== undefined; token = tokens[at++]) {
        if (token.kind !== 'symbol') continue;
        if (token.text === '(') depth++;
        if (token.text === ')') depth--;
        if (depth === 0) return sql.slice(start, token.start).trim();
      }
      throw wrong();
    },
    rest: () => sql.slice(tokens[at]?.start ?? sql.length),
    end() {
      if (at < tokens.length) throw wrong();
    },
    wrong,
  };
}
