import type { Random } from '../random.ts';
import type { Json } from './generated-pages.ts';

/** Names that are parts of each other, that sort otherwise by UTF-16 than by UTF-8, and that look like numbers. */
const NAMES = [
  'a',
  'ab',
  'a b',
  'a!',
  'b',
  '',
  '10',
  '9',
  'Z',
  'é',
  '\uffee',
  '😀',
  'constructor',
  '__proto__',
];
const ESCAPED_NAMES = ['x"y', 'back\\slash', 'line\n'];
const TEXTS = [
  '',
  'x',
  'x ',
  'x!',
  'NEW',
  '\u007f\u0080',
  'Zürich',
  '日本語',
  '😀',
  '\u2028\uffee',
  '},{"S":[',
  'lorem ipsum dolor sit amet '.repeat(5),
  'é'.repeat(70),
];
const ESCAPED_TEXTS = [
  '\\',
  '"',
  '\\"',
  '/',
  'line\r\nbreak\t\b\f',
  '\u0000\u001f',
  '\ud800',
  `${'x'.repeat(63)}\n${'y'.repeat(90)}\\`,
  `"${'z'.repeat(200)}`,
];
const NUMBERS = [
  '0', '-0', '0.0', '1', '1.0', '-1', '10', '9', '0.1', '0.10', '-7.25', '38', '123456789012345', '1234567890123456',
  '1234567890123457', '9007199254740992', '9007199254740993', '0.000000000000001', '-0.00000000000000002', '12345678901234567890.5', '1E+2', '9.9e-120', '+1', '.5',
  '007', '1.', '-', '', 'NaN',
]; // oxfmt-ignore
const BINARIES = ['', 'AQ==', 'Ag==', '/w==', 'AQI=', '+A==', 'not base64'];

/** An attribute value of any type; `escapes`: how many of its texts and names need escapes in JSON. */
export function generatedDocument(random: Random, depth: number, escapes: number): Json {
  const pick = (plain: readonly string[], escaped: readonly string[]): string =>
    random.pick(random.chance(escapes) ? escaped : plain);
  const many = <T>(atLeast: number, make: () => T): T[] =>
    Array.from({ length: atLeast + (random.chance(0.05) ? 20 : random.int(5)) }, make);
  switch (random.int(depth > 0 ? 13 : 8)) {
    case 0:
      return { S: pick(TEXTS, ESCAPED_TEXTS) };
    case 1:
      return { N: random.pick(NUMBERS) };
    case 2:
      return { BOOL: random.chance(0.5) };
    case 3:
      return { NULL: true };
    case 4:
      return { B: random.pick(BINARIES) };
    case 5:
      return { SS: many(1, () => pick(TEXTS, ESCAPED_TEXTS)) };
    case 6:
      return { NS: many(1, () => random.pick(NUMBERS)) };
    case 7:
      return { BS: many(1, () => random.pick(BINARIES)) };
    case 8:
      return { L: many(0, () => generatedDocument(random, depth - 1, escapes)) };
    default: {
      const map = Object.create(null) as { [name: string]: Json };
      for (const name of many(0, () => pick(NAMES, ESCAPED_NAMES)))
        map[name] = generatedDocument(random, depth - 1, escapes);
      return { M: map };
    }
  }
}

/** JSON without spaces, with escapes that need not be there by chance, and here and there a name twice. */
export function compactJson(random: Random, value: Json, unneeded: number): string {
  if (Array.isArray(value)) return `[${value.map((part) => compactJson(random, part, unneeded)).join(',')}]`;
  if (typeof value === 'string') return compactString(random, value, unneeded);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, part]) => {
    // The types of values and the names of what stands around them come as they are.
    const text = /^(?:[SNBML]|[SNB]S|BOOL|NULL)$/.test(name)
      ? JSON.stringify(name)
      : compactString(random, name, unneeded / 10);
    return `${text}:${compactJson(random, part, unneeded)}`;
  });
  if (members.length > 1 && random.chance(unneeded / 10)) members.push(random.pick(members));
  return `{${members.join(',')}}`;
}

function compactString(random: Random, text: string, unneeded: number): string {
  if (text === '' || !random.chance(unneeded)) return JSON.stringify(text);
  const at = random.int(text.length);
  const escaped = text[at] === '/' ? '\\/' : `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return (
    JSON.stringify(text.slice(0, at)).slice(0, -1) + escaped + JSON.stringify(text.slice(at + 1)).slice(1)
  );
}
