import type { Position } from '../ast.ts';

/**
 * `word`: unquoted name or keyword. `name`: name in double quotes. `binary`: `X'…'`. `operator`: operators, brackets,
 * punctuation.
 * `end`: after the last token, with empty text.
 */
export type TokenType = 'word' | 'name' | 'string' | 'binary' | 'number' | 'parameter' | 'operator' | 'end';

/** A comment in the SQL text, by offsets. */
export interface Comment {
  readonly from: number;
  readonly to: number;
}

/** One token of the SQL text. */
export interface Token {
  readonly type: TokenType;
  /** As written. */
  readonly text: string;
  /** What it stands for: a string's or name's characters, a number's or binary's digits, a parameter's `?`, name or number. */
  readonly value: string;
  /** For comparing: a word in upper case, an operator as it is, empty for anything else. */
  readonly upper: string;
  readonly position: Position;
  /** Offset after its last character. */
  readonly end: number;
  /** Whether white space or a comment stands before it. */
  readonly spaceBefore: boolean;
}
