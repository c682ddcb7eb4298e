/**
 * Columns of a walk over pages of a star: one that a page had is on all pages behind it, in its place, also where their engine
 * has not heard of it yet.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { byUtf8 } from './catalog/attributes.ts';
import type { MetAttributes } from './catalog/met-attributes.ts';
import type { AttributeType, CatalogTable } from './catalog/table.ts';
import { TYPE_OF_CODE } from './dynamodb/column-batch.ts';
import type { KeptPosition, KnownPositions } from './placed-page.ts';
import type { PhysicalPlan } from './planning/physical-plan.ts';

const isType = (type: unknown): type is AttributeType =>
  type !== null && TYPE_OF_CODE.some((one) => one === type);

/** Of each table its attributes that came after the first sample, in the order in which a star has them. */
const shape = z.array(
  z.tuple([z.string(), z.string(), z.array(z.tuple([z.string(), z.array(z.custom<AttributeType>(isType))]))]),
);

const tablesOf = ({ reads }: PhysicalPlan): readonly CatalogTable[] => [
  ...new Set(reads.map(({ table }) => table)),
];

/** What such columns depend on besides the statement. The number is that of their format. */
function scopeOf(plan: PhysicalPlan): string {
  const tables = tablesOf(plan).map(({ schemaName, tableName, access }) => [schemaName, tableName, access]);
  return createHash('sha256')
    .update(JSON.stringify(['columns', 1, tables]))
    .digest('base64url');
}

/** Those that pages before had; none where nobody knows. */
export async function columnsBefore(
  plan: PhysicalPlan,
  positions: KnownPositions | null,
): Promise<readonly MetAttributes[]> {
  if (positions === null || plan.statement.star === null || plan.page.firstRowIdx === 0) return [];
  const text = await positions.findBesides(scopeOf(plan));
  if (text === null) return [];
  try {
    return shape.parse(JSON.parse(text)).map(([schemaName, tableName, attributes]) => ({
      schemaName,
      tableName,
      // Before all that the catalog has met since.
      attributes: attributes.map(([name, types], i) => ({
        name,
        types,
        metSince: `0${String(i).padStart(4, '0')}`,
      })),
    }));
  } catch {
    return [];
  }
}

/** For the pages behind one that has columns which the catalog does not know, or did not when the walk came by. */
export function columnsToKeep(plan: PhysicalPlan): KeptPosition {
  const tables = tablesOf(plan).map(({ schemaName, tableName, attributes }) => {
    const later = attributes.flatMap(({ name, types, metSince }) =>
      metSince === undefined ? [] : [{ name, types: Object.keys(types), metSince }],
    );
    later.sort((a, b) => byUtf8(a.metSince, b.metSince) || byUtf8(a.name, b.name));
    return [schemaName, tableName, later.map(({ name, types }) => [name, types])];
  });
  return { scope: scopeOf(plan), text: JSON.stringify(tables) };
}
