import type { AstExpression, AstQuery, AstSortKey, AstWindow, AstWindowFrame, Identifier } from '../ast.ts';
import type { Token } from '../lexer/token.ts';
import type { Operator } from './operators.ts';

/** The two readers that all clauses call; handed down, so that no file of a clause imports the whole grammar. */
export interface Grammar {
  /** Reads an expression, as far as its operators bind at least as tightly as `binding`. */
  readonly climb: (cursor: Cursor, binding: number) => AstExpression;
  /** Reads a query up to the bracket that closes around it, or to the end. */
  readonly query: (cursor: Cursor) => AstQuery;
}

/** A statement being read, and how far reading has come. Every reader starts at `at` and leaves it after its clause. */
export interface Cursor {
  readonly sql: string;
  readonly tokens: readonly Token[];
  /** For the index of an opening bracket or CASE, the index of what closes it; below 0 elsewhere. */
  readonly closing: Int32Array;
  readonly grammar: Grammar;
  /** Index of the next token. */
  at: number;
  /** Counts of the whole statement, for the limits and for numbering `?`. */
  readonly counts: {
    joins: number;
    selects: number;
    groupingColumns: number;
    windowTokens: number;
    parameters: number;
  };
  /** Prefix operators whose operand is being read: in this expression, and in all around it. */
  readonly prefixes: { inExpression: number; inAll: number };
  /** What the first parameter is written as; all others have to be like it. */
  parameterStyle: 'place' | 'number' | 'name' | null;
  windows: WindowScope;
  /** The WINDOW clause of the SELECT that was read last, which its ORDER BY may refer to. */
  namedWindows: NamedWindows;
  /** The operator at an index, since every level of the climb asks for it. */
  readonly lastOperator: { index: number; operator: Operator | undefined };
}

/** The definitions of a WINDOW clause, by their names in lower case. */
export type NamedWindows = ReadonlyMap<string, NamedWindow>;

export interface NamedWindow {
  readonly window: AstWindow;
  /** How long it is written. */
  readonly tokens: number;
}

/** The windows of one SELECT. */
export interface WindowScope {
  /** Those that refer to a named one. */
  readonly uses: WindowUse[];
  /** Whether a window is being read, inside of which there can be no other. */
  inside: boolean;
}

/** A window that is complete once the WINDOW clause is read, which stands after it. */
export interface WindowUse {
  readonly window: OpenWindow;
  readonly base: Identifier;
  /** `OVER w`, and not `OVER (w …)`. */
  readonly named: boolean;
}

export interface OpenWindow extends AstWindow {
  partitionBy: readonly AstExpression[];
  orderBy: readonly AstSortKey[];
  frame: AstWindowFrame | null;
}

/** The token at an index; the last one, of type `end`, beyond it. */
export function tokenAt({ tokens }: Pick<Cursor, 'tokens'>, index: number): Token {
  const token = tokens[index] ?? tokens.at(-1);
  if (token === undefined) throw new RangeError('a statement without an end');
  return token;
}

/** The word in upper case, or the operator, at an index; empty for anything else. */
export const upperAt = ({ tokens }: Pick<Cursor, 'tokens'>, index: number): string =>
  tokens[index]?.upper ?? '';

/** The next token. */
export const next = (cursor: Cursor): Token => tokenAt(cursor, cursor.at);

/** The next word in upper case, or operator. */
export const nextUpper = (cursor: Cursor): string => upperAt(cursor, cursor.at);

/** Goes past a word or operator, if it is next. */
export function take(cursor: Cursor, upper: string): boolean {
  if (nextUpper(cursor) !== upper) return false;
  cursor.at++;
  return true;
}
