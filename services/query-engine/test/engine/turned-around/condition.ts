/** Conditions on a key, written once and read over any column that holds its values. */

/** What a condition is about: the sort key, or what stands for it, and the partition key beside it. */
export interface KeyNames {
  readonly key: string;
  readonly partition: string;
}

/** A part of a statement. */
export interface Piece {
  readonly text: (names: KeyNames) => string;
  /** In the order of their `?`. */
  readonly parameters: readonly unknown[];
}

export interface Condition extends Piece {
  /** The row of the design's tables that it is an example of. */
  readonly row: string;
  /** Conditions that it is made of; none where it is made of none. */
  readonly parts: readonly Condition[];
}

/** The key. */
export const KEY: Piece = Object.freeze({ text: ({ key }: KeyNames) => key, parameters: [] });
export const PARTITION: Piece = Object.freeze({
  text: ({ partition }: KeyNames) => partition,
  parameters: [],
});
/** A value that the caller of the statement gives. */
export const parameter = (value: unknown): Piece => ({ text: () => '?', parameters: [value] });
/** Text of a statement as it is. */
export const raw = (text: string): Piece => ({ text: () => text, parameters: [] });

/** Pieces in the statement's text: `sql\`left(${KEY}, 2) = ${constant}\``. */
export function sql(texts: TemplateStringsArray, ...pieces: readonly (Piece | string | number)[]): Piece {
  const all = pieces.map((piece) => (typeof piece === 'object' ? piece : raw(String(piece))));
  return {
    text: (names) => texts.reduce((sum, text, i) => `${sum}${all[i - 1]?.text(names) ?? ''}${text}`),
    parameters: all.flatMap(({ parameters }) => parameters),
  };
}

/** Pieces with something between them. */
export const joined = (pieces: readonly Piece[], between: string): Piece => ({
  text: (names) => pieces.map(({ text }) => text(names)).join(between),
  parameters: pieces.flatMap(({ parameters }) => parameters),
});

/** A text as SQL writes it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
