/** CSV as the API's whole results have it: CRLF, no byte order mark (RFC 4180). */
import { csvText, inert } from '../common/csv.ts';

/** Names come from strangers. */
const field = (value: string | bigint): string =>
  typeof value === 'bigint' || value === '' ? String(value) : csvText(inert(value));

export function csvOf(header: readonly string[], rows: readonly (readonly (string | bigint)[])[]): string {
  return [header, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}
