/**
 * A token of a statement in another dialect.
 *
 * `word`: an unquoted name or keyword. `name`, `text`: what stands in the dialect's quotes. `operator`: operators,
 * brackets, punctuation. `other`: numbers, parameters and binary values, which are the same here.
 */
export interface SourceToken {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'operator' | 'other';
  /** A name's or text's characters; anything else as it is written here. */
  readonly value: string;
  /** For comparing: a word in upper case, an operator as it is, empty for anything else. */
  readonly upper: string;
  readonly spaceBefore: boolean;
  /** As it stands in the statement; of a token that was put in, as it would. */
  readonly source: string;
}

export const wordToken = (upper: string): SourceToken =>
  Object.freeze({ kind: 'word', value: upper, upper, spaceBefore: true, source: upper });

export const operatorToken = (operator: string): SourceToken =>
  Object.freeze({ kind: 'operator', value: operator, upper: operator, spaceBefore: true, source: operator });

export const textToken = (value: string): SourceToken =>
  Object.freeze({ kind: 'text', value, upper: '', spaceBefore: true, source: `'${value}'` });

export const nameToken = (value: string): SourceToken =>
  Object.freeze({ kind: 'name', value, upper: '', spaceBefore: true, source: value });

/** Whether the words and operators at an index are these. */
export const isAt = (tokens: readonly SourceToken[], index: number, ...uppers: readonly string[]): boolean =>
  uppers.every((upper, i) => tokens[index + i]?.upper === upper);
