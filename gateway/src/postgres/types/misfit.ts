import type { Cell } from '../wire/backend.ts';

/** Turns a JSON token, as the engine wrote it, into a cell. @throws MisfitError where the type cannot hold the value */
export type WriteValue = (token: string) => Cell;

/** A value that its announced type cannot hold. */
export class MisfitError extends Error {
  readonly token: string;
  constructor(token: string) {
    super('a value does not fit its type');
    this.token = token;
  }
}
