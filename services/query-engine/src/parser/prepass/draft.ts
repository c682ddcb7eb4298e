import type { Mark } from '../marks.ts';

/** The statement as the grammar will read it, and what its placeholders stand for. */
export interface Draft {
  readonly text: string;
  /** Placeholder `q7` is entry 7. */
  readonly marks: readonly Mark[];
  /** The index of the token that an offset in `text` comes from. */
  readonly tokenAtOffset: (offset: number) => number;
}

/**
 * Writes the draft. An expression is written as a chain: its operands and operators in their order, joined by `+`,
 * the one operator whose nesting the grammar cannot get wrong (it only ever leans left).
 */
export class DraftWriter {
  readonly #pieces: string[] = [];
  readonly #tokens: number[] = [];
  readonly #marks: Mark[] = [];
  #chained = false;
  #afterOperand = false;

  /** Whether the chain has just had an operand, so that an infix operator or a suffix may follow. */
  get afterOperand(): boolean {
    return this.#afterOperand;
  }

  /** Writes a keyword or punctuation of the grammar; a new chain can start after it. */
  raw(text: string, token: number): void {
    this.#write(text, token);
    this.#chained = false;
    this.#afterOperand = false;
  }

  /** Writes a placeholder that is an operand or a suffix to one. */
  operand(mark: Mark, token: number): void {
    this.#link(token);
    this.#place(mark, token);
    this.#afterOperand = true;
  }

  /** Writes a placeholder after which an operand has to follow. */
  operator(mark: Mark, token: number): void {
    this.#link(token);
    this.#place(mark, token);
    this.#afterOperand = false;
  }

  /** Writes a placeholder that is no part of a chain: a table, an alias. */
  name(mark: Mark, token: number): void {
    this.#place(mark, token);
    this.#afterOperand = true;
  }

  /** Writes a call whose arguments `writeArguments` writes; it is an operand or suffix of the chain it stands in. */
  call(mark: Mark, token: number, writeArguments: () => void): void {
    this.#link(token);
    this.#place(mark, token);
    this.enclosed(token, writeArguments);
  }

  /** Writes something of the grammar's own in the place of an operand. */
  native(token: number, writeIt: () => void): void {
    this.#link(token);
    writeIt();
    this.#chained = true;
    this.#afterOperand = true;
  }

  /** Writes `( … )`. */
  enclosed(token: number, writeInside: () => void): void {
    this.raw('(', token);
    writeInside();
    this.#write(')', token);
    this.#chained = true;
    this.#afterOperand = true;
  }

  finish(): Draft {
    const pieces = this.#pieces;
    const tokens = this.#tokens;
    const tokenAtOffset = (offset: number): number => {
      let end = 0;
      const piece = pieces.findIndex((text) => (end += text.length + 1) > offset);
      return tokens[piece] ?? -1;
    };
    return { text: pieces.join(' '), marks: this.#marks, tokenAtOffset };
  }

  #link(token: number): void {
    if (this.#chained) this.#write('+', token);
    this.#chained = true;
  }

  #place(mark: Mark, token: number): void {
    this.#write(`q${this.#marks.length}`, token);
    this.#marks.push(mark);
  }

  #write(text: string, token: number): void {
    this.#pieces.push(text);
    this.#tokens.push(token);
  }
}
