/**
 * One SELECT in the making. Nodes that fit into the same SELECT are merged into it, so that chains of filters and joins
 * reach DuckDB's optimizer flat; what does not fit is wrapped as a subquery.
 */

export interface Selected {
  readonly name: string;
  readonly sql: string;
}

export interface Block {
  readonly with: string;
  /** A FROM item, or null: a SELECT without FROM. */
  readonly from: string | null;
  readonly where: readonly string[];
  /** Null: all columns of the FROM item. */
  readonly select: readonly Selected[] | null;
  readonly distinct: string;
  /** `GROUP BY …`, or empty. */
  readonly group: string;
  readonly order: readonly string[];
  readonly limit: string;
}

const EMPTY: Block = Object.freeze({
  with: '',
  from: null,
  where: [],
  select: null,
  distinct: '',
  group: '',
  order: [],
  limit: '',
});

export function blockFrom(from: string | null, fields: Partial<Block> = {}): Block {
  return { ...EMPTY, from, ...fields };
}

/** A block to which WHERE may still be added. */
export function isBare(block: Block): boolean {
  return block.select === null && block.order.length === 0 && block.limit === '' && block.with === '';
}

export function renderBlock(block: Block): string {
  const list =
    block.select === null
      ? '*'
      : block.select.length === 0
        ? '0 AS none'
        : block.select.map(({ name, sql }) => (name === sql ? sql : `${sql} AS ${name}`)).join(', ');
  return [
    block.with,
    `SELECT ${block.distinct}${list}`,
    block.from === null ? '' : `FROM ${block.from}`,
    block.where.length === 0 ? '' : `WHERE ${block.where.join(' AND ')}`,
    block.group,
    block.order.length === 0 ? '' : `ORDER BY ${block.order.join(', ')}`,
    block.limit,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
