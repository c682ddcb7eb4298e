/** What conditions are true of, over keys and over copies that are no key: many conditions by one statement. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { CatalogTable } from '../../../src/catalog/table.ts';
import type { EngineTable } from '../engine-table.ts';
import type { TestEngine } from '../test-engine.ts';
import type { Condition } from './condition.ts';
import type { Family } from './families.ts';
import { COPIES, sortedTable, type Place } from './tables.ts';

/** The numbers of the values of which it is true, in order, or what it fails with. */
export type Outcome =
  | { readonly rows: readonly number[] }
  | { readonly error: string; readonly message: string };

export interface Asked {
  readonly condition: Condition;
  readonly place: Place;
  /** What binds the partition there, where that is not the condition's business. */
  readonly where: string;
}

/** Conditions beside each other in one statement: each over a schema of its own, as reads of one table are shared. */
export const KEYED_BATCH = 10;
const schemaOf = (i: number): string => (i === 0 ? 'shop' : `shop${i}`);

/** The tables as all those schemas have them. */
export const inEachSchema = (tables: readonly EngineTable[]): readonly CatalogTable[] =>
  Array.from({ length: KEYED_BATCH - 1 }, (_, i) =>
    tables.map(({ catalog }): CatalogTable => ({ ...catalog, schemaName: schemaOf(i + 1) })),
  ).flat();

export const keyedStatement = ({ condition, place, where }: Asked, i = 0): string =>
  `SELECT ${i}, i FROM ${schemaOf(i)}.${place.table} WHERE ${where} AND (${condition.text(place.names)})`;

/** The rows of each of those that were asked. */
type Ask = (
  asked: readonly Asked[],
  parameters: readonly unknown[],
) => Promise<readonly (readonly number[])[]>;

/** One that fails makes its statement fail: those of its half are asked again. Whatever is no error of a statement is thrown. */
async function outcomesBy(ask: Ask, asked: readonly Asked[]): Promise<readonly Outcome[]> {
  try {
    const found = await ask(
      asked,
      asked.flatMap(({ condition }) => condition.parameters),
    );
    return found.map((rows) => ({ rows: rows.toSorted((a, b) => a - b) }));
  } catch (error) {
    if (!(error instanceof PenstockError)) throw error;
    if (asked.length === 1) return [{ error: error.code, message: error.message }];
    const half = asked.length >> 1;
    return [...(await outcomesBy(ask, asked.slice(0, half))), ...(await outcomesBy(ask, asked.slice(half)))];
  }
}

type NumberRow = readonly number[];

/** @param onUnits told what each statement read, and how many conditions it had */
export function keyedOutcomes(
  engine: TestEngine,
  asked: readonly Asked[],
  onUnits: (units: number, conditions: number) => void = () => undefined,
): Promise<readonly Outcome[]> {
  const ask: Ask = async (some, parameters) => {
    const text = some.map(keyedStatement).join(' UNION ALL ');
    const answer = await engine.run(text, { parameters, maxRows: 10_000 });
    onUnits(answer.readUnits, some.length);
    const rows = answer.rows as readonly NumberRow[];
    return some.map((_, i) => rows.filter(([of]) => of === i).map(([, number = NaN]) => number));
  };
  return outcomesBy(ask, asked);
}

export function opaqueOutcomes(
  engine: TestEngine,
  family: Family,
  asked: readonly Asked[],
): Promise<readonly Outcome[]> {
  const ask: Ask = async (some, parameters) => {
    const columns = some.map(
      ({ condition, place }) => `CASE WHEN ${condition.text(COPIES[place.copy])} THEN 1 ELSE 0 END`,
    );
    const text = `SELECT i, ${columns.join(', ')} FROM shop.${sortedTable(family)} WHERE pk = 'p'`;
    const answer = await engine.run(text, { parameters, maxRows: family.values.length });
    const rows = answer.rows as readonly NumberRow[];
    return some.map((_, i) => rows.filter((row) => row[i + 1] === 1).map(([number = NaN]) => number));
  };
  return outcomesBy(ask, asked);
}

/**
 * The copy's condition in WHERE, where it may fail as that of the key does: DuckDB computes the conjuncts of a filter in the
 * order that it likes.
 */
export function filteredOutcome(engine: TestEngine, family: Family, asked: Asked): Promise<Outcome> {
  return outcomeWhere(engine, family, asked, 'TRUE');
}

/** The same of one value, which is all that is read, so that it is computed as what it is, and not as what holds all values. */
export function outcomeAlone(
  engine: TestEngine,
  family: Family,
  asked: Asked,
  value: number,
): Promise<Outcome> {
  return outcomeWhere(engine, family, asked, `i = ${value}`);
}

async function outcomeWhere(
  engine: TestEngine,
  family: Family,
  asked: Asked,
  where: string,
): Promise<Outcome> {
  const ask: Ask = async ([one], parameters) => {
    const text = `SELECT i FROM shop.${sortedTable(family)} WHERE pk = 'p' AND ${where} AND (${one!.condition.text(COPIES[one!.place.copy])})`;
    const { rows } = await engine.run(text, { parameters, maxRows: family.values.length });
    return [(rows as readonly NumberRow[]).map(([number = NaN]) => number)];
  };
  const [outcome] = await outcomesBy(ask, [asked]);
  return outcome!;
}
