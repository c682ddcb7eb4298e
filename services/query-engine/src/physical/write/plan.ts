/**
 * The residual query: a logical plan as DuckDB SQL over the tables that the reads were put into.
 *
 * Every column is named by its ID, unique in the statement, so joins need no qualifiers and correlated subqueries just
 * name the outer column. Row order is total wherever it decides anything (Sort, Limit): see `sort.ts`.
 *
 * Longer than most files: one short method for each kind of node, all on the same state.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { excludesPeers } from '../../logical/excluded-peers.ts';
import type { Column, ColumnId, Expression, WindowSpecification } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type {
  Aggregate,
  Join,
  LogicalPlan,
  SetOperation,
  TableScan,
  Values,
  Window,
  With,
} from '../../logical/plan.ts';
import { visitPlan, type PlanVisitor } from '../../logical/visit.ts';
import { containsSubquery, usesOutputOf } from '../../optimizer/column-use.ts';
import { commonType } from '../types/common-type.ts';
import { convertTo } from '../types/convert.ts';
import { NULL_TYPE, duckdbType, type SqlType } from '../types/sql-type.ts';
import { writeAggregateCall } from './aggregate.ts';
import { blockFrom, isBare, renderBlock, type Block, type Selected } from './block.ts';
import { writeConjunct, writeExpression } from './expression.ts';
import { joinsBefore, writeApart } from './join-groups.ts';
import { checkPlanningWork } from './planning-work.ts';
import { columnName, type WriteScope, type WrittenQuery } from './scope.ts';
import { combine, operandsOf } from './set-operations.ts';
import { totalOrder } from './sort.ts';
import { textBudget, WIDEST, type TextBudget } from './text-budget.ts';
import { peerPlaceColumns, writeInParts, type PeerPlaces } from './window-parts.ts';
import { writeWindowCall } from './window.ts';

/** Where a scan's rows are: a table (or view) and, for each of the scan's columns, its name there and its type. */
export interface ScanSource {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[];
  /** How many rows there are, where that is known. */
  readonly rowCount?: number;
  /** What their values take together, at most, bytes, where that is known. */
  readonly bytes?: number;
}

/** Which rows of the outermost result are wanted. */
export interface RowWindow {
  readonly offset: number;
  readonly count: number;
}

type SourceOf = (scan: TableScan) => ScanSource;

class PlanWriter implements WriteScope {
  readonly textBudget: TextBudget;
  readonly #sourceOf: SourceOf;
  readonly #types = new Map<ColumnId, SqlType>();
  readonly #ctes = new Map<number, readonly SqlType[]>();
  #aliases = 0;

  constructor(sourceOf: SourceOf, textBudget: TextBudget) {
    this.#sourceOf = sourceOf;
    this.textBudget = textBudget;
  }

  typeOf(id: ColumnId): SqlType {
    const type = this.#types.get(id);
    if (type === undefined) throw new Error(`column ${id} is not in scope`);
    return type;
  }

  freshAlias(): string {
    return `t${++this.#aliases}`;
  }

  subquery(plan: LogicalPlan): WrittenQuery {
    const block = this.#selectAll(this.block(plan), plan);
    return { sql: renderBlock(block), columns: this.#columnsOf(plan) };
  }

  /** The whole statement: ordered in full, cut to the rows that are wanted. */
  statement(plan: LogicalPlan, rows: RowWindow | null): WrittenQuery {
    const { input, count, offset } = limitsOf(plan);
    const block = this.#ordered(this.block(input), input);
    const from = offset + (rows?.offset ?? 0);
    const left = count === null ? Infinity : Math.max(count - (rows?.offset ?? 0), 0);
    const limit = Math.min(left, rows?.count ?? Infinity);
    return {
      sql: renderBlock({ ...block, limit: limitText(Number.isFinite(limit) ? limit : null, from) }),
      columns: this.#columnsOf(plan),
    };
  }

  block(plan: LogicalPlan): Block {
    return visitPlan(this.#visitor, plan);
  }

  #columnsOf(plan: LogicalPlan): WrittenQuery['columns'] {
    return outputColumns(plan).map(({ id }) => ({ id, type: this.typeOf(id) }));
  }

  #declare(column: Column, type: SqlType): Selected['name'] {
    this.#types.set(column.id, type);
    return columnName(column.id);
  }

  #wrap(block: Block): Block {
    return blockFrom(`(${renderBlock(block)}) ${this.freshAlias()}`);
  }

  #bare(block: Block): Block {
    return isBare(block) ? block : this.#wrap(block);
  }

  /** A block whose SELECT list is still open. */
  #open(block: Block): Block {
    return block.select === null && block.with === '' ? block : this.#wrap(block);
  }

  #selectAll(block: Block, plan: LogicalPlan): Block {
    if (block.select !== null) return block;
    const select = outputColumns(plan).map(({ id }) => ({ name: columnName(id), sql: columnName(id) }));
    return { ...block, select };
  }

  /** With the outermost order settled, whatever the plan itself asked for. */
  #ordered(block: Block, plan: LogicalPlan): Block {
    if (block.order.length > 0 && block.limit === '') return this.#selectAll(block, plan);
    const columns = outputColumns(plan);
    const inner = block.order.length > 0 ? this.#wrap(this.#selectAll(block, plan)) : this.#open(block);
    return this.#selectAll({ ...inner, order: totalOrder([], columns, this) }, plan);
  }

  /** With one more column. */
  #withColumn(block: Block, column: Selected): Block {
    const from = this.#item(block);
    return this.#wrap(blockFrom(from, { select: [{ name: '*', sql: '*' }, column] }));
  }

  /** As a FROM item. */
  #item(block: Block): string {
    if (isBare(block) && block.where.length === 0 && block.from !== null) return block.from;
    return `(${renderBlock(block)}) ${this.freshAlias()}`;
  }

  readonly #visitor: PlanVisitor<Block> = {
    TableScan: (scan) => this.#scan(scan),
    Values: (node) => this.#values(node),
    Filter: (node) => {
      const block = this.#bare(this.block(node.input));
      const where = node.predicates.map((predicate) => writeConjunct(predicate, this));
      return { ...block, where: [...block.where, ...where] };
    },
    Project: (node) => {
      const block = this.#open(this.block(node.input));
      const select = node.columns.map(({ column, expression }) => {
        const value = writeExpression(expression, this);
        return { name: this.#declare(column, value.type), sql: value.sql };
      });
      return { ...block, select };
    },
    Join: (node) => this.#join(node),
    Aggregate: (node) => this.#aggregate(node),
    Window: (node) => this.#window(node),
    Distinct: (node) => {
      const input = this.block(node.input);
      if (node.on === null) {
        const block = input.order.length > 0 && input.limit === '' ? { ...input, order: [] } : input;
        const whole = this.#selectAll(this.#open(block), node.input);
        return this.#wrap({ ...whole, distinct: 'DISTINCT ' });
      }
      const block = input.select === null && input.limit === '' ? input : this.#wrap(input);
      const on = node.on.map((expression) => writeExpression(expression, this).sql);
      const order =
        block.order.length > 0 ? block.order : [...on, ...totalOrder([], outputColumns(node.input), this)];
      return this.#selectAll({ ...block, order, distinct: `DISTINCT ON (${on.join(', ')}) ` }, node.input);
    },
    SetOperation: (node) => this.#setOperation(node),
    Sort: (node) => {
      const block = this.#bare(this.block(node.input));
      return { ...block, order: totalOrder(node.keys, outputColumns(node.input), this) };
    },
    Limit: (node) => {
      const input = this.block(node.input);
      const ordered = input.order.length > 0 && input.limit === '' ? input : this.#ordered(input, node.input);
      return { ...ordered, limit: limitText(node.count, node.offset) };
    },
    With: (node) => this.#with(node),
    CteScan: (node) => {
      const types = this.#ctes.get(node.cteId) ?? [];
      const names = node.columns.map((column, i) => this.#declare(column, types[i] ?? NULL_TYPE));
      const list = names.length === 0 ? '' : `(${names.join(', ')})`;
      return blockFrom(`q${node.cteId} AS ${this.freshAlias()}${list}`);
    },
  };

  #scan(scan: TableScan): Block {
    const source = this.#sourceOf(scan);
    const select = scan.columns.map((column, i) => {
      const stored = source.columns[i];
      if (stored === undefined) throw new Error(`scan of ${scan.alias} has no source for ${column.name}`);
      return { name: this.#declare(column, stored.type), sql: stored.name };
    });
    if (select.every(({ name, sql }) => name === sql))
      return blockFrom(`${source.name} AS ${this.freshAlias()}`);
    return this.#wrap(blockFrom(source.name, { select }));
  }

  #values({ columns, rows }: Values): Block {
    if (columns.length === 0) {
      const items = rows.map(() => '(0)').join(', ');
      if (rows.length === 1) return blockFrom(`(SELECT 0) ${this.freshAlias()}`);
      return blockFrom(
        rows.length === 0
          ? `(SELECT 0 WHERE FALSE) ${this.freshAlias()}`
          : `(VALUES ${items}) ${this.freshAlias()}`,
      );
    }
    const written = rows.map((row) => row.map((expression) => writeExpression(expression, this)));
    const types = columns.map((_, i) => commonType(written.map((row) => row[i]?.type ?? NULL_TYPE)));
    const names = columns.map((column, i) => this.#declare(column, types[i] ?? NULL_TYPE));
    if (rows.length === 0) {
      const nulls = names.map((name, i) => `CAST(NULL AS ${duckdbType(types[i] ?? NULL_TYPE)}) AS ${name}`);
      return blockFrom(`(SELECT ${nulls.join(', ')} WHERE FALSE) ${this.freshAlias()}`);
    }
    const items = written.map(
      (row) => `(${row.map((value, i) => convertTo(value, types[i] ?? NULL_TYPE).sql).join(', ')})`,
    );
    return blockFrom(`(VALUES ${items.join(', ')}) ${this.freshAlias()}(${names.join(', ')})`);
  }

  #join(node: Join): Block {
    let left = this.block(node.left);
    let right = this.block(node.right);
    const inner = node.join === 'inner' || node.join === 'cross';
    const hoist = (block: Block): { item: string; where: readonly string[] } =>
      inner && isBare(block) && block.from !== null
        ? { item: block.from, where: block.where }
        : { item: this.#item(block), where: [] };
    const on: string[] = [];
    const before = joinsBefore(node);
    for (const conjunct of node.on) {
      if (inner || !containsSubquery(conjunct)) {
        on.push(writeApart(conjunct, node, before, this) ?? writeConjunct(conjunct, this));
        continue;
      }
      // DuckDB has no subqueries in the condition of an outer join: it becomes a column of the side that it is about.
      const name = this.freshAlias();
      const value = { name, sql: writeConjunct(conjunct, this) };
      const ofRight = usesOutputOf(conjunct, node.right);
      if (ofRight && usesOutputOf(conjunct, node.left)) throw subqueryOfBothSides(conjunct);
      if (ofRight) right = this.#withColumn(right, value);
      else left = this.#withColumn(left, value);
      on.push(name);
    }
    const [a, b] = [hoist(left), hoist(right)];
    const where = [...a.where, ...b.where];
    if (inner && on.length === 0) return blockFrom(`(${a.item} CROSS JOIN ${b.item})`, { where });
    const condition = on.length === 0 ? 'TRUE' : on.join(' AND ');
    return blockFrom(`(${a.item} ${node.join.toUpperCase()} JOIN ${b.item} ON ${condition})`, { where });
  }

  #aggregate(node: Aggregate): Block {
    const block = this.#bare(this.block(node.input));
    const keys = node.groupBy.map(({ expression }) => writeExpression(expression, this));
    const keySql = (position: number): string => keys[position]?.sql ?? 'NULL';
    const select: Selected[] = [
      ...node.groupBy.map(({ column }, i) => ({
        name: this.#declare(column, keys[i]?.type ?? NULL_TYPE),
        sql: keySql(i),
      })),
      ...node.aggregates.map(({ column, call }) => {
        const value = writeAggregateCall(call, this);
        return { name: this.#declare(column, value.type), sql: value.sql };
      }),
      ...node.groupings.map(({ column, of }) => ({
        name: this.#declare(column, { kind: 'integer', sql: 'BIGINT', magnitude: 18 }),
        sql: `CAST(grouping(${of.map(keySql).join(', ')}) AS BIGINT)`,
      })),
    ];
    if (select.length === 0) select.push({ name: 'none', sql: 'count(*)' });
    const sets = node.groupingSets?.map((set) => `(${set.map(keySql).join(', ')})`);
    const group =
      sets !== undefined
        ? `GROUP BY GROUPING SETS (${sets.join(', ')})`
        : keys.length > 0
          ? `GROUP BY ${keys.map((key) => key.sql).join(', ')}`
          : '';
    return this.#wrap({ ...block, select, group });
  }

  #window(node: Window): Block {
    const columns = outputColumns(node.input);
    const kept = columns.map(({ id }) => ({ name: columnName(id), sql: columnName(id) }));
    const { block, placesOf } = this.#withPeerPlaces(node, columns);
    const functions = node.functions.map(({ column, call, window }) => {
      const places = placesOf.get(window);
      const value =
        places === undefined || !excludesPeers(call, window)
          ? writeWindowCall(call, window, columns, this)
          : writeInParts(call, window, places, this);
      return { name: this.#declare(column, value.type), sql: value.sql };
    });
    return this.#wrap({ ...block, select: [...kept, ...functions] });
  }

  /** The rows that windows are computed of; with their peers' places where frames leave peers out. */
  #withPeerPlaces(
    { input, functions }: Window,
    columns: readonly Column[],
  ): { readonly block: Block; readonly placesOf: ReadonlyMap<WindowSpecification, PeerPlaces> } {
    const placesOf = new Map<WindowSpecification, PeerPlaces>();
    const block = this.#bare(this.block(input));
    const added = functions.flatMap(({ call, window }) => {
      if (!excludesPeers(call, window)) return [];
      const places = { row: this.freshAlias(), firstPeer: this.freshAlias(), lastPeer: this.freshAlias() };
      placesOf.set(window, places);
      return peerPlaceColumns(places, window, columns, this);
    });
    if (added.length === 0) return { block, placesOf };
    const kept = columns.map(({ id }) => ({ name: columnName(id), sql: columnName(id) }));
    return { block: this.#wrap({ ...block, select: [...kept, ...added] }), placesOf };
  }

  #setOperation(node: SetOperation): Block {
    const operands = operandsOf(node).map((plan) => this.subquery(plan));
    const types = node.columns.map((_, i) =>
      commonType(operands.map(({ columns }) => columns[i]?.type ?? NULL_TYPE)),
    );
    const selects = operands.map(({ sql, columns }) => {
      const list = node.columns.map((column, i) => {
        const from = columns[i];
        const value = { sql: columnName(from?.id ?? -1), type: from?.type ?? NULL_TYPE };
        return `${convertTo(value, types[i] ?? NULL_TYPE).sql} AS ${columnName(column.id)}`;
      });
      return `(SELECT ${list.join(', ')} FROM (${sql}) ${this.freshAlias()})`;
    });
    node.columns.forEach((column, i) => this.#declare(column, types[i] ?? NULL_TYPE));
    return blockFrom(`(${combine(node, selects)}) ${this.freshAlias()}`);
  }

  #with(node: With): Block {
    const definitions = node.ctes.map((cte) => {
      const query = this.subquery(cte.plan);
      this.#ctes.set(
        cte.id,
        query.columns.map(({ type }) => type),
      );
      return `q${cte.id} AS (${query.sql})`;
    });
    const body = this.block(node.body);
    if (body.with === '')
      return { ...this.#selectAll(body, node.body), with: `WITH ${definitions.join(', ')}` };
    return { ...this.#selectAll(this.#wrap(body), node.body), with: `WITH ${definitions.join(', ')}` };
  }
}

function subqueryOfBothSides({ pos }: Expression): PenstockError {
  const message = 'Unsupported SQL: a subquery about both sides in the ON of an outer join';
  const place = pos === undefined ? '' : `at line ${pos.line}, column ${pos.column}: `;
  return new PenstockError('UNSUPPORTED_SQL', message, {
    detail: `${place}${message}; let the subquery refer to one of the sides, or join with it`,
  });
}

function limitText(count: number | null, offset: number): string {
  const limit = count === null ? '' : `LIMIT ${count}`;
  return [limit, offset > 0 ? `OFFSET ${offset}` : ''].filter((part) => part !== '').join(' ');
}

/**
 * The outermost Limit, taken apart, to be joined with the page's own: a Limit over a Limit is one, and neither Project
 * nor With changes how many rows there are, or their order. Only where the rest is written as one SELECT, though: in a
 * nested one, its order would be lost, and with it which rows the limit takes.
 */
export function limitsOf(plan: LogicalPlan): { input: LogicalPlan; count: number | null; offset: number } {
  if (plan.kind === 'Limit') {
    const { input, count, offset } = limitsOf(plan.input);
    const left = count === null ? null : Math.max(count - plan.offset, 0);
    const merged = left === null ? plan.count : Math.min(left, plan.count ?? Infinity);
    return { input, count: merged, offset: offset + plan.offset };
  }
  if (plan.kind === 'Project') {
    const limits = limitsOf(plan.input);
    const isOneSelect = limits.input.kind !== 'Project' && limits.input.kind !== 'With';
    if (limits.input === plan.input || !isOneSelect) return { input: plan, count: null, offset: 0 };
    return { ...limits, input: { ...plan, input: limits.input } };
  }
  if (plan.kind === 'With') {
    const limits = limitsOf(plan.body);
    if (limits.input === plan.body || limits.input.kind === 'With')
      return { input: plan, count: null, offset: 0 };
    return { ...limits, input: { ...plan, body: limits.input } };
  }
  return { input: plan, count: null, offset: 0 };
}

/** Writes a query, anew where the texts that it works on may not be as long as texts may be at most. */
function withinBudget(
  plan: LogicalPlan,
  sourceOf: SourceOf,
  write: (writer: PlanWriter) => WrittenQuery,
): WrittenQuery {
  const query = write(new PlanWriter(sourceOf, WIDEST));
  checkPlanningWork(query.sql);
  const budget = textBudget(query.sql, plan, sourceOf);
  const isWidest = budget.valueBytes >= WIDEST.valueBytes && budget.pairs >= WIDEST.pairs;
  return isWidest ? query : write(new PlanWriter(sourceOf, budget));
}

/** The residual query of a statement. Throws TYPE_ERROR where types cannot meet. */
export function writeResidual(plan: LogicalPlan, sourceOf: SourceOf, rows: RowWindow | null): WrittenQuery {
  return withinBudget(plan, sourceOf, (writer) => writer.statement(plan, rows));
}

/** A row-by-row plan (no order, no limit of its own): for one page of a read at a time. */
export function writeRowByRow(plan: LogicalPlan, sourceOf: SourceOf): WrittenQuery {
  return withinBudget(plan, sourceOf, (writer) => writer.subquery(plan));
}
