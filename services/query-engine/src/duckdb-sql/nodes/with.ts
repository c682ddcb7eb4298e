import type { CteScan, With } from '../../logical/plan.ts';
import { NULL_TYPE } from '../types/sql-type.ts';
import { blockFrom, type Block } from '../block.ts';
import type { NodeWriter } from '../node-writer.ts';

/** A query with its CTEs in front. */
export function writeWith(node: With, writer: NodeWriter): Block {
  const definitions = node.ctes.map((cte) => {
    const query = writer.subquery(cte.plan);
    writer.ctes.set(
      cte.id,
      query.columns.map(({ type }) => type),
    );
    return `q${cte.id} AS (${query.sql})`;
  });
  const body = writer.block(node.body);
  if (body.with === '')
    return { ...writer.selectAll(body, node.body), with: `WITH ${definitions.join(', ')}` };
  return { ...writer.selectAll(writer.wrap(body), node.body), with: `WITH ${definitions.join(', ')}` };
}

/** The rows of a CTE that a WITH around it defines. */
export function writeCteScan({ cteId, columns }: CteScan, writer: NodeWriter): Block {
  const types = writer.ctes.get(cteId) ?? [];
  const names = columns.map((column, i) => writer.declare(column, types[i] ?? NULL_TYPE));
  const list = names.length === 0 ? '' : `(${names.join(', ')})`;
  return blockFrom(`q${cteId} AS ${writer.freshAlias()}${list}`);
}
