import type { TableScan } from '../../logical/plan.ts';
import { blockFrom, type Block } from '../block.ts';
import type { NodeWriter } from '../node-writer.ts';

/** The rows of a scan, from where they were put, under the names of its columns. */
export function writeScan(scan: TableScan, writer: NodeWriter): Block {
  const source = writer.sourceOf(scan);
  const select = scan.columns.map((column, i) => {
    const stored = source.columns[i];
    if (stored === undefined) throw new Error(`scan of ${scan.alias} has no source for ${column.name}`);
    return { name: writer.declare(column, stored.type), sql: stored.name };
  });
  if (select.every(({ name, sql }) => name === sql))
    return blockFrom(`${source.name} AS ${writer.freshAlias()}`);
  return writer.wrap(blockFrom(source.name, { select }));
}
