/** Keys of a kind, with the conditions that are written about them. */
import type { Choice } from '../choice.ts';
import type { Condition } from './condition.ts';
import { epochRows } from './rows/epochs.ts';
import { around, conditionOf, LOGIC_ROWS } from './rows/logic.ts';
import { NUMBER_ROWS, WIDE_NUMBER_ROWS } from './rows/numbers.ts';
import type { Row } from './rows/row.ts';
import { TEXT_ROWS } from './rows/texts.ts';
import { OTHER_TIME_ROWS, TIME_ROWS } from './rows/times.ts';
import { milliseconds, NUMBERS, seconds, TEXTS, times, timesAndOthers, WIDE_NUMBERS } from './spellings.ts';

export interface Family {
  readonly name: string;
  /** Of the keys. */
  readonly type: 'S' | 'N';
  readonly values: readonly string[];
  readonly rows: readonly Row[];
  /** Of all conditions, so many parts are about these keys. */
  readonly share: number;
}

/** A row as often as there are others, so that each is written now and then. */
export const familiesOf = (now: number): readonly Family[] => [
  { name: 'texts', type: 'S', values: TEXTS, rows: [...TEXT_ROWS, ...LOGIC_ROWS], share: 6 },
  {
    name: 'times',
    type: 'S',
    values: times(now),
    rows: [...TIME_ROWS, ...TIME_ROWS, ...TEXT_ROWS],
    share: 6,
  },
  { name: 'others', type: 'S', values: timesAndOthers(now), rows: OTHER_TIME_ROWS, share: 2 },
  {
    name: 'numbers',
    type: 'N',
    values: NUMBERS,
    rows: [...NUMBER_ROWS, ...LOGIC_ROWS.slice(0, 5)],
    share: 3,
  },
  { name: 'wide_numbers', type: 'N', values: WIDE_NUMBERS, rows: WIDE_NUMBER_ROWS, share: 1 },
  { name: 'seconds', type: 'N', values: seconds(now), rows: epochRows(1), share: 2 },
  { name: 'milliseconds', type: 'N', values: milliseconds(now), rows: epochRows(1000), share: 2 },
];

/** A condition on a family's keys, by choice. */
export function conditionBy(choice: Choice, { rows, values }: Family): Condition {
  return around(choice, () => {
    const { row, write } = choice.pick(rows);
    return conditionOf(row, write(choice, choice.pick(values), values));
  });
}
