/** Attributes that a statement read by name and the catalog has not seen: worth telling the registry. */
import type { AttributeType, CatalogTable } from '../../catalog/table.ts';
import { TYPE_OF_CODE, type ColumnBatch } from '../../dynamodb/column-batch.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';

export interface NewAttributes {
  readonly table: CatalogTable;
  readonly attributes: readonly {
    readonly name: string;
    readonly types: ReadonlyMap<AttributeType, number>;
  }[];
}

export interface AttributeWatch {
  see(read: TableRead, batch: ColumnBatch): void;
  /** What a read of whole items met: types as bits of `1 << TypeCode`. */
  discover(read: TableRead, attributes: ReadonlyMap<string, number>): void;
  found(): readonly NewAttributes[];
  /** Names that reads of whole items met and no column of theirs is, by table. */
  missed(): ReadonlyMap<CatalogTable, ReadonlySet<string>>;
}

/** Columns of a read whose attribute the catalog does not list, by position. */
function unknownColumns(read: TableRead): readonly number[] {
  const known = new Set(read.table.attributes.map(({ name }) => name));
  return read.columns.flatMap(({ path }, i) => (path.length === 1 && !known.has(String(path[0])) ? [i] : []));
}

export function watchAttributes(attributesMax: number): AttributeWatch {
  const unknown = new Map<TableRead, readonly number[]>();
  const seen = new Map<CatalogTable, Map<string, Map<AttributeType, number>>>();
  const missed = new Map<CatalogTable, Set<string>>();
  const miss = ({ table, columns }: TableRead, name: string): void => {
    if (columns.some(({ path }) => path[0] === name)) return;
    missed.set(table, (missed.get(table) ?? new Set()).add(name));
  };
  const count = (table: CatalogTable, name: string, types: Iterable<number>): void => {
    for (const code of types) {
      const type = TYPE_OF_CODE[code] ?? null;
      if (type === null) continue;
      const attributes = seen.get(table) ?? new Map<string, Map<AttributeType, number>>();
      seen.set(table, attributes);
      if (!attributes.has(name) && attributes.size >= attributesMax) return;
      const counts = attributes.get(name) ?? new Map<AttributeType, number>();
      attributes.set(name, counts);
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  };
  return {
    see(read, batch) {
      const positions = unknown.get(read) ?? unknownColumns(read);
      unknown.set(read, positions);
      for (const position of positions) {
        const vector = batch.columns[position];
        const name = read.columns[position]?.path[0];
        if (vector !== undefined && name !== undefined) count(read.table, String(name), vector.types);
      }
    },
    discover(read, attributes) {
      for (const [name, bits] of attributes) {
        miss(read, name);
        count(
          read.table,
          name,
          TYPE_OF_CODE.map((_, code) => code).filter((code) => (bits & (1 << code)) !== 0),
        );
      }
    },
    missed: () => missed,
    found: () =>
      [...seen].map(([table, attributes]) => ({
        table,
        attributes: [...attributes].map(([name, types]) => ({ name, types })),
      })),
  };
}
