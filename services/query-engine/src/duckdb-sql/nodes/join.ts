import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Expression } from '../../logical/expression.ts';
import type { Join } from '../../logical/plan.ts';
import { containsSubquery, usesOnlyOutputsOf, usesOutputOf } from '../../optimizer/column-use.ts';
import { blockFrom, isBare, renderBlock, type Block } from '../block.ts';
import { writeConjunct } from '../expression.ts';
import { joinsBefore, writeApart } from '../join-groups.ts';
import type { NodeWriter } from '../node-writer.ts';

/** A join. The filters of an inner one's sides go with it. */
export function writeJoin(node: Join, writer: NodeWriter): Block {
  if (node.lateral) return writeLateral(node, writer);
  let left = writer.block(node.left);
  let right = writer.block(node.right);
  const inner = node.join === 'inner' || node.join === 'cross';
  const hoist = (block: Block): { item: string; where: readonly string[] } =>
    inner && isBare(block) && block.from !== null
      ? { item: block.from, where: block.where }
      : { item: writer.item(block), where: [] };
  const on: string[] = [];
  const before = joinsBefore(node);
  for (const conjunct of node.on) {
    const hasSubquery = containsSubquery(conjunct);
    if (inner || (!hasSubquery && usesOnlyOutputsOf(conjunct, [node.left, node.right]))) {
      on.push(writeApart(conjunct, node, before, writer) ?? writeConjunct(conjunct, writer));
      continue;
    }
    // DuckDB has neither subqueries nor columns of an outer query in the condition of an outer join: what has some becomes
    // a column of the side that it is about.
    const name = writer.freshAlias();
    const value = { name, sql: writeConjunct(conjunct, writer) };
    const ofRight = usesOutputOf(conjunct, node.right);
    if (ofRight && usesOutputOf(conjunct, node.left)) throw aboutBothSides(conjunct);
    if (!hasSubquery && node.join === 'full')
      throw unsupported(
        conjunct,
        'a column of an outer query in the ON of a FULL JOIN',
        'join the two sides LEFT and RIGHT, with UNION',
      );
    if (ofRight) right = writer.withColumn(right, value);
    else left = writer.withColumn(left, value);
    on.push(name);
  }
  const [a, b] = [hoist(left), hoist(right)];
  const where = [...a.where, ...b.where];
  if (inner && on.length === 0) return blockFrom(`(${a.item} CROSS JOIN ${b.item})`, { where });
  const condition = on.length === 0 ? 'TRUE' : on.join(' AND ');
  return blockFrom(`(${a.item} ${node.join.toUpperCase()} JOIN ${b.item} ON ${condition})`, { where });
}

/** A join whose right names columns of the left: a subquery in FROM, computed for each row. */
function writeLateral(node: Join, writer: NodeWriter): Block {
  const left = writer.item(writer.block(node.left));
  const rows = renderBlock(writer.selectAll(writer.block(node.right), node.right));
  const right = `LATERAL (${rows}) ${writer.freshAlias()}`;
  if (node.join === 'left') return blockFrom(`(${left} LEFT JOIN ${right} ON TRUE)`);
  const where = node.on.map((conjunct) => writeConjunct(conjunct, writer));
  return blockFrom(`(${left} CROSS JOIN ${right})`, { where });
}

function aboutBothSides(conjunct: Expression): PenstockError {
  const what = containsSubquery(conjunct) ? 'a subquery' : 'a condition with columns of an outer query';
  const advice = 'let it refer to one of the sides, or join with it';
  return unsupported(conjunct, `${what} about both sides in the ON of an outer join`, advice);
}

function unsupported({ pos }: Expression, what: string, advice: string): PenstockError {
  const message = `Unsupported SQL: ${what}`;
  const place = pos === undefined ? '' : `at line ${pos.line}, column ${pos.column}: `;
  return new PenstockError('UNSUPPORTED_SQL', message, { detail: `${place}${message}; ${advice}` });
}
