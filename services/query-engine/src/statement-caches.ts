/**
 * What is kept of statements for the next asker. Each kind is bounded in entries and in memory: a hundred characters can
 * be a plan of megabytes (`SELECT *` of a table with thousands of attributes), and every tenant may send as many as it likes.
 */
import { boundedCache, type BoundedCache } from '@penstock/common/caching/bounded-cache.ts';
import type { TableName } from './binder/table-names.ts';
import { FINGERPRINTS_KEPT, PARSED_KEPT, PLANS_KEPT, STATEMENT_CACHE_BYTES_MAX } from './limits.ts';
import type { OptimizedStatement } from './fold-statement.ts';
import type { BoundStatement } from './logical/plan.ts';
import type { AgreedExample } from './parser/agreed-example.ts';
import type { AstQuery } from './parser/ast.ts';
import { createGenericPlans, type GenericPlans } from './planning/generic/generic-plans.ts';
import type { KeyPlaces, KeyValues } from './planning/generic/key-values.ts';
import type { PhysicalPlan } from './planning/physical-plan.ts';

/** A statement that DuckDB reads as we do. */
export interface Parsed {
  readonly query: AstQuery;
  readonly tables: readonly TableName[];
  readonly normalizedSql: string;
  /** Null where a plan of another statement can't serve it. */
  readonly keyValues: KeyValues | null;
}

/** What is known of all statements of a fingerprint. */
export interface KnownExample extends AgreedExample {
  readonly tables: readonly TableName[];
  readonly keyPlaces: KeyPlaces | null;
}

export interface KeptPlan {
  readonly plan: PhysicalPlan;
  /** Of what depends on the time, where it was planned by such values: it serves no others. */
  readonly slotValues: string | null;
}

export interface StatementCaches {
  /** By text. */
  readonly parsed: BoundedCache<Parsed>;
  /** Texts that came once, and were read by their fingerprint. */
  readonly seen: BoundedCache<true>;
  /** By fingerprint; null: of these, each statement is checked by itself. */
  readonly examples: BoundedCache<KnownExample | null>;
  /** By text, parameters, options and versions of tables. */
  readonly optimized: BoundedCache<OptimizedStatement>;
  /** The same, and the page. */
  readonly plans: BoundedCache<KeptPlan>;
  /** By the same but the parameters. */
  readonly generics: GenericPlans;
}

/** Bytes of memory, as measured with 1,600 ANDs, 99 joins, and stars of 1,600 attributes: at most, and roughly. */
const TREE_BYTES_PER_CHARACTER = 100;
const PLAN_BYTES_PER_CHARACTER = 130;
const PLAN_BYTES_PER_COLUMN = 300;

function planBytes(key: string, { columnCount }: BoundStatement): number {
  return key.length * PLAN_BYTES_PER_CHARACTER + columnCount * PLAN_BYTES_PER_COLUMN;
}

export function createStatementCaches(): StatementCaches {
  const weightMax = STATEMENT_CACHE_BYTES_MAX;
  const treeBytes = (text: string): number => text.length * TREE_BYTES_PER_CHARACTER;
  return {
    parsed: boundedCache(PARSED_KEPT, { weightMax, weightOf: treeBytes }),
    seen: boundedCache(PARSED_KEPT, { weightMax, weightOf: (text) => 2 * text.length }),
    examples: boundedCache(FINGERPRINTS_KEPT, { weightMax, weightOf: treeBytes }),
    optimized: boundedCache(PLANS_KEPT, {
      weightMax,
      // With slots, it is kept as it was bound, too.
      weightOf: (key, { statement, slots }) => planBytes(key, statement) * (slots === null ? 1 : 2),
    }),
    plans: boundedCache(PLANS_KEPT, {
      weightMax,
      weightOf: (key, { plan }) => planBytes(key, plan.statement),
    }),
    generics: createGenericPlans({ keptMax: PLANS_KEPT, bytesMax: weightMax, bytesOf: planBytes }),
  };
}
