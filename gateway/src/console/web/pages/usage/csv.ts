/** CSV as the API's whole results have it: CRLF, no byte order mark (RFC 4180). */

/** A spreadsheet takes text that begins so for a formula; names come from strangers. */
const FORMULA = /^[=+\-@\t\r]/;

function field(value: string | bigint): string {
  if (typeof value === 'bigint') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(header: readonly string[], rows: readonly (readonly (string | bigint)[])[]): string {
  return [header, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}
