/** What leads from the tables that a server has to those that it is to have. */
import { DDL_LOCKS_MAX } from '../limits.ts';
import {
  alterTable,
  createSchema,
  createTable,
  dropSchema,
  dropTable,
  madeAnew,
  type TableSteps,
} from './ddl.ts';
import { writeFacts, type PlacedTable } from './facts.ts';
import type { DatabaseObjects, TableObject } from './objects.ts';
import { quoteIdent, quoteLiteral } from './quote.ts';

/** What a server has: changed as transactions are committed. */
export type AppliedTables = Map<string, Map<string, TableObject>>;

/** One table that changes; null: there is none. */
export interface TableChange {
  readonly schema: string;
  readonly name: string;
  readonly before: TableObject | null;
  readonly after: TableObject | null;
}

export interface Changes {
  readonly newSchemas: readonly string[];
  readonly goneSchemas: readonly string[];
  readonly tables: readonly TableChange[];
  readonly schemaComments: readonly (readonly [string, string | null])[];
}

const isSame = (a: TableObject, b: TableObject): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Every value of two tables is compared; what is equal is left alone. */
export function changesOf(applied: AppliedTables, wanted: DatabaseObjects): Changes {
  const names = new Set([...applied.keys(), ...wanted.keys()]);
  const tables = [...names].flatMap((schema) => {
    const had = applied.get(schema) ?? new Map<string, TableObject>();
    const has = wanted.get(schema)?.tables ?? new Map<string, TableObject>();
    return [...new Set([...had.keys(), ...has.keys()])].flatMap((name): readonly TableChange[] => {
      const [before, after] = [had.get(name) ?? null, has.get(name) ?? null];
      if (before !== null && after !== null && isSame(before, after)) return [];
      return [{ schema, name, before, after }];
    });
  });
  return {
    newSchemas: [...wanted.keys()].filter((name) => !applied.has(name)),
    goneSchemas: [...applied.keys()].filter((name) => !wanted.has(name)),
    tables,
    schemaComments: [...wanted].flatMap(([name, { comment }]) =>
      comment === null && applied.has(name) ? [] : [[name, comment] as const],
    ),
  };
}

/** Locks of a table, its row in a second table, and its indexes. */
const locksOf = ({ before, after }: TableChange): number =>
  4 + (before?.indexes.length ?? 0) + (after?.indexes.length ?? 0);

/** Changes that one transaction makes, in order: those that take names away come first. */
export function transactionsOf(changes: readonly TableChange[]): readonly (readonly TableChange[])[] {
  const ordered = changes.toSorted((a, b) => Number(a.after !== null) - Number(b.after !== null));
  const chunks: TableChange[][] = [];
  let locks = 0;
  for (const change of ordered) {
    locks += locksOf(change);
    if (chunks.length === 0 || locks > DDL_LOCKS_MAX) {
      chunks.push([]);
      locks = locksOf(change);
    }
    chunks.at(-1)?.push(change);
  }
  return chunks;
}

const stepsOf = ({ schema, before, after }: TableChange, isAnew: boolean): TableSteps => {
  if (after === null) return { before: before === null ? [] : [dropTable(schema, before.name)], after: [] };
  if (before === null) return { before: [], after: createTable(schema, after) };
  return isAnew ? madeAnew(schema, before, after) : alterTable(schema, before, after);
};

/** `isAnew`: tables are dropped and made, not altered. */
export function statementsOf(changes: readonly TableChange[], isAnew = false): readonly string[] {
  const steps = changes.map((change) => stepsOf(change, isAnew));
  const changed = changes.flatMap(({ schema, after }): readonly PlacedTable[] =>
    after === null ? [] : [{ schema, table: after }],
  );
  return [
    ...steps.flatMap(({ before }) => before),
    ...steps.flatMap(({ after }) => after),
    ...writeFacts(changed),
  ];
}

const commentOnSchema = ([name, comment]: readonly [string, string | null]): string =>
  `COMMENT ON SCHEMA ${quoteIdent(name)} IS ${comment === null ? 'NULL' : quoteLiteral(comment)}`;

export const schemaStatements = ({ newSchemas, schemaComments }: Changes): readonly string[] => [
  ...newSchemas.flatMap(createSchema),
  ...schemaComments.filter(([name]) => name !== 'public').map(commentOnSchema),
];

export const goneStatements = ({ goneSchemas }: Changes): readonly string[] =>
  goneSchemas.flatMap(dropSchema);
