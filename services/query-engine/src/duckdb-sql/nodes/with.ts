import { ctesInSteps } from '../../logical/cte-uses.ts';
import type { CteScan, With } from '../../logical/plan.ts';
import { NULL_TYPE } from '../types/sql-type.ts';
import { blockFrom, type Block } from '../block.ts';
import type { NodeWriter } from '../node-writer.ts';

/** A query with its CTEs in front. */
export function writeWith(node: With, writer: NodeWriter): Block {
  const inSteps = ctesInSteps(node);
  const definitions = node.ctes.map((cte) => {
    const query = writer.subquery(cte.plan);
    writer.ctes.set(
      cte.id,
      query.columns.map(({ type }) => type),
    );
    // What each step of a recursion names would be computed anew with each.
    const once = inSteps.has(cte.id) ? 'MATERIALIZED ' : '';
    return `q${cte.id} AS ${once}(${query.sql})`;
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
