/** Types as the catalog expects them, of columns of which no value was read: a hint, for plan mode and empty results. */
import { attributesByName } from '../../catalog/attributes.ts';
import { requiredAttributes } from '../../catalog/index-relation.ts';
import { SEGMENT_COUNT } from '@penstock/common/dynamodb/scan-segments.ts';
import { CTID_RANGE, toldBy } from '../../catalog/segment-relation.ts';
import { OTHERS } from '../../catalog/others.ts';
import type { Attribute, CatalogTable, KeyAttribute } from '../../catalog/table.ts';
import type { ScanColumn } from '../../logical/plan.ts';
import type { PhysicalPlan } from '../../planning/physical-plan.ts';
import { commonType } from '../../duckdb-sql/types/common-type.ts';
import {
  BINARY,
  BOOLEAN,
  DOUBLE,
  EXACT_DIGITS_MAX,
  JSON_TYPE,
  NULL_TYPE,
  TEXT,
  exactNumber,
  integer,
  mixed,
  type SqlType,
} from '../../duckdb-sql/types/sql-type.ts';
import type { ScanSource } from '../../duckdb-sql/sources.ts';
import { SHORT_DECIMAL_DIGITS } from './infer-column-type.ts';

/** Of numbers of so many digits. */
export function numberType({ integerDigits, scale }: Pick<Attribute, 'integerDigits' | 'scale'>): SqlType {
  const exact = exactNumber(Math.max(integerDigits, 1), scale);
  if (exact.kind === 'double') return mixed(DOUBLE, true);
  if (exact.kind !== 'decimal') return exact;
  // As wide as a column of such values is stored.
  return { ...exact, width: exact.width <= SHORT_DECIMAL_DIGITS ? SHORT_DECIMAL_DIGITS : EXACT_DIGITS_MAX };
}

function attributeType(attribute: Attribute): SqlType {
  const types = Object.entries(attribute.types).filter(([, count]) => count > 0);
  return commonType(
    types.map(([type]): SqlType => {
      switch (type) {
        case 'S':
          return TEXT;
        case 'N':
          return numberType(attribute);
        case 'BOOL':
          return BOOLEAN;
        case 'B':
          return BINARY;
        case 'NULL':
          return NULL_TYPE;
        default:
          return JSON_TYPE;
      }
    }),
  );
}

const KEY_TYPES: Readonly<Record<KeyAttribute['type'], SqlType>> = Object.freeze({
  S: TEXT,
  N: integer(1),
  B: BINARY,
});

/** Digits of the numbers that tell of a row's segment, and of its place. */
const TOLD_DIGITS = Object.freeze({
  segment: String(SEGMENT_COUNT - 1).length,
  'ctid number': String(CTID_RANGE.last).length,
});

/** The type that the key or a sample expects at a path; the null type where the sample saw nothing. */
export function expectedType(table: CatalogTable, { path }: ScanColumn): SqlType {
  if (path[0] === OTHERS) return JSON_TYPE;
  const told = toldBy(table, path);
  if (told !== null) return told === 'ctid' ? TEXT : integer(TOLD_DIGITS[told]);
  let attributes = table.attributes;
  let found: Attribute | undefined;
  for (const step of path) {
    found = typeof step === 'string' ? attributesByName(attributes).get(step) : undefined;
    if (found === undefined) break;
    attributes = found.nested;
  }
  const type = found === undefined ? NULL_TYPE : attributeType(found);
  const key = requiredAttributes(table).find(({ name }) => path.length === 1 && name === path[0]);
  return type.kind === 'null' && key !== undefined ? KEY_TYPES[key.type] : type;
}

/** The types of a read's columns, those expected in the place of those of which no value was read. */
export function orExpected(plan: PhysicalPlan, read: number, types: readonly SqlType[]): SqlType[] {
  const wanted = plan.reads[read];
  return types.map((type, i) => {
    const column = wanted?.columns[i];
    return type.kind === 'null' && wanted !== undefined && column !== undefined
      ? expectedType(wanted.table, column)
      : type;
  });
}

/** The same of everything that was loaded: to tell types by, since nothing is stored in these types. */
export function expectedSources(
  plan: PhysicalPlan,
  loaded: readonly (ScanSource | undefined)[],
): readonly (ScanSource | undefined)[] {
  return loaded.map((source, read) => {
    if (source === undefined) return undefined;
    const types = orExpected(
      plan,
      read,
      source.columns.map(({ type }) => type),
    );
    return {
      ...source,
      columns: source.columns.map((column, i) => ({ ...column, type: types[i] ?? NULL_TYPE })),
    };
  });
}

/**
 * The types to show: where no value tells a column's, the one that is expected. `expected` may throw: what cannot be is
 * no error as long as no value is concerned.
 */
export function shownTypes(
  types: readonly SqlType[],
  expected: () => readonly SqlType[],
): readonly SqlType[] {
  if (!types.some(({ kind }) => kind === 'null')) return types;
  try {
    const instead = expected();
    return types.map((type, i) => (type.kind === 'null' ? (instead[i] ?? type) : type));
  } catch {
    return types;
  }
}
