/** The alphabet of the fuzz: texts and values that have ended a program somewhere. */
import type { Random } from '../../chaos/random.ts';

/** JSON as it is to be sent, where `JSON.stringify` would not write it so. */
class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON of a value in which some parts are given as text. */
export function toJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
    return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${toJson(inner)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/** Bounds that our own services have somewhere, and powers of two. */
const LENGTHS = [
  ...[0, 1, 2, 12, 16, 32, 63, 64, 65, 100, 128, 200, 255, 256, 257, 320, 512, 1_000, 1_023, 1_024, 1_025],
  ...[1_224, 2_030, 2_040, 2_048, 2_049, 4_095, 4_096, 4_097, 8_192, 15_000, 16_384, 32_768, 65_535, 65_536],
];

const CHARACTERS = [
  ...[
    'a',
    '0',
    ' ',
    '.',
    '/',
    '\\',
    '"',
    "'",
    '`',
    '%',
    '&',
    '=',
    ';',
    ',',
    ':',
    '-',
    '_',
    '*',
    '?',
    '$',
    '#',
  ],
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '|',
    '@',
    '~',
    '^',
    '\0',
    '\u0001',
    '\b',
    '\t',
    '\n',
    '\v',
    '\f',
  ],
  ...[
    '\r',
    '\u001b',
    '\u007f',
    '\u0080',
    '\u0085',
    '\u00a0',
    '\u00ad',
    '\u00e9',
    '\u0130',
    '\u0131',
    '\u017f',
  ],
  ...['\u200b', '\u200e', '\u202e', '\u2028', '\u2029', '\u2060', '\u20ac', '\u3000', '\ufeff', '\ufffd'],
  ...['\ufffe', '\uffff', '\u{1d50a}', '\u{1f600}', '\u{10ffff}', 'e\u0301'],
];

const WORDS = [
  ...['null', 'true', 'NaN', 'Infinity', '-0', '1e999', '0x10', '9'.repeat(40), '__proto__', 'constructor'],
  ...[
    'toString',
    'hasOwnProperty',
    '[]',
    '{}',
    '[1]',
    '../..',
    '%00',
    '%ff',
    '%',
    '$1',
    '?',
    ':a',
    "' OR 1=1 --",
  ],
  ...[
    '/*',
    '*/',
    '--',
    '<script>',
    '{{7*7}}',
    'http://localhost',
    'javascript:x',
    'arn:aws:iam::000000000000:role/x',
  ],
  ...[
    'eyJhbGciOiJub25lIn0.e30.',
    'Bearer x',
    'bnVsbA',
    'e30',
    'WzFd',
    '0000-00-00',
    '2025-02-30',
    '9999-12-31',
  ],
  ...[
    '+275760-09-13',
    'eu-west-1',
    '\ud83d\ude00'.repeat(3),
    'a@b',
    '[::1]',
    'https://[::1]/',
    'https://x.invalid/c',
  ],
];

/** A text: one of the known words, one character many times, or a mixture. `bounds` are the field's own. */
export function nastyText(random: Random, bounds: readonly number[] = []): string {
  switch (random.below(4)) {
    case 0:
      return random.pick(WORDS);
    case 1: {
      const around = bounds.flatMap((bound) => [bound - 1, bound, bound + 1]).filter((length) => length >= 0);
      const length = around.length > 0 && random.below(2) === 0 ? random.pick(around) : random.pick(LENGTHS);
      return random.pick(CHARACTERS).repeat(length);
    }
    case 2:
      return Array.from({ length: 1 + random.below(24) }, () => random.pick(CHARACTERS)).join('');
    default:
      return `${random.pick(WORDS)}${random.pick(CHARACTERS)}${random.pick(WORDS)}`;
  }
}

/** The text with something nasty put in somewhere, or a piece of it gone or doubled. */
export function spoiled(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const to = Math.min(text.length, at + random.below(8));
  switch (random.below(3)) {
    case 0:
      return text.slice(0, at) + nastyText(random) + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(to);
    default:
      return text.slice(0, to) + text.slice(at);
  }
}

const DEPTHS = [1, 10, 60, 63, 64, 65, 66, 1_000, 20_000];

const NUMBERS = [
  ...[
    '0',
    '-1',
    '1',
    '0.5',
    '-0',
    '1e308',
    '1e309',
    '-1e309',
    '1e-400',
    '9007199254740991',
    '9007199254740993',
  ],
  ...[
    '2147483648',
    '4294967296',
    '18446744073709551616',
    '9'.repeat(400),
    `0.${'1'.repeat(400)}`,
    '1E+2',
    '100',
  ],
];

/** Any value, as JSON: of the wrong type as often as not. */
export function nastyValue(random: Random, bounds: readonly number[] = []): unknown {
  switch (random.below(9)) {
    case 0:
      return new RawJson(random.pick(NUMBERS));
    case 1:
      return random.pick([null, true, false, [], {}, '']);
    case 2: {
      const depth = random.pick(DEPTHS);
      const inner = random.pick(['', '1', '"\\ud800"', '"\\ud835\\udd0a"', '{"__proto__":[]}']);
      return new RawJson('['.repeat(depth) + inner + ']'.repeat(depth));
    }
    case 3:
      return new RawJson(
        random.pick(['"\\ud800"', '"\\udc00a"', '"\\u0000"', '"\\ud83d\\ude00"', '"\\uffff"']),
      );
    case 4:
      return new RawJson('{"__proto__":{"a":1},"constructor":1,"a":1,"a":2,"":null}');
    case 5:
      return Array.from({ length: random.pick([1, 2, 20, 500, 501, 5_000]) }, () =>
        random.pick(['a', 1, null, '*']),
      );
    default:
      return nastyText(random, bounds);
  }
}
