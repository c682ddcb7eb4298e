import type { Random } from '../random.ts';

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type Item = Record<string, Json>;

const NAMES = [
  'pk',
  'sk',
  'amount',
  'qty',
  'status',
  'größe',
  'a.b',
  'with "quote"',
  'back\\slash',
  '__proto__',
  'tab\t',
];
const TEXTS = [
  '',
  'x',
  'NEW',
  '\\',
  '"',
  '\\"',
  '{"S":"no"}',
  '},{',
  'line\nbreak',
  'é',
  '日本語',
  '😀',
  '\u0001',
  '/',
  'a'.repeat(50),
];
const NUMBERS = [
  '0',
  '1',
  '-1',
  '12345678901234567890.5',
  '1E+2',
  '9.9e-120',
  '0.00000000000000000001',
  '38',
  '-7.25',
];

/** A page as DynamoDB could send it: any types, any depth up to `depth`, items of different shapes. */
export function generatedItems(random: Random, items: number, depth = 4, names = NAMES): Item[] {
  return Array.from({ length: items }, () => {
    const item: Item = Object.create(null) as Item;
    for (const name of names) if (random.chance(0.7)) item[name] = generatedValue(random, depth);
    return item;
  });
}

function generatedValue(random: Random, depth: number): Json {
  const many = <T>(make: () => T) => Array.from({ length: random.int(4) }, make);
  const some = (choices: readonly string[]) => [
    ...new Set([random.pick(choices), ...many(() => random.pick(choices))]),
  ];
  switch (random.int(depth > 0 ? 12 : 8)) {
    case 0:
    case 1:
      return { S: random.pick(TEXTS) };
    case 2:
      return { N: random.pick(NUMBERS) };
    case 3:
      return { BOOL: random.chance(0.5) };
    case 4:
      return { NULL: true };
    case 5:
      return { B: Buffer.from(random.pick(TEXTS)).toString('base64') };
    case 6:
      return random.chance(0.5) ? { SS: some(TEXTS) } : { BS: some(['AQ==', 'Ag==', '/w==', 'AQI=']) };
    case 7:
      return { NS: some(['10', '9', '-3', '0.5', '100', '12345678901234567890']) };
    case 8:
    case 9: {
      const map: Item = Object.create(null) as Item;
      for (const name of many(() => random.pick(['city', 'zip', 'ö', 'x"y', '__proto__'])))
        map[name] = generatedValue(random, depth - 1);
      return { M: map };
    }
    default:
      return { L: many(() => generatedValue(random, depth - 1)) };
  }
}

/** JSON text with chance spaces, member order and escapes: legal, but not what DynamoDB's own serializer writes. */
export function looseJson(random: Random, value: Json): string {
  const space = () => (random.chance(0.2) ? random.pick([' ', '\n', '\t', '\r\n  ']) : '');
  const wrap = (open: string, parts: string[], close: string) =>
    open + space() + parts.join(`${space()},${space()}`) + space() + close;
  if (Array.isArray(value))
    return wrap(
      '[',
      value.map((part) => looseJson(random, part)),
      ']',
    );
  if (typeof value === 'string') return looseString(random, value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, part]) => `${looseString(random, name)}${space()}:${space()}${looseJson(random, part)}`,
  );
  if (random.chance(0.5)) members.reverse();
  return wrap('{', members, '}');
}

function looseString(random: Random, text: string): string {
  if (random.chance(0.7)) return JSON.stringify(text);
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}
