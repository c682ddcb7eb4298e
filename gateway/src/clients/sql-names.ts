import type { KeyColumn } from './catalog-tables.ts';

const PLAIN = /^[a-z_][a-z0-9_]*$/i;
/** Words that a statement would not take for a name. */
const RESERVED = new Set(
  (
    'all and any as asc between both by case cast check collate column constraint create cross current_date ' +
    'current_time current_timestamp default delete desc distinct drop else end except exists false fetch for from ' +
    'full group having in index inner insert intersect interval into is join key left like limit lateral natural not ' +
    'null offset on or order outer over partition primary references right row rows select set some table then to ' +
    'true union unique update user using values view when where window with'
  ).split(' '),
);

/** A name as a statement writes it: in double quotes unless it needs none. */
export function sqlName(name: string): string {
  return PLAIN.test(name) && !RESERVED.has(name.toLowerCase()) ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A value of a key's type, to be replaced by the reader. Binary keys are written as base64 text. */
export function sampleValue({ type }: KeyColumn): string {
  return type === 'N' ? '1' : type === 'B' ? "'AAEC'" : "'value'";
}
