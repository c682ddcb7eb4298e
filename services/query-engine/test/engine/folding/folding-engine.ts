/** An engine over these tables whose time is set, and what its statements read by the endpoint's log. */
import type { CatalogTable } from '../../../src/catalog/table.ts';
import { createUnitMeter } from '../../../src/execution/unit-meter.ts';
import type { KeptPosition, KnownPositions } from '../../../src/placed-page.ts';
import type { KeptFor } from '../../../src/prepare.ts';
import { startTestAws } from '../../dynamodb/aws.ts';
import { testDatabase } from '../../execution/tables.ts';
import { SHORT_PLACE } from '../../scheduling/class-bounds.ts';
import { createTable } from '../create-table.ts';
import type { EngineTable } from '../engine-table.ts';
import { createPlainEngine } from '../plain-engine.ts';

export interface Asked {
  readonly parameters?: readonly unknown[];
  readonly firstRowIdx?: number;
  readonly maxRows?: number;
  readonly positions?: KnownPositions;
  readonly signal?: AbortSignal;
}

export interface Answered {
  readonly rows: readonly (readonly unknown[])[];
  /** By the endpoint's log. */
  readonly units: number;
  readonly operations: readonly string[];
  readonly resumeIdx: number | null;
  readonly kept: readonly KeptPosition[];
}

export type FoldingEngine = Awaited<ReturnType<typeof startFoldingEngine>>;

export async function startFoldingEngine(tables: readonly EngineTable[]) {
  const aws = await startTestAws();
  for (const { catalog, items } of tables) await createTable(aws.client, catalog, items);
  const database = testDatabase();
  const clock = { at: Date.UTC(2026, 10, 20, 12), now: () => clock.at };
  const lookups: [KeptFor, boolean][] = [];
  const tableOf = (name: string): CatalogTable => {
    const found = tables.find(({ catalog }) => catalog.tableName === name);
    if (found === undefined) throw new Error(`no table ${name}`);
    return found.catalog;
  };
  const begin = () =>
    createPlainEngine(
      database,
      aws.client,
      async (_, references) => references.map(({ table }) => ({ kind: 'table', table: tableOf(table) })),
      { clock, onCacheLookup: (cache, hit) => void lookups.push([cache, hit]) },
    );
  let engine = begin();
  const callOf = ({ signal = new AbortController().signal }: Asked) => ({
    ...{ tenantId: 't', token: 't', requestId: 'r', signal },
  });
  const requestOf = (sql: string, { parameters, firstRowIdx = 0, maxRows = 1000 }: Asked) => ({
    sql,
    parametersJson: parameters === undefined ? '' : JSON.stringify(parameters),
    ...{ firstRowIdx, maxRows, consistentRead: false },
  });
  return {
    clock,
    /** Of what is kept of statements, since it was emptied. */
    lookups,
    /** What statements were seen before is forgotten. */
    forget: () => (engine = begin()),
    async run(sql: string, asked: Asked = {}): Promise<Answered> {
      await aws.clear();
      const { positions } = asked;
      const options = {
        ...({ rowFormat: 'array', meter: createUnitMeter(), place: SHORT_PLACE } as const),
        ...(positions !== undefined && { positions }),
      };
      const texts: string[] = [];
      const kept: KeptPosition[] = [];
      let resumeIdx: number | null = null;
      for await (const part of engine.execute(requestOf(sql, asked), callOf(asked), options)) {
        if (part.kind === 'rows') texts.push(new TextDecoder().decode(part.json));
        if (part.kind !== 'end') continue;
        kept.push(...(part.position === null ? [] : [part.position]), ...part.besides);
        ({ resumeIdx } = part);
      }
      const requests = await aws.requests();
      return {
        rows: JSON.parse(`[${texts.filter((text) => text !== '').join(',')}]`) as unknown[][],
        units: requests.reduce((sum, { consumedUnits }) => sum + consumedUnits, 0),
        operations: requests.map(({ operation }) => operation),
        resumeIdx,
        kept,
      };
    },
    plan: (sql: string, asked: Asked = {}) =>
      engine.plan(requestOf(sql, asked), callOf(asked), { place: SHORT_PLACE }),
    async close() {
      await database.close();
      await aws.close();
    },
  };
}
