/** What a statement's parameters and rows are, and who answers it. */
import type { DescribedColumn } from '../../clients/postgres-clients.ts';
import type { ResultColumn } from '../results/open-result.ts';
import { OID } from '../types/oids.ts';

export type DescribedSelect =
  | {
      readonly by: 'engine';
      readonly sql: string;
      readonly parameterOids: readonly number[];
      readonly columns: readonly ResultColumn[];
      readonly described: readonly DescribedColumn[];
      readonly searchPath: readonly string[];
      /** Parameters that were declared as text and are cast to bytes: the types by which their texts are read. */
      readonly castToBytes: ReadonlyMap<number, number>;
    }
  | {
      readonly by: 'catalog';
      readonly sql: string;
      readonly parameterOids: readonly number[];
      readonly columns: readonly ResultColumn[];
    };

export const textColumn = (name: string): ResultColumn => ({
  ...{ name, typeOid: OID.text, typeModifier: -1 },
});

/** Whether a column is of a kind that a session statement's rows have: text. */
export const engineColumns = (described: readonly DescribedColumn[]): readonly ResultColumn[] =>
  described.map(({ name, type }) => ({
    ...{ name, typeOid: type === 'interval' ? OID.text : OID[type], typeModifier: -1 },
  }));
