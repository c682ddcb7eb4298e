/** The engine's own tests of rows and of units, as statements and tables of a whole stack. */
import type { CustomerAccount } from '../../../../../deploy/local/src/seed/customer-account.ts';
import { createTable } from '../../../../../services/query-engine/test/engine/create-table.ts';
import { mixedGenerator } from '../../../../../services/query-engine/test/engine/mixed-generator.ts';
import { nestedGenerator } from '../../../../../services/query-engine/test/engine/nested-generator.ts';
import {
  binaries,
  documents,
  emptyTable,
  mixed,
  things,
} from '../../../../../services/query-engine/test/engine/odd-tables.ts';
import { queryGenerator } from '../../../../../services/query-engine/test/engine/query-generator.ts';
import { REPORTS } from '../../../../../services/query-engine/test/engine/reports-sql.ts';
import { customers, orders } from '../../../../../services/query-engine/test/engine/shop.ts';
import type { EngineTable } from '../../../../../services/query-engine/test/engine/engine-table.ts';
import { unitCases } from '../../../../../services/query-engine/test/engine/units/cases.ts';
import { unitTables } from '../../../../../services/query-engine/test/engine/units/tables.ts';

export interface Statement {
  /** Of which test it is. */
  readonly of: string;
  readonly sql: string;
  readonly ordered: boolean;
}

/** Which rows come first is open without an order; the time goes on between two ways of asking. */
const isOpen = (sql: string): boolean =>
  (/\b(?:LIMIT|FETCH|OFFSET|TABLESAMPLE)\b/i.test(sql) && !/\bORDER BY\b/i.test(sql)) ||
  /\b(?:now|random|uuid|gen_random_uuid|current_\w+|any_value|first|last|mode|string_agg|array_agg|listagg|arg_m\w+|m\w+_by)\b\s*\(?/i.test(
    sql,
  );

const many = (
  of: string,
  count: number,
  next: () => { readonly sql: string; readonly ordered: boolean },
): readonly Statement[] =>
  Array.from({ length: count }, () => {
    const { sql, ordered } = next();
    return { of, sql, ordered };
  });

const plain = (of: string, statements: readonly { readonly sql: string }[]): readonly Statement[] =>
  statements.map(({ sql }) => ({ of, sql, ordered: false }));

/** So many of each generator, every so manieth of the lists. */
export function differentialStatements(count: number, seed: number, every: number): readonly Statement[] {
  const listed = [
    ...plain(
      'reports',
      Object.values(REPORTS)
        .flat()
        .filter(({ parameters }) => parameters === undefined),
    ),
    ...plain(
      'units',
      Object.values(unitCases)
        .flat()
        .filter(({ options = {} }) => Object.keys(options).length === 0),
    ),
  ].filter((_, i) => i % every === 0);
  const generated = [
    ...many('one level', count, queryGenerator(seed)),
    ...many('nested relations', count, nestedGenerator(seed)),
    ...many('mixed types', count, mixedGenerator(seed)),
  ];
  return [...generated, ...listed].filter(({ sql }) => !isOpen(sql) && !/[?;]/.test(sql));
}

const tables = (withUnits: boolean): readonly EngineTable[] => [
  ...[customers(), orders(), things(), documents(), emptyTable(), binaries(), mixed()],
  ...(withUnits ? unitTables() : []),
];

export async function makeTables(account: CustomerAccount, withUnits: boolean): Promise<void> {
  const made = new Set<string>();
  for (const { catalog, items } of tables(withUnits)) {
    if (made.has(catalog.tableName)) throw new Error(`two tables are called ${catalog.tableName}`);
    made.add(catalog.tableName);
    await createTable(account.dynamodb, catalog, items);
  }
}
