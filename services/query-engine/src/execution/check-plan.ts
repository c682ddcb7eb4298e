/**
 * Plan mode's check: the residual query over empty tables, so that type errors are found without reading an item.
 * Types are the catalog's, as far as the sample saw them; of what it did not see nothing is wrong.
 */
import type { Attribute, CatalogTable } from '../catalog/table.ts';
import type { ScanColumn } from '../logical/plan.ts';
import type { PhysicalPlan } from '../physical/physical-plan.ts';
import {
  BINARY,
  BOOLEAN,
  DOUBLE,
  JSON_TYPE,
  NULL_TYPE,
  TEXT,
  exactNumber,
  mixed,
  type SqlType,
} from '../physical/types/sql-type.ts';
import { commonType } from '../physical/types/common-type.ts';
import { writeResidual } from '../physical/write/plan.ts';
import type { Database } from './database.ts';
import { createEmpty } from './load-read.ts';
import { openSession } from './session.ts';
import { columnNamesOf, sourceFinder } from './sources.ts';

function attributeType(attribute: Attribute): SqlType {
  const types = Object.entries(attribute.types).filter(([, count]) => count > 0);
  return commonType(
    types.map(([type]): SqlType => {
      switch (type) {
        case 'S':
          return TEXT;
        case 'N': {
          const exact = exactNumber(Math.max(attribute.integerDigits, 1), attribute.scale);
          return exact.kind === 'double' ? mixed(DOUBLE, true) : exact;
        }
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

/** The type that a sample expects at a path; the null type where it saw nothing. */
export function expectedType(table: CatalogTable, { path }: ScanColumn): SqlType {
  let attributes = table.attributes;
  let found: Attribute | undefined;
  for (const step of path) {
    found = attributes.find(({ name }) => name === step);
    if (found === undefined) return NULL_TYPE;
    attributes = found.nested;
  }
  return found === undefined ? NULL_TYPE : attributeType(found);
}

/** Throws TYPE_ERROR where the statement's types cannot meet. */
export async function checkPlan(
  plan: PhysicalPlan,
  database: Database,
  signal: AbortSignal,
): Promise<{ readonly tookMs: number }> {
  const started = performance.now();
  const columnNames = columnNamesOf(plan.statement.plan);
  const session = await openSession(database, { signal, columnNames });
  try {
    const sources = [];
    for (const [i, read] of plan.reads.entries()) {
      const types = read.columns.map((column) => expectedType(read.table, column));
      sources.push(await createEmpty(session, `r${i}`, types));
    }
    const { sql } = writeResidual(plan.statement.plan, sourceFinder(plan, sources), null);
    await session.prepare(sql);
  } finally {
    session.close();
  }
  return { tookMs: performance.now() - started };
}
