/** Whether a way gave what REST gave: cell by cell, digit by digit. */
import { plainNumber } from '../../../../src/postgres/types/plain-number.ts';
import type { Asked, TextRow } from './ask.ts';

const withoutEnd = (digits: string): string =>
  digits.includes('.') ? digits.replace(/0+$/, '').replace(/\.$/, '') : digits;

/** REST writes moments with T and Z. */
const MOMENT = /^(\d{4,6}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|\+00)?$/;

/** Drivers print a value of one number or time in more than one way; digits they have the same. */
function canonical(cell: string | null): string {
  if (cell === null) return '∅';
  const number = plainNumber(cell);
  if (number !== null) return withoutEnd(number).replace(/^-0$/, '0');
  if (cell === 'true' || cell === 'false') return cell.slice(0, 1);
  const [, date, time = '', zone = ''] = MOMENT.exec(cell) ?? [];
  return date === undefined ? cell : `${date} ${withoutEnd(time)}${zone.replace('Z', '+00')}`;
}

const line = (row: TextRow): string => row.map(canonical).join('\u0001');

/** The announced type does not hold a value: an error that names the attribute and the cast is right too. */
const isMisfit = (error: string): boolean => /22P02.*, which is no \w+/s.test(error);
/** Texts of PostgreSQL have no zero character. */
const isZeroCharacter = (error: string): boolean => error.includes('zero character');

export type Verdict =
  | { readonly kind: 'same' | 'misfit' | 'both fail' }
  | { readonly kind: 'differs'; readonly why: string };

export function compareRows(rest: Asked, other: Asked, ordered: boolean): Verdict {
  if ('error' in rest) {
    if ('error' in other) return { kind: 'both fail' };
    return {
      kind: 'differs',
      why: `REST failed (${rest.error.slice(0, 200)}), this gave ${other.rows.length} rows`,
    };
  }
  if ('error' in other) {
    if (isMisfit(other.error) || isZeroCharacter(other.error)) return { kind: 'misfit' };
    return { kind: 'differs', why: other.error };
  }
  const [a, b] = [rest.rows.map(line), other.rows.map(line)];
  if (!ordered) {
    a.sort();
    b.sort();
  }
  const at = a.findIndex((text, i) => text !== b[i]);
  if (a.length === b.length && at < 0) {
    if (rest.units === undefined || other.units === undefined || rest.units === other.units)
      return { kind: 'same' };
    return { kind: 'differs', why: `${rest.units} read units over REST, ${other.units} here` };
  }
  const place = at < 0 ? Math.min(a.length, b.length) : at;
  return {
    kind: 'differs',
    why: `${a.length} rows of REST, ${b.length} here; row ${place + 1}: ${a[place] ?? 'none'} here ${b[place] ?? 'none'}`.replaceAll(
      '\u0001',
      ' | ',
    ),
  };
}
