/**
 * Metadata as it is stored: so that a release reads it that knows no index with several key attributes. While a new
 * release is rolled out, and after it was taken back, both read the same items.
 */
import {
  singleKey,
  type IndexKey,
  type SecondaryIndex,
  type TableMetadata,
} from '../metadata/table-metadata.ts';
import type { KeySchema } from '../metadata/table-metadata.ts';

type SingleKeyIndex = Omit<SecondaryIndex, 'key'> & { readonly key: KeySchema };

export interface StoredMetadata extends Omit<TableMetadata, 'indexes'> {
  /** Whose keys have one attribute of each kind at most. */
  readonly indexes: readonly SingleKeyIndex[];
  /** All that an older release knows of the others. */
  readonly unusedIndexes?: readonly (IndexKey & { readonly name: string })[];
  /** All of the others; absent in what an older release stored. */
  readonly multiAttributeIndexes?: readonly SecondaryIndex[];
}

export function toStoredMetadata(metadata: TableMetadata): StoredMetadata {
  const singles = metadata.indexes.flatMap((index) => {
    const key = singleKey(index.key);
    return key === null ? [] : [{ ...index, key }];
  });
  const others = metadata.indexes.filter(({ key }) => singleKey(key) === null);
  return {
    ...metadata,
    indexes: singles,
    unusedIndexes: others.map(({ name, key }) => ({ name, ...key })),
    multiAttributeIndexes: others,
  };
}

export function fromStoredMetadata(stored: StoredMetadata): TableMetadata {
  const { unusedIndexes: _unused, multiAttributeIndexes = [], indexes, ...metadata } = stored;
  // In the order of what was stored: a table's version is that of its text.
  const singles = indexes.map((index): SecondaryIndex =>
    Object.freeze({ ...index, key: indexKey(index.key) }),
  );
  const all = [...singles, ...multiAttributeIndexes.map((index) => Object.freeze(index))];
  return Object.freeze({
    ...metadata,
    indexes: Object.freeze(all.sort((a, b) => (a.name < b.name ? -1 : 1))),
  });
}

/** Whether nothing of the table's indexes was left out when it was stored: of some, an older release kept the keys only. */
export function isKnownWhole({ unusedIndexes = [], multiAttributeIndexes = [] }: StoredMetadata): boolean {
  return unusedIndexes.length === multiAttributeIndexes.length;
}

function indexKey({ partitionKey, sortKey }: KeySchema): IndexKey {
  return Object.freeze({ partitionKeys: [partitionKey], sortKeys: sortKey === null ? [] : [sortKey] });
}
