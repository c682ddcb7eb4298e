/** Conditions about conditions. */
import type { Choice } from '../../choice.ts';
import { joined, KEY, parameter, PARTITION, raw, sql, type Condition, type Piece } from '../condition.ts';
import { numberConstant, OPERATORS, textConstant } from '../constants.ts';
import type { Row } from './row.ts';

const isNumber = (values: readonly string[]): boolean =>
  values.every((value) => /^-?\d/.test(value) && !Number.isNaN(Number(value)));

/** A value of the key as a constant. */
function constant(choice: Choice, value: string, values: readonly string[]): Piece {
  return isNumber(values) ? numberConstant(choice, value) : textConstant(choice, value);
}

/** About equality with a value, of keys of each type. */
export const LOGIC_ROWS: readonly Row[] = [
  {
    row: 'lists',
    write(choice, value, values) {
      const list = joined(
        [value, choice.pick(values), choice.pick(values)].map((one) => constant(choice, one, values)),
        ', ',
      );
      return choice.pick([
        sql`list_contains([${list}], ${KEY})`,
        sql`${KEY} = ANY (ARRAY[${list}])`,
        sql`${KEY} = ANY ([${list}])`,
        sql`${KEY} <> ALL (ARRAY[${list}])`,
        sql`${KEY} > ANY (ARRAY[${list}])`,
        sql`${KEY} IN (${list}, NULL)`,
        sql`${KEY} NOT IN (${list})`,
      ]);
    },
  },
  {
    row: 'row comparisons',
    write(choice, value, values) {
      const one = constant(choice, value, values);
      const other = constant(choice, choice.pick(values), values);
      return choice.pick([
        sql`(${PARTITION}, ${KEY}) = ('p', ${one})`,
        sql`(${PARTITION}, ${KEY}) IN (('p', ${one}), ('p', ${other}), ('o', ${one}))`,
        sql`(${PARTITION}, ${KEY}) ${choice.pick(OPERATORS)} ('p', ${one})`,
        sql`(${KEY}, ${PARTITION}) ${choice.pick(OPERATORS)} (${one}, 'p')`,
        sql`(${KEY}, ${PARTITION}) ${choice.pick(['<', '>='])} (${one}, 'a')`,
      ]);
    },
  },
  {
    row: 'IS NOT DISTINCT FROM',
    write: (choice, value, values) =>
      sql`${KEY} IS ${choice.pick(['', 'NOT ', 'NOT '])}DISTINCT FROM ${constant(choice, value, values)}`,
  },
  {
    row: 'NOT (a <> b)',
    write: (choice, value, values) =>
      sql`NOT (${KEY} ${choice.pick(['<>', '<', '>', '>=', '<=', '='])} ${constant(choice, value, values)})`,
  },
  {
    row: 'CASE',
    write(choice, value, values) {
      const one = constant(choice, value, values);
      return choice.pick([
        sql`CASE ${KEY} WHEN ${one} THEN 1 ELSE 0 END = ${choice.pick([1, 0])}`,
        sql`CASE WHEN ${KEY} = ${one} THEN 'x' WHEN ${KEY} > ${one} THEN 'y' END = ${choice.pick([`'x'`, `'y'`])}`,
        sql`CASE WHEN ${KEY} < ${one} THEN false ELSE true END`,
        sql`NULLIF(${KEY}, ${one}) IS NULL`,
        sql`IF(${KEY} = ${one}, true, false)`,
      ]);
    },
  },
  {
    row: 'comparisons with nothing',
    write: (choice, value, values) =>
      choice.pick([
        sql`${KEY} = NULL`,
        sql`${KEY} IS NULL`,
        sql`${KEY} IS NOT NULL`,
        sql`${KEY} = CAST(${parameter(null)} AS VARCHAR)`,
        sql`(${KEY} = ${constant(choice, value, values)} OR ${KEY} IS NULL)`,
        sql`COALESCE(${KEY} = ${constant(choice, value, values)}, true)`,
        sql`(${KEY} = ${constant(choice, value, values)}) IS NOT FALSE`,
      ]),
  },
];

const named = (row: string, { text, parameters }: Piece, parts: readonly Condition[]): Condition => ({
  row,
  text,
  parameters,
  parts,
});

/** A condition around others. */
export function around(choice: Choice, make: () => Condition): Condition {
  const one = make();
  const wrap = (row: string, piece: Piece, parts: readonly Condition[] = [one]): Condition =>
    named(`${row} around ${parts.map((each) => each.row).join(' and ')}`, piece, parts);
  switch (choice.int(15)) {
    case 0:
      return wrap(
        'IS TRUE',
        sql`(${one}) IS ${choice.pick(['TRUE', 'NOT FALSE', 'NOT TRUE', 'FALSE', 'UNKNOWN'])}`,
      );
    case 1:
      return wrap(
        '= true',
        sql`(${one}) ${choice.pick(['= true', '<> false', '= false', 'IS NOT DISTINCT FROM true'])}`,
      );
    case 2:
      return wrap('NOT', sql`NOT (${one})`);
    case 3:
      return wrap('NOT NOT', sql`NOT (NOT (${one}))`);
    case 4:
      return wrap(
        'CASE',
        sql`CASE WHEN ${one} THEN ${choice.pick(['true', 'false'])} ELSE ${choice.pick(['false', 'true', 'NULL'])} END`,
      );
    case 5:
      return wrap('COALESCE', sql`COALESCE(${one}, ${choice.pick(['false', 'true'])})`);
    case 6:
    case 7: {
      const other = make();
      return wrap('OR', sql`((${one}) OR (${other}))`, [one, other]);
    }
    case 8: {
      const other = make();
      return wrap('AND', sql`((${one}) AND (${other}))`, [one, other]);
    }
    case 9: {
      const [other, third] = [make(), make()];
      return wrap('NOT OR', sql`NOT ((${one}) AND ((${other}) OR NOT (${third})))`, [one, other, third]);
    }
    case 10:
      return wrap(
        'folded',
        sql`((${one}) AND ${raw(choice.pick(['1 + 1 = 2', `'a' || 'b' = 'ab'`, '(SELECT true)']))})`,
      );
    default:
      return one;
  }
}

export const conditionOf = (row: string, piece: Piece): Condition => named(row, piece, []);
