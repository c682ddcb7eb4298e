import type { TableMetadata } from './table-metadata.ts';

/** Whose metadata: one life of one schema (a schema record has both members). */
export interface MetadataOwner {
  readonly tenantId: string;
  readonly incarnation: string;
}

/** Metadata as stored, with the revision that a conditional write needs. */
export interface StoredTable {
  readonly metadata: TableMetadata;
  /** False where an older release stored it: its global indexes are left out, and the table is to be described anew. */
  readonly isCurrent: boolean;
  readonly revision: number;
}

/** A name that is known, and since when it is described as it is. */
export interface KnownTable {
  readonly tableName: string;
  /** ISO 8601, UTC. */
  readonly describedAt: string;
}

/** Where the metadata of tables is kept. Reads are consistent. */
export interface MetadataStore {
  /** Null where the table is not known. */
  get(owner: MetadataOwner, tableName: string): Promise<StoredTable | null>;
  /** Writes where the stored revision is still this (null: where nothing is stored); false otherwise. */
  put(owner: MetadataOwner, metadata: TableMetadata, previousRevision: number | null): Promise<boolean>;
  /** True where there was something to remove. */
  remove(owner: MetadataOwner, tableName: string): Promise<boolean>;
  /** Removes everything of the owner, refresh state included. */
  removeAll(owner: MetadataOwner): Promise<void>;
  /** Every known table, by name. */
  known(owner: MetadataOwner): Promise<readonly KnownTable[]>;
}
