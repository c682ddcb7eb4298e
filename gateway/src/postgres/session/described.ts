/** What the parameters and rows of a statement over tables are. */
import type { DescribedColumn } from '../../clients/postgres-clients.ts';
import type { ResultColumn } from '../results/open-result.ts';
import { OID } from '../types/oids.ts';

export interface DescribedSelect {
  readonly sql: string;
  readonly parameterOids: readonly number[];
  readonly columns: readonly ResultColumn[];
  readonly described: readonly DescribedColumn[];
  readonly searchPath: readonly string[];
  readonly numericModifier: number;
  /** The session's, by which it may name tables. */
  readonly database: string;
  /** Parameters that were declared as text and are cast to bytes: the types by which their texts are read. */
  readonly castToBytes: ReadonlyMap<number, number>;
}

/** A column of what the endpoint itself says, such as a plan. */
export const ownColumn = (name: string, type: 'text' | 'json'): ResultColumn => ({
  ...{ name, typeOid: OID[type], typeModifier: -1 },
});
