/** What is written about keys that are times as numbers: seconds or milliseconds since 1970. */
import type { Choice } from '../../choice.ts';
import { KEY, raw, sql, type Piece } from '../condition.ts';
import { OPERATORS } from '../constants.ts';
import type { Row } from './row.ts';

const DAY_MS = 86_400_000;
const operator = (choice: Choice): string => choice.pick(OPERATORS);
const stampOf = (at: number): string => new Date(at).toISOString().slice(0, 23).replace('T', ' ');
const dateOf = (at: number): string => stampOf(at).slice(0, 10);

function near(choice: Choice, at: number): number {
  const day = Math.floor(at / DAY_MS) * DAY_MS;
  return choice.pick([at, at, day, day + DAY_MS, at + 1, at - 1, day - 1, at + 1000, at - 1000, at + 499]);
}

function timeConstant(choice: Choice, at: number): Piece {
  return raw(
    choice.pick([
      `TIMESTAMP '${stampOf(at)}'`,
      `TIMESTAMPTZ '${stampOf(at)}+00'`,
      `TIMESTAMPTZ '${stampOf(at)}+02:00'`,
      `DATE '${dateOf(at)}'`,
      `(TIMESTAMP '${stampOf(at)}' + INTERVAL '1 day')`,
      `TIMESTAMP '${stampOf(at)}999'`,
      `to_timestamp(${at / 1000})`,
    ]),
  );
}

function compared(choice: Choice, operand: Piece, constant: () => Piece): Piece {
  switch (choice.int(6)) {
    case 0:
      return sql`${operand} BETWEEN ${constant()} AND ${constant()}`;
    case 1:
      return sql`${operand} IN (${constant()}, ${constant()})`;
    case 2:
      return sql`${constant()} ${operator(choice)} ${operand}`;
    default:
      return sql`${operand} ${operator(choice)} ${constant()}`;
  }
}

/** @param perSecond how many of the key's units a second has */
export function epochRows(perSecond: 1 | 1000): readonly Row[] {
  const msOf = (value: string): number => (Number(value) * 1000) / perSecond;
  const time = (choice: Choice): Piece =>
    perSecond === 1
      ? choice.pick([
          sql`to_timestamp(${KEY})`,
          sql`to_timestamp(${KEY} * 1)`,
          sql`to_timestamp(CAST(${KEY} AS BIGINT))`,
        ])
      : choice.pick([
          sql`to_timestamp(${KEY} / 1000)`,
          sql`to_timestamp(${KEY} / 1000.0)`,
          sql`to_timestamp(${KEY} * 0.001)`,
          sql`to_timestamp(${KEY} // 1000)`,
        ]);
  const name = perSecond === 1 ? 'seconds' : 'milliseconds';
  const moment = (choice: Choice, value: string) => near(choice, msOf(value));
  return [
    {
      row: `${name} as a time`,
      write: (choice, value) =>
        compared(choice, time(choice), () => timeConstant(choice, moment(choice, value))),
    },
    {
      row: `${name} as a date`,
      write(choice, value) {
        const operand = choice.pick([
          sql`CAST(${time(choice)} AS DATE)`,
          sql`${time(choice)}::date`,
          sql`date_trunc('day', ${time(choice)})`,
          sql`DATE(${time(choice)})`,
        ]);
        return compared(choice, operand, () => raw(`DATE '${dateOf(moment(choice, value))}'`));
      },
    },
    {
      row: `${name} truncated`,
      write(choice, value) {
        const unit = choice.pick(['hour', 'week', 'month', 'year', 'minute']);
        const operand = sql`date_trunc('${unit}', ${time(choice)})`;
        return compared(choice, operand, () =>
          raw(`date_trunc('${unit}', TIMESTAMP '${stampOf(moment(choice, value))}')`),
        );
      },
    },
    {
      row: `${name} formatted`,
      write(choice, value) {
        const date = dateOf(moment(choice, value));
        return choice.pick([
          sql`strftime(${time(choice)}, '%Y-%m-%d') ${operator(choice)} '${date}'`,
          sql`to_char(${time(choice)}, 'YYYY-MM') = '${date.slice(0, 7)}'`,
          sql`year(${time(choice)}) ${operator(choice)} ${Number(date.slice(0, 4))}`,
          sql`(year(${time(choice)}) = ${Number(date.slice(0, 4))} AND month(${time(choice)}) = ${Number(date.slice(5, 7))})`,
          sql`${time(choice)} + INTERVAL '1 day' ${operator(choice)} TIMESTAMP '${date}'`,
        ]);
      },
    },
    {
      row: `${name} beside the clock`,
      write: (choice) =>
        choice.pick([
          sql`${KEY} ${operator(choice)} (epoch(now()) - 604800) * ${perSecond}`,
          sql`${KEY} ${operator(choice)} extract(epoch FROM now() - INTERVAL '7 days') * ${perSecond}`,
          sql`${time(choice)} ${operator(choice)} now() - INTERVAL '7 days'`,
          sql`${time(choice)} ${operator(choice)} CURRENT_DATE - 7`,
          sql`CAST(${time(choice)} AS DATE) ${operator(choice)} CURRENT_DATE - 1`,
        ]),
    },
    {
      row: `${name} beside a time's`,
      write(choice, value) {
        const stamp = stampOf(moment(choice, value));
        return choice.pick([
          sql`${KEY} ${operator(choice)} epoch(TIMESTAMP '${stamp}') * ${perSecond}`,
          sql`${KEY} ${operator(choice)} extract(epoch FROM TIMESTAMPTZ '${stamp}+00') * ${perSecond}`,
          sql`${KEY} ${operator(choice)} epoch_ms(TIMESTAMP '${stamp}') / ${1000 / perSecond}`,
          sql`${KEY} / ${perSecond} BETWEEN epoch(DATE '${stamp.slice(0, 10)}') AND epoch(DATE '${stamp.slice(0, 10)}' + 1)`,
        ]);
      },
    },
  ];
}
