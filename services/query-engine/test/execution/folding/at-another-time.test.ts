/** What constants are at another time, as it is told without DuckDB, beside what DuckDB says. */
import { expect } from 'chai';
import { SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { evaluateConstants } from '../../../src/execution/folding/evaluate-constants.ts';
import { foldStatement, slotsAt, type Evaluate } from '../../../src/fold-statement.ts';
import type { Expression, LiteralValue } from '../../../src/logical/expression.ts';
import { statementTime, type StatementTime } from '../../../src/logical/statement-time.ts';
import { valueAtAnotherTime } from '../../../src/optimizer/constants/at-another-time.ts';
import { findConstants } from '../../../src/optimizer/constants/find-constants.ts';
import { runInOneGo } from '../../../src/scheduling/sliced-work.ts';
import { bindSql } from '../../optimizer/fixture.ts';
import { seededRandom } from '../../dynamodb/random.ts';
import { testDatabase } from '../tables.ts';

const [HOUR, DAY] = [3_600_000, 86_400_000];
const NOON = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
/** A moment later, within a minute, an hour, a day, and beyond each. */
const LATER = [1, 211, 300, 3_000, 30_000, 10 * 60_000, HOUR, 5 * HOUR, 12 * HOUR, DAY, 40 * DAY, 400 * DAY];

/** Told without DuckDB at any time, … */
const ALWAYS = [
  'now()',
  'CURRENT_TIMESTAMP',
  'LOCALTIMESTAMP',
  `now() - INTERVAL '7 days'`,
  `now() - INTERVAL '1 day 02:03:04.000005'`,
  `now() - INTERVAL '2 weeks' + INTERVAL '90 minutes'`,
  `CAST(now() AS TIMESTAMP) - INTERVAL '36' HOUR`,
  `CAST(now() + INTERVAL '15 seconds' AS TIMESTAMP)`,
];
/** … on the same day alone, … */
const SAME_DAY = [
  'CURRENT_DATE',
  'CURRENT_DATE - 7',
  `CURRENT_DATE - INTERVAL '1 month'`,
  `date_trunc('month', now()) - INTERVAL '1 month'`,
  `date_trunc('week', now())`,
  `CAST(date_trunc('day', CURRENT_TIMESTAMP) AS VARCHAR) || 'x'`,
  'CAST(now() AS DATE)',
  'date(now())',
  'year(now()) * 100 + month(now())',
  'extract(dow FROM now())',
  `date_part('quarter', now())`,
  'last_day(now())',
  `dayname(now()) || monthname(now()) || dayofyear(now())`,
  `'DAY#' || strftime(now(), '%Y-%m-%d')`,
  `strftime(now(), '%G-W%V 100%%')`,
];
/** … in the same hour, minute or second, … */
const SAME_PART = [
  `date_trunc('hour', now())`,
  `date_trunc('minute', now()) - INTERVAL '5 minutes'`,
  `date_trunc('second', now())`,
  `strftime(now(), '%H:%M')`,
  `strftime(now(), '%I %p')`,
  'extract(hour FROM now())',
  'second(now())',
  'extract(second FROM now())',
  "date_part('minute', now())",
];
/** … and never. */
const EVALUATED = [
  `now() - INTERVAL '1 month'`,
  `INTERVAL '1 day' + now()`,
  'epoch_ms(now())',
  'CURRENT_TIME',
  'CAST(now() AS VARCHAR)',
  `strftime(now(), '%f')`,
  `date_trunc('millisecond', now())`,
  `date_trunc('month', now() - INTERVAL '1 hour')`,
  `CAST(now() - INTERVAL '1 hour' AS DATE)`,
  `year(now() + INTERVAL '3 hours')`,
];

describe(`values of constants at another time (${SEED_SHOWN})`, function () {
  this.timeout(60_000);
  const database = testDatabase();
  after(() => database.close());

  const expressionOf = (sql: string): Expression => {
    const { plan } = bindSql(`SELECT ${sql} AS x`);
    if (plan.kind !== 'Project') throw new Error(`no projection: ${sql}`);
    return plan.columns[0]!.expression;
  };
  const valuesAt = async (
    constants: readonly Expression[],
    time: StatementTime,
  ): Promise<readonly (LiteralValue | undefined)[]> => {
    const context = {
      ...{ database, signal: new AbortController().signal, runSpaced: runInOneGo },
      enterStatement: async () => () => undefined,
    };
    const values = await evaluateConstants(constants, time, context);
    return constants.map((constant) => values.get(constant));
  };
  const random = seededRandom(SEED);
  const begins = [NOON, Date.UTC(2024, 1, 29, 23, 59, 59, 999), Date.UTC(1999, 11, 31, 23, 0, 0, 0)];
  const pairs = begins.flatMap((begin) =>
    LATER.map((later) => {
      const at = begin + random.int(60_000);
      return [statementTime(at), statementTime(at + (random.chance(0.5) ? later : -later))] as const;
    }),
  );

  const all = [...ALWAYS, ...SAME_DAY, ...SAME_PART, ...EVALUATED];
  it('are what DuckDB says, where they are told', async () => {
    const constants = all.map(expressionOf);
    const told = new Map<string, number>();
    for (const [before, now] of pairs) {
      const [known, wanted] = [await valuesAt(constants, before), await valuesAt(constants, now)];
      for (const [i, constant] of constants.entries()) {
        const value = valueAtAnotherTime(constant, known[i]!, before, now);
        if (value === null) continue;
        told.set(all[i]!, (told.get(all[i]!) ?? 0) + 1);
        expect(value, `${all[i]} at ${now}, from ${before}`).to.deep.equal(wanted[i]);
      }
    }
    for (const sql of ALWAYS) expect(told.get(sql), sql).to.equal(pairs.length);
    for (const sql of [...SAME_DAY, ...SAME_PART])
      expect(told.get(sql), sql).to.be.within(1, pairs.length - 1);
    for (const sql of EVALUATED) expect(told.get(sql), sql).to.equal(undefined);
  });

  it('are told to a statement that was planned, which evaluates nothing then', async () => {
    const bound = bindSql(`SELECT name FROM customers WHERE id = 'a' AND city >= now() - INTERVAL '7 days'`);
    const [before, now] = [statementTime(NOON), statementTime(NOON + HOUR)];
    const evaluate: Evaluate = async (constants, time) => {
      const values = await valuesAt(constants, time!);
      return new Map(constants.map((constant, i) => [constant, values[i]!]));
    };
    const { slots } = await foldStatement(bound, findConstants(bound.plan), evaluate, async () => before);
    const nobody: Evaluate = async () => {
      throw new Error('something was evaluated');
    };
    const { values } = await slotsAt(slots!, now, nobody);
    expect(values).to.deep.equal([
      { type: 'temporal', sqlType: 'TIMESTAMP', value: '2026-11-13 13:34:56.789' },
    ]);
  });

  it('are evaluated beyond the years that there are', async () => {
    const [before, now] = ['9999-12-31 00:00:00.000', '9999-12-31 12:00:00.000'] as StatementTime[];
    const constant = expressionOf(`now() + INTERVAL '18 hours'`);
    const [known] = await valuesAt([constant], before!);
    expect(valueAtAnotherTime(constant, known!, before!, now!)).to.equal(null);
  });
});
