import { shortened } from '@penstock/common/errors/shortened.ts';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { parseExactJson } from '@penstock/common/json/exact-json.ts';

/** So much of a value is always shown. */
const VALUE_BYTES_MIN = 64;

function fitted(value: unknown, maxBytes: number): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Buffer.byteLength(JSON.stringify(text)) <= maxBytes
    ? value
    : shortened(text, Math.floor(maxBytes / 2));
}

/**
 * One row that is larger than an answer may be, as JSON, with its long values cut: texts, and documents as texts. Numbers
 * keep their digits.
 *
 * @throws PenstockError RESOURCE_EXHAUSTED where there are too many columns for that
 */
export function fitRow(rowText: string, maxBytes: number): string {
  const row = parseExactJson(rowText) as readonly unknown[];
  const each = Math.max(VALUE_BYTES_MIN, Math.floor(maxBytes / Math.max(1, row.length)) - 1);
  const text = JSON.stringify(row.map((value) => fitted(value, each)));
  if (Buffer.byteLength(text) <= maxBytes) return text;
  throw new PenstockError(
    'RESOURCE_EXHAUSTED',
    `A row of ${row.length} columns is larger than an answer may be: name the columns that you need`,
  );
}
