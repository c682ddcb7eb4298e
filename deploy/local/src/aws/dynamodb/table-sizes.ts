/** Items and their size in bytes, by DynamoDB's rules for item sizes. */
export interface Size {
  readonly itemCount: number;
  readonly bytes: number;
}

export interface SizesOfTable {
  readonly table: Size;
  readonly indexes: Readonly<Record<string, Size>>;
}

/** Measures tables. */
export interface TableSizes {
  /** Sizes of a table in the store kept at `path`; undefined where they cannot be had. */
  of(path: string, tableName: string): Promise<SizesOfTable | undefined>;
  close(): Promise<void>;
}
