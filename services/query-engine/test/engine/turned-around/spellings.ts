/** Values of keys in every spelling: what a condition says of one may be wrong of another. */

/** The same moment, as programs write it. */
const SPELLINGS: readonly ((iso: string) => string)[] = [
  (iso) => iso,
  (iso) => iso.replace(/\.\d+Z$/, 'Z'),
  (iso) => iso.slice(0, 10),
  (iso) => iso.replace('T', ' ').replace('Z', ''),
  (iso) => iso.replace(/[-:]/g, '').replace(/\.\d+Z$/, 'Z'),
  (iso) => iso.replace('Z', '+15:59'),
  (iso) => iso.replace('Z', '-12:00'),
  (iso) => iso.toLowerCase(),
  (iso) => `${iso.slice(0, 16)}Z`,
  (iso) => iso.replace('Z', '456Z'),
  (iso) => iso.replace('T', ' ').replace('Z', '+02'),
  (iso) => iso.slice(0, 16),
  (iso) => iso.replace('Z', '-15:59'),
  (iso) => iso.replace(/[-:]/g, '').replace('Z', '+0100'),
  (iso) => iso.slice(0, 10).replaceAll('-', ''),
  (iso) => iso.slice(0, 10).replaceAll('-', '/'),
  (iso) => iso.slice(0, 10).replace(/-0?/g, '/'),
];
/** Around the ends of days, months and years, a leap day, and before 1970. */
const MOMENTS = [
  '2026-11-19T23:59:59.999Z',
  '2026-11-20T00:00:00.000Z',
  '2026-11-20T10:15:00.123Z',
  '2026-11-20T16:00:00.000Z',
  '2026-11-20T23:59:59.999Z',
  '2026-11-21T00:00:00.000Z',
  '2026-11-30T23:30:00.500Z',
  '2026-12-01T00:00:00.000Z',
  '2026-12-31T23:59:59.999Z',
  '2027-01-01T00:00:00.000Z',
  '2026-01-02T03:04:05.000Z',
  '2024-02-29T12:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '2025-07-01T08:00:00.000Z',
];
/** Times that are spelled once. */
const RARE_TIMES = [
  '2026-11-20T24:00:00Z',
  '2026-11-20T10:15:60Z',
  '2026-11-20T10:15:00Z ',
  '2026-11-20T10:15:00 UTC',
  '2026-11-20T10:15:00.Z',
  '20261120T1015Z',
  '0000-01-01',
  '9999-12-31T23:59:59Z',
  'infinity',
  '-infinity',
];
/** Texts that are no times, and some that DuckDB reads as times: whether they are, the engine says. */
const OTHERS = [
  ...['hello', '2026', '2026-11', '2026-02-30', '2026-11-20_x', 'T', '-', '2026-W47-5', '~', ' ', '2026-11-20Z'],
  ...['2026 11 20', '2026-1-2', '2026-1-2 3:04:05', ' 2026-11-20', '\t2026-11-20', '2026\\11\\20', 'epoch', 'Infinity'],
  ...['0044-03-15 (BC)', '12026-01-01', '-2026-01-01', '+2026-11-20', '2026-11-20T10:15:00+16:00', '2026-11-20T10'],
  ...['2026-11-20T10:15:00 Europe/Zurich', '2026-11-20 America/New_York', '2026-11-20T10:15:00 GMT+5', '99999999'],
]; // oxfmt-ignore

const DAY_MS = 86_400_000;
const HALF_DAY_MS = DAY_MS / 2;

const isoDate = (at: number): string => new Date(at).toISOString();
const distinct = (values: readonly string[]): readonly string[] => [...new Set(values)];

/**
 * Texts that DuckDB reads as times. Those of these days lie half a day from whatever lies whole days before `now`, so that
 * it decides nothing how long the test takes.
 */
export function times(now: number): readonly string[] {
  const recent = [-40, -31, -8, -7, -2, -1, 0, 1, 6].map((days) =>
    isoDate(now + days * DAY_MS + HALF_DAY_MS),
  );
  const spelled = [...MOMENTS, ...recent].flatMap((moment, i) =>
    // Each moment in six ways, and each way for some moments.
    Array.from({ length: 6 }, (_, j) => (SPELLINGS[(i * 5 + j * 3) % SPELLINGS.length] ?? String)(moment)),
  );
  return distinct([...spelled, ...RARE_TIMES]);
}

/** Every other one of them, and what may be no time. */
export const timesAndOthers = (now: number): readonly string[] =>
  distinct([...times(now).filter((_, i) => i % 2 === 0), ...OTHERS]);

/** Texts of parts, prefixes of each other, and of all planes of Unicode. */
export const TEXTS = distinct([
  ...['A', 'A#', 'A#1', 'A#10', 'A#2', 'A##B', 'A#B#', 'A#B#C', '#', '##', '#A', 'B#A', 'AB', 'AB#1', 'a#1', 'a'],
  ...['PROFILE#', 'PROFILE#1', 'PROFILE', 'PROFILES#2', 'PROFILD#9', 'ORDER#2026-11-19#7', 'ORDER#2026-11-20'],
  ...['ORDER#2026-11-20#1', 'ORDER#2026-11-20#', 'ORDER#2026-11-21#9', 'ORDER#2026-12-01', 'ORDER#20261120T101500Z'],
  ...['ORDER', 'ORDER#', 'ORDER##', 'ORDEQ#2026-11-20', 'ORDES', 'order#2026-11-20', 'CUSTOMER#1#ORDER#2', 'CUSTOMER#1'],
  ...['100%', '100%_', '100_', '100x', '%', '_', '\\', '\\%', 'a\\b', 'a.b', 'a*b', 'a|b', 'a?b', '[a]', '^a', 'a$', '!', '!%'],
  ...["it's", '"', '  A', ' A', 'A ', 'A  ', '\t', '\nA', 'A\nB', '0', '00', '007', '7', '7.0', '-7', '1e3', 'true', 'NULL'],
  ...['é', 'e\u0301', 'e', 'E', 'É', 'ß', 'SS', 'ı', 'İ', 'i', 'ﬁ', 'ä', 'z', 'Z', '日', '日本', '日本語', '本'],
  // Code points below and above surrogates sort otherwise by UTF-16.
  ...['\ud7ff', '\ue000', '\uffff', '\ufffd', '\ufffe', '\uffffx', '😀', '😀#1', '😀😀', '👩‍👩‍👧', '\u{10ffff}', '\u{10ffff}\u{10ffff}'],
  ...['\u{10000}', 'A\u{10ffff}', 'A\uffff', 'A😀B', '\u007f', '\u0080', '\u07ff', '\u0800', '\u0001', 'ab', 'abc', 'abcd', 'abd', 'abcé'],
  ...['c001', 'c002', 'c010', 'c01', 'C001', '2026-11-20T10:15:00Z', '2026-11-20', '20261120T101500Z'],
]); // oxfmt-ignore

/** Numbers of all sizes that a key may have: 38 digits, from 1e-130 to 9.9e125. */
export const NUMBERS = distinct([
  ...['0', '1', '-1', '2', '-2', '3', '5', '7', '8', '9', '10', '11', '-10', '100', '-100', '99', '1000', '604800'],
  ...['0.5', '-0.5', '1.5', '2.5', '-2.5', '3.5', '0.1', '0.2', '0.3', '-0.1', '7.0000001', '6.9999999', '0.05', '0.15', '1.05'],
  ...['1.005', '2.675', '99.995', '-99.995', '1e-10', '-1e-10', '0.3333333333', '0.6666666667', '123456.789', '-123456.789'],
  ...['9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740993', '9223372036854775807'],
  ...['9223372036854775808', '-9223372036854775808', '2147483647', '2147483648', '-2147483649', '1000000000000', '1793491200'],
]); // oxfmt-ignore

/** Those that no decimal of DuckDB's holds together. */
export const WIDE_NUMBERS = distinct([
  ...['0', '1', '-1', '7', '0.5', '1e-130', '-1e-130', '1e125', '-1e125', '1e-20', '1.00000000000000000001', '1e20', '1e38'],
  ...['12345678901234567890123456789012345678', '12345678901234567890123456789012345679', '-12345678901234567890123456789012345678'],
  ...['0.12345678901234567890123456789012345678', '1234567890123456789.0123456789012345678', '1234567890123456789.0123456789012345679'],
  ...['99999999999999999999999999999999999999', '0.1', '0.3', '9007199254740993', '9007199254740992', '100', '-100.25'],
]); // oxfmt-ignore

const SECOND_MS = 1000;

/** Seconds since 1970, around the ends of days and months; those of these days lie half a day from whole days before `now`. */
export function seconds(now: number): readonly string[] {
  const around = MOMENTS.flatMap((moment) => {
    const at = Math.floor(Date.parse(moment) / SECOND_MS);
    return [at - 1, at, at + 1, at + 3600];
  });
  const recent = [-40, -31, -8, -7, -2, -1, 0, 1, 6].map((days) =>
    Math.floor((now + days * DAY_MS + HALF_DAY_MS) / SECOND_MS),
  );
  return distinct(['0', '-1', '1', '86399', '86400', ...[...around, ...recent].map(String)]);
}

export function milliseconds(now: number): readonly string[] {
  const some = seconds(now).filter((_, i) => i % 2 === 0);
  return distinct(
    some.flatMap((at, i) => [`${Number(at) * SECOND_MS}`, `${Number(at) * SECOND_MS + (i % 3) - 1}`]),
  );
}
