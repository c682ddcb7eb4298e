import { NoOfferError } from '../no-offer.ts';

/** What stands in quotes, and the offset after them. */
export interface Quoted {
  readonly value: string;
  readonly end: number;
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['"', '"'],
  ['\\', '\\'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/**
 * Reads from an opening quote on; a doubled closing quote is one.
 * @throws NoOfferError where it is not closed, or has an escape that is not the same everywhere
 */
export function readQuoted(sql: string, start: number, close: string, escapes: boolean): Quoted {
  let value = '';
  for (let at = start + 1; at < sql.length; at++) {
    const character = sql.charAt(at);
    if (escapes && character === '\\') {
      const escaped = ESCAPED.get(sql.charAt(++at));
      if (escaped === undefined) throw new NoOfferError('an escape in a text');
      value += escaped;
    } else if (character !== close) {
      value += character;
    } else if (sql.charAt(at + 1) === close) {
      value += close;
      at++;
    } else {
      return { value, end: at + 1 };
    }
  }
  throw new NoOfferError('quotes that are not closed');
}
