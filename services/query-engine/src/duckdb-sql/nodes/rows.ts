/** Nodes that become a clause of the block that they are about. */
import { outputColumns } from '../../logical/output.ts';
import type { Distinct, Filter, Limit, Project, Sort } from '../../logical/plan.ts';
import type { Block } from '../block.ts';
import { writeConjunct, writeExpression } from '../expression.ts';
import { limitText } from '../limit-text.ts';
import type { NodeWriter } from '../node-writer.ts';
import { totalOrder } from '../sort.ts';

/** WHERE of the block that it is about. */
export function writeFilter(node: Filter, writer: NodeWriter): Block {
  const block = writer.bare(writer.block(node.input));
  const where = node.predicates.map((predicate) => writeConjunct(predicate, writer));
  return { ...block, where: [...block.where, ...where] };
}

/** The block's SELECT list. */
export function writeProject(node: Project, writer: NodeWriter): Block {
  const block = writer.open(writer.block(node.input));
  const select = node.columns.map(({ column, expression }) => {
    const value = writeExpression(expression, writer);
    return { name: writer.declare(column, value.type), sql: value.sql };
  });
  return { ...block, select };
}

/** DISTINCT over the whole block; DISTINCT ON keeps the first row of the block's order. */
export function writeDistinct(node: Distinct, writer: NodeWriter): Block {
  const input = writer.block(node.input);
  if (node.on === null) {
    const block = input.order.length > 0 && input.limit === '' ? { ...input, order: [] } : input;
    const whole = writer.selectAll(writer.open(block), node.input);
    return writer.wrap({ ...whole, distinct: 'DISTINCT ' });
  }
  const block = input.select === null && input.limit === '' ? input : writer.wrap(input);
  const on = node.on.map((expression) => writeExpression(expression, writer).sql);
  const order =
    block.order.length > 0 ? block.order : [...on, ...totalOrder([], outputColumns(node.input), writer)];
  return writer.selectAll({ ...block, order, distinct: `DISTINCT ON (${on.join(', ')}) ` }, node.input);
}

/** ORDER BY, made total. */
export function writeSort(node: Sort, writer: NodeWriter): Block {
  const block = writer.bare(writer.block(node.input));
  return { ...block, order: totalOrder(node.keys, outputColumns(node.input), writer) };
}

/** LIMIT and OFFSET of an ordered block. */
export function writeLimit(node: Limit, writer: NodeWriter): Block {
  const input = writer.block(node.input);
  const ordered = input.order.length > 0 && input.limit === '' ? input : writer.ordered(input, node.input);
  return { ...ordered, limit: limitText(node.count, node.offset) };
}
