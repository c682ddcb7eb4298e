import {
  indexKeyAttributes,
  queryKey,
  type AttributeType,
  type KeySchema,
  type SecondaryIndex,
} from '../../catalog/table.ts';
import type { AccessPath } from '../table-read.ts';
import type { Condition } from './condition.ts';

/** One way to read a table, costed. */
export interface Candidate {
  readonly path: AccessPath;
  /** Null: the table itself. */
  readonly index: SecondaryIndex | null;
  /** Items that come back before any filter, and what reading them all consumes. */
  readonly items: number;
  readonly units: number;
  /** Conjuncts that the path fulfils entirely: nothing needs to check them again. */
  readonly exact: ReadonlySet<Condition>;
  /** Whether the rows come in the wanted order. */
  readonly ordered: boolean;
  /** Ranges of which rows are taken side by side, where each may have to give all that are needed; 1: one by one. */
  readonly sideBySide: number;
  readonly reason: string;
}

/** The key attributes of what a candidate reads; with those of the table, their types are certain. */
export function provenTypes(
  table: KeySchema,
  index: SecondaryIndex | null,
): ReadonlyMap<string, AttributeType> {
  const keys = [queryKey({ key: table }, null), ...(index === null ? [] : [index.key])];
  return new Map(keys.flatMap(indexKeyAttributes).map(({ name, type }) => [name, type]));
}
