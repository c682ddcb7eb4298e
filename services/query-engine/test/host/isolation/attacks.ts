/** Statements that end a worker whose bounds were taken out. */
import type { LossCause } from '../../../src/host/processes/loss.ts';

export interface Attack {
  readonly what: string;
  /** Statements that differ in more than their values: the second of one kind would be refused. */
  readonly sql: (i: number) => string;
  /** What the worker is ended for; one of these. */
  readonly causes: readonly LossCause[];
  readonly codes: readonly string[];
}

export const ATTACKS: readonly Attack[] = [
  {
    what: 'a function that DuckDB cannot interrupt',
    sql: (i) => `SELECT LEVENSHTEIN(REPEAT('ab', 300000), REPEAT('ba', 300000)) AS n${i}`,
    causes: ['deadline'],
    codes: ['TIMEOUT'],
  },
  {
    what: 'a text of gigabytes',
    sql: (i) => `SELECT LENGTH(REPEAT(REPEAT('x', 60000), 60000)) AS n${i}`,
    causes: ['memory'],
    codes: ['RESOURCE_EXHAUSTED'],
  },
  {
    what: 'a parser that never comes back',
    sql: (i) => `SELECT 'hangs_the_parser' AS n${i}`,
    causes: ['stuck'],
    codes: ['RESOURCE_EXHAUSTED'],
  },
  {
    what: 'a parser that crashes',
    sql: (i) => `SELECT 'crashes_the_parser' AS n${i}`,
    causes: ['ended'],
    codes: ['UNAVAILABLE'],
  },
];
