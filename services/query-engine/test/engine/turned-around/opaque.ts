/** What conditions say of every value, asked of copies that are no key: many conditions by one statement. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { TestEngine } from '../test-engine.ts';
import type { Condition } from './condition.ts';
import { COPIES, sortedTable, type Place } from './tables.ts';
import type { Family } from './families.ts';

/** The numbers of the values of which it is true, or the code of what it fails with. */
export type Outcome =
  { readonly rows: readonly number[] } | { readonly error: string; readonly message: string };

export interface Asked {
  readonly condition: Condition;
  readonly place: Place;
}

/** The numbers of a first column. */
export const numbersOf = (rows: readonly unknown[]): readonly number[] =>
  rows.map((row) => Number((row as readonly unknown[])[0])).sort((a, b) => a - b);

/** As a value of what was run; whatever is no error of a statement is thrown. */
export async function outcomeOf(run: () => Promise<readonly unknown[]>): Promise<Outcome> {
  try {
    return { rows: numbersOf(await run()) };
  } catch (error) {
    if (error instanceof PenstockError) return { error: error.code, message: error.message };
    throw error;
  }
}

/** One that fails makes its statement fail: those of its half are asked again. */
export async function opaqueOutcomes(
  engine: TestEngine,
  family: Family,
  asked: readonly Asked[],
): Promise<readonly Outcome[]> {
  const [only] = asked;
  if (only === undefined) return [];
  const parameters = asked.flatMap(({ condition }) => condition.parameters);
  const columns = asked.map(
    ({ condition, place }) => `CASE WHEN ${condition.text(COPIES[place.copy])} THEN 1 ELSE 0 END`,
  );
  const text = `SELECT i, ${columns.join(', ')} FROM shop.${sortedTable(family)} WHERE pk = 'p'`;
  try {
    const { rows } = await engine.run(text, { parameters, maxRows: family.values.length });
    return asked.map((_, i) => ({
      rows: numbersOf(rows.filter((row) => (row as readonly unknown[])[i + 1] === 1)),
    }));
  } catch (error) {
    if (!(error instanceof PenstockError)) throw error;
    if (asked.length === 1) return [{ error: error.code, message: error.message }];
    const half = asked.length >> 1;
    return [
      ...(await opaqueOutcomes(engine, family, asked.slice(0, half))),
      ...(await opaqueOutcomes(engine, family, asked.slice(half))),
    ];
  }
}
