import { readFileSync } from 'node:fs';

/** A statement of `parser-statements.json`: SQL that has to parse, or to be refused where `reject` is set. */
export interface TestStatement {
  readonly name: string;
  readonly feature: string;
  readonly sql: string;
  readonly reject?: boolean;
}

export const statements = JSON.parse(
  readFileSync(new URL('parser-statements.json', import.meta.url), 'utf8'),
) as readonly TestStatement[];

/** What is left out on purpose, each with its reason: refused by name. All else that is SQL parses. */
export const unsupportedStatements: ReadonlyMap<string, string> = new Map([
  // PostgreSQL leaves out the rows that an outer join added, DuckDB counts them.
  ['SELECT COUNT(n.*) AS v FROM nums n', 'a function of all columns of a table'],
  // Documents come from DynamoDB; SQL has no standard way to write one.
  [`SELECT "a b"."c d"."e f" FROM (SELECT {'c d': {'e f': 1}} AS "a b") t`, 'struct literals'],
  // Items of DynamoDB have no order that both sides could be counted in.
  ['SELECT * FROM t1 POSITIONAL JOIN t2', 'POSITIONAL JOIN'],
  // Nothing random is offered, since every page of a result runs the statement again; it would be a whole scan anyway.
  ['SELECT * FROM t1 TABLESAMPLE (10 PERCENT)', 'TABLESAMPLE'],
  ['SELECT id FROM t1 USING SAMPLE 1', 'USING SAMPLE'],
  // A share of the rows is known only when all are read: LIMIT is there to read less.
  ['SELECT id FROM t1 LIMIT 50 PERCENT', 'LIMIT in percent'],
]);
