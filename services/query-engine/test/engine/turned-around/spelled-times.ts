/** Times as texts spell them. */
import type { Random } from '../../dynamodb/random.ts';

/** Around the end of a year, and so few that bounds are near to many. */
export const SPELLED_FROM = Date.UTC(2026, 10, 25);
export const SPELLED_DAYS = 60;
const MS_PER_DAY = 86_400_000;

/** No names of zones: behind a text with one, DuckDB reads texts without as in that zone. */
const OFFSETS = ['', 'Z', 'z', '+00', '+02:00', '-05:30', '+1545', '-15:59', '+14'];
const EDGES = [
  'infinity', '-infinity', 'Inf', '0000-06-01', '0001-01-01', '0001-01-01T00:00:00+15:00', '0999-05-05', '9999-12-31',
  '9999-12-31T23:59:59-10:00', '99991231', '1970-01-01', '1969-12-31T23:59:59.9995Z', '2026-12-31T23:59:60Z',
  '2026-12-31T24:00:00', '20261231T235960Z', '2027-01-01T00:00:00+15:59', '2026-1-5', '2026-11-3', '2026/1/5', '2026/12/31T10:00:00Z', '2026/2/9 10:00',
]; // oxfmt-ignore

/** A time of those years, as ISO 8601 or with slashes. */
export function spelledTime(random: Random): string {
  const at = new Date(SPELLED_FROM + random.int(SPELLED_DAYS * 24 * 4) * (MS_PER_DAY / 96));
  const [date = '', clock = ''] = at.toISOString().replace('Z', '').split('T');
  const isBasic = random.chance(0.3);
  const separator = random.pick(['T', 't', ' ']);
  const time = random.pick([
    clock,
    clock.slice(0, 8),
    clock.slice(0, 5),
    `${clock.slice(0, 8)}.123456`,
    '00:00:00',
    '24:00:00',
    '23:59:59.999999',
  ]);
  const offset = random.pick(OFFSETS);
  if (isBasic) {
    const day = date.replaceAll('-', '');
    return random.chance(0.3) ? day : `${day}${separator}${time.replaceAll(':', '')}${offset}`;
  }
  if (random.chance(0.15)) {
    const [year, month, day] = date.split('-');
    return `${year}/${Number(month)}/${random.chance(0.5) ? day : Number(day)}${random.chance(0.5) ? '' : ` ${clock.slice(0, 8)}`}`;
  }
  if (random.chance(0.2)) {
    const [year, month, day] = date.split('-').map(Number);
    return `${year}-${month}-${day}`;
  }
  return random.chance(0.25) ? date : `${date}${separator}${time}${offset}`;
}

export function spelledTimes(random: Random, count: number): readonly string[] {
  return [...EDGES, ...Array.from({ length: count }, () => spelledTime(random))];
}
