import { tableArn, type Place } from './accesses.ts';
import { isFields, objects, text, type Fields } from './input.ts';
import type { SizesOfTable } from './sizes/table-sizes.ts';

const FOREIGN_ARN = /"arn:aws:dynamodb:[^":]*:[^":]*:table\//g;

/**
 * Makes a control-plane answer (DescribeTable, CreateTable, …) what AWS's would be: ARNs of the account and
 * region, and sizes of the table and its indexes, which the store does not keep.
 */
export async function describeAsAws(
  body: Buffer,
  place: Place,
  sizesOf: (tableName: string) => Promise<SizesOfTable | undefined>,
): Promise<Buffer> {
  const json = body.toString('utf8').replace(FOREIGN_ARN, () => `"${tableArn(place, '')}`);
  const answer = JSON.parse(json) as Fields;
  const table = answer['Table'];
  if (!isFields(table)) return Buffer.from(json);
  const sizes = await sizesOf(text(table, 'TableName') ?? '');
  if (sizes === undefined) return Buffer.from(json);
  const withSizes = (indexes: readonly Fields[]) =>
    indexes.map((index) => {
      const size = sizes.indexes[text(index, 'IndexName') ?? ''] ?? sizes.otherIndexes;
      return size === undefined ? index : { ...index, ItemCount: size.itemCount, IndexSizeBytes: size.bytes };
    });
  const sized: Record<string, unknown> = {
    ...table,
    ItemCount: sizes.table.itemCount,
    TableSizeBytes: sizes.table.bytes,
  };
  for (const kind of ['GlobalSecondaryIndexes', 'LocalSecondaryIndexes'])
    if (table[kind] !== undefined) sized[kind] = withSizes(objects(table, kind));
  return Buffer.from(JSON.stringify({ ...answer, Table: sized }));
}
