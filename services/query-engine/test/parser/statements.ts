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

/** What our tree has no node for, and what is left out on purpose: refused by name. All else that is SQL parses. */
export const unsupportedStatements: ReadonlyMap<string, string> = new Map([
  [
    'WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 5) SELECT n FROM r',
    'WITH RECURSIVE',
  ],
  ['SELECT x.t FROM docs d, UNNEST(d.tags) AS x (t)', 'table functions'],
  ['SELECT COUNT(n.*) AS v FROM nums n', 'a function of all columns of a table'],
  ['SELECT x.id FROM t1 x, LATERAL (SELECT * FROM t2 y WHERE y.id = x.id) z', 'LATERAL'],
  ['SELECT t1.id FROM t1 JOIN LATERAL (SELECT * FROM t2 y WHERE y.id = t1.id) z ON TRUE', 'LATERAL'],
  [`SELECT "a b"."c d"."e f" FROM (SELECT {'c d': {'e f': 1}} AS "a b") t`, 'struct literals'],
  ['SELECT tags[id] AS v FROM docs', 'this subscript'],
  ['SELECT tags[id + 1] AS v FROM docs', 'this subscript'],
  ['SELECT tags[-1] AS v FROM docs', 'this subscript'],
  ['SELECT tags[1:2] AS v FROM docs', 'this subscript'],
  ['SELECT 1/2 AS v, 1//2 AS w', 'the operator //'],
  ['SELECT id FROM nums WHERE a = ANY (ARRAY[1, 2])', 'ANY of a list'],
  ["SELECT id FROM nums WHERE s ~ '^a'", 'the operator ~'],
  ["SELECT id FROM nums WHERE s SIMILAR TO 'a%'", 'the operator SIMILAR TO'],
  ["SELECT id FROM nums WHERE s NOT SIMILAR TO 'a%'", 'the operator SIMILAR TO'],
  ['SELECT * EXCLUDE (id) FROM t1', '* EXCLUDE'],
  ['SELECT * FROM t1 SEMI JOIN t2 ON t1.id = t2.id', 'SEMI JOIN'],
  ['SELECT * FROM t1 POSITIONAL JOIN t2', 'POSITIONAL JOIN'],
  ['SELECT * FROM t1 TABLESAMPLE (10 PERCENT)', 'TABLESAMPLE'],
  ['SELECT id FROM t1 LIMIT 50 PERCENT', 'LIMIT in percent'],
  ['FROM t1 SELECT id', 'a query that starts with FROM'],
  ['FROM t1', 'a query that starts with FROM'],
  ['SELECT id FROM t1 USING SAMPLE 1', 'USING SAMPLE'],
]);
