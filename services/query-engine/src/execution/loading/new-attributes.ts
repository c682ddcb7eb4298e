/** Attributes, and types of theirs, that a statement read and the catalog has not seen: worth telling the registry. */
import type { AttributeType, CatalogTable } from '../../catalog/table.ts';
import { TYPE_OF_CODE, type ColumnBatch } from '../../dynamodb/column-batch.ts';
import { attributesByName } from '../../catalog/attributes.ts';
import { OTHERS } from '../../catalog/others.ts';
import { toldBy } from '../../catalog/segment-relation.ts';
import type { TableRead } from '../../dynamodb/table-read.ts';
import type { MissedAttributes } from '../late-attributes.ts';

const CODES: readonly number[] = TYPE_OF_CODE.map((_, code) => code);
const codesIn = (bits: number): readonly number[] => CODES.filter((code) => (bits & (1 << code)) !== 0);
/** Types of values: NULL is none, whatever the others are. */
const VALUES = TYPE_OF_CODE.reduce(
  (bits, type, code) => (type === null || type === 'NULL' ? bits : bits | (1 << code)),
  0,
);

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
  /** What it has met so far, which is not all that it will have. */
  meet(read: TableRead, attributes: ReadonlyMap<string, number>): void;
  found(): readonly NewAttributes[];
  /** What reads of whole items met and no column of theirs has. */
  lost(): MissedAttributes;
  /** The same, of reads that have a column of all others. */
  documented(): MissedAttributes;
}

/** A column that is an attribute itself, and the types that the catalog knows of it, as bits of `1 << TypeCode`. */
interface WatchedColumn {
  readonly position: number;
  readonly name: string;
  readonly knownTypes: number;
}

const bitsOf = (types: Readonly<Partial<Record<AttributeType, number>>>): number =>
  TYPE_OF_CODE.reduce((bits, type, code) => (type !== null && type in types ? bits | (1 << code) : bits), 0);

function watchedColumns(read: TableRead): readonly WatchedColumn[] {
  const known = attributesByName(read.table.attributes);
  return read.columns.flatMap(({ path }, position) => {
    if (path.length !== 1 || path[0] === OTHERS || toldBy(read.table, path) !== null) return [];
    const name = String(path[0]);
    return [{ position, name, knownTypes: bitsOf(known.get(name)?.types ?? {}) }];
  });
}

export function watchAttributes(attributesMax: number): AttributeWatch {
  const watched = new Map<TableRead, readonly WatchedColumn[]>();
  const seen = new Map<CatalogTable, Map<string, Map<AttributeType, number>>>();
  const lost = new Map<CatalogTable, Map<string, number>>();
  const documented: typeof lost = new Map();
  const meet: AttributeWatch['meet'] = ({ table, columns }, attributes) => {
    const wanted = new Set(columns.map(({ path }) => path[0]));
    const missed = wanted.has(OTHERS) ? documented : lost;
    for (const [name, bits] of attributes) {
      if (wanted.has(name)) continue;
      const names = missed.get(table) ?? new Map<string, number>();
      missed.set(table, names.set(name, (names.get(name) ?? 0) | bits));
    }
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
      const columns = watched.get(read) ?? watchedColumns(read);
      watched.set(read, columns);
      for (const { position, name, knownTypes } of columns) {
        const vector = batch.columns[position];
        if (vector === undefined) continue;
        const newTypes = vector.typesSeen & VALUES & ~knownTypes;
        if (knownTypes === 0) count(read.table, name, vector.types);
        else if (newTypes !== 0) count(read.table, name, codesIn(newTypes));
      }
    },
    discover(read, attributes) {
      meet(read, attributes);
      for (const [name, bits] of attributes) count(read.table, name, codesIn(bits));
    },
    meet,
    lost: () => lost,
    documented: () => documented,
    found: () =>
      [...seen].map(([table, attributes]) => ({
        table,
        attributes: [...attributes].map(([name, types]) => ({ name, types })),
      })),
  };
}
