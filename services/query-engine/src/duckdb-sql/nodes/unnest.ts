import { UNNESTED_ELEMENTS_MAX } from '../../limits.ts';
import { outputColumns } from '../../logical/output.ts';
import type { Unnest } from '../../logical/plan.ts';
import type { Block } from '../block.ts';
import { boundedInput } from '../bounded-text.ts';
import { writeExpression } from '../expression.ts';
import { documentText } from '../json.ts';
import { quoteText } from '../literal.ts';
import type { NodeWriter } from '../node-writer.ts';
import { placed } from '../placed.ts';
import { columnName } from '../scope.ts';
import { integer, valueWithin } from '../types/sql-type.ts';

/** Digits of a place in the list of an item. */
const PLACE_DIGITS = 7;

const TOO_MANY = `error(${quoteText(`UNNEST of a list of more than ${UNNESTED_ELEMENTS_MAX} elements`)})`;

/**
 * Each row with an element of its list, in a SELECT list: a LATERAL would keep the whole list beside each of its elements.
 */
export function writeUnnest(node: Unnest, writer: NodeWriter): Block {
  const columns = outputColumns(node.input);
  const kept = columns.map(({ id }) => ({ name: columnName(id), sql: columnName(id) }));
  const [list, element, place] = [writer.freshAlias(), writer.freshAlias(), writer.freshAlias()];
  const input = writer.bare(writer.block(node.input));
  const value = placed(node.pos, () => writeExpression(node.list, writer));
  const text = placed(node.pos, () => documentText(boundedInput(value, writer.textBudget)));
  const document = writer.freshAlias();
  const read = writer.wrap({ ...input, select: [...kept, { name: document, sql: text }] });
  const isList =
    `CASE WHEN json_array_length(${document}) > ${UNNESTED_ELEMENTS_MAX} THEN ${TOO_MANY} ` +
    `WHEN json_type(${document}) = 'ARRAY' THEN ${document} END`;
  const lists = writer.wrap({ ...read, select: [...kept, { name: list, sql: isList }] });
  const orNull = (made: string): string =>
    node.outer ? `CASE WHEN json_array_length(${list}) > 0 THEN ${made} ELSE [NULL] END` : made;
  const made = [{ name: element, sql: `unnest(${orNull(`ps_elements(${list})`)})` }];
  if (node.ordinality !== null) {
    const places = `range(1, CAST(json_array_length(${list}) AS BIGINT) + 1)`;
    made.push({ name: place, sql: `unnest(${orNull(places)})` });
  }
  const rows = writer.wrap({ ...lists, select: [...kept, ...made] });
  const name = writer.declare(node.column, valueWithin(value.type));
  const select = [...kept, { name, sql: `ps_mixed_of_step(${element})` }];
  if (node.ordinality !== null)
    select.push({ name: writer.declare(node.ordinality, integer(PLACE_DIGITS)), sql: place });
  return writer.wrap({ ...rows, select });
}
