/** Names that are made to be taken for something else, by whoever reads them. */
import { createHash } from 'node:crypto';

const PIECES: readonly string[] = [
  ...[
    "'",
    '"',
    '\\',
    '$$',
    '$tag$',
    ';',
    '--',
    '/*',
    '*/',
    '\n',
    '\r',
    '\t',
    ' ',
    '(',
    ')',
    ',',
    '.',
    '%',
    '%s',
    '%I',
  ],
  ...[
    "''",
    '""',
    "\\'",
    "E'",
    'U&"',
    '\u0001',
    '\u007f',
    '\u00a0',
    '\u202e',
    '\ufeff',
    '\uffff',
    '\ud800',
    '\udc00',
  ],
  ...[
    'é',
    'ß',
    '漢字',
    '🦄',
    '👩‍👩‍👧',
    'İ',
    'a\u0301',
    '~',
    ':',
    '::',
    '$1',
    '?',
    '@',
    '#',
    '`',
    '{',
    '}',
    '[',
    ']',
    '|',
    '&',
  ],
  ...[
    'select',
    'NULL',
    'pk',
    'public',
    'ctid',
    '; DROP TABLE pg_class; --',
    "'); DROP TABLE x; --",
    '" CASCADE; --',
  ],
  ...['x'.repeat(60), 'é'.repeat(31), '漢'.repeat(21), '🦄'.repeat(16), 'A', 'Z', '0', '_'],
];

/** Of one to four pieces, by a seed: each text once. */
export function hostileNames(count: number, seed: number): readonly string[] {
  const names = new Set<string>();
  for (let i = 0; names.size < count; i++) {
    const bytes = createHash('sha256').update(`${seed} ${i}`).digest();
    const pieces = [...bytes.subarray(1, 2 + ((bytes[0] ?? 0) % 4))].map(
      (byte) => PIECES[byte % PIECES.length],
    );
    names.add(pieces.join(''));
  }
  return [...names];
}
