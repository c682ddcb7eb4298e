import type { Column, ColumnId } from '../logical/expression.ts';
import { outputColumns } from '../logical/output.ts';
import type { LogicalPlan } from '../logical/plan.ts';
import { visitPlan, type PlanVisitor } from '../logical/visit.ts';
import type { SqlType } from './types/sql-type.ts';
import { blockFrom, isBare, renderBlock, type Block, type Selected } from './block.ts';
import { limitsOf, type RowWindow } from '../logical/limits-of.ts';
import { limitText } from './limit-text.ts';
import type { NodeWriter } from './node-writer.ts';
import { writeAggregate } from './nodes/aggregate.ts';
import { writeJoin } from './nodes/join.ts';
import { writeRecursion, writeRecursionScan } from './nodes/recursion.ts';
import { writeDistinct, writeFilter, writeLimit, writeProject, writeSort } from './nodes/rows.ts';
import { writeScan } from './nodes/scan.ts';
import { writeSetOperation } from './nodes/set-operation.ts';
import { writeSeries } from './nodes/series.ts';
import { writeUnnest } from './nodes/unnest.ts';
import { writeValues } from './nodes/values.ts';
import { writeWindow } from './nodes/window.ts';
import { writeCteScan, writeWith } from './nodes/with.ts';
import { columnName, type WrittenQuery } from './scope.ts';
import { totalOrder } from './sort.ts';
import type { SourceOf } from './sources.ts';
import type { TextBudget } from './text-budget.ts';

/** Writes a plan. Each kind of node is written in `nodes/`; all share what is in scope here. */
export class PlanWriter implements NodeWriter {
  readonly sourceOf: SourceOf;
  readonly textBudget: TextBudget;
  readonly ctes = new Map<number, readonly SqlType[]>();
  readonly #types = new Map<ColumnId, SqlType>();
  #aliases = 0;

  constructor(sourceOf: SourceOf, textBudget: TextBudget) {
    this.sourceOf = sourceOf;
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
    const block = this.selectAll(this.block(plan), plan);
    return { sql: renderBlock(block), columns: this.#columnsOf(plan) };
  }

  /** The whole statement: ordered in full, cut to the rows that are wanted. */
  statement(plan: LogicalPlan, rows: RowWindow | null): WrittenQuery {
    const { input, count, offset } = limitsOf(plan);
    const block = this.ordered(this.block(input), input);
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

  declare(column: Column, type: SqlType): Selected['name'] {
    this.#types.set(column.id, type);
    return columnName(column.id);
  }

  wrap(block: Block): Block {
    return blockFrom(`(${renderBlock(block)}) ${this.freshAlias()}`);
  }

  bare(block: Block): Block {
    return isBare(block) ? block : this.wrap(block);
  }

  open(block: Block): Block {
    return block.select === null && block.with === '' ? block : this.wrap(block);
  }

  selectAll(block: Block, plan: LogicalPlan): Block {
    if (block.select !== null) return block;
    const select = outputColumns(plan).map(({ id }) => ({ name: columnName(id), sql: columnName(id) }));
    return { ...block, select };
  }

  ordered(block: Block, plan: LogicalPlan): Block {
    if (block.order.length > 0 && block.limit === '') return this.selectAll(block, plan);
    const columns = outputColumns(plan);
    const inner = block.order.length > 0 ? this.wrap(this.selectAll(block, plan)) : this.open(block);
    return this.selectAll({ ...inner, order: totalOrder([], columns, this) }, plan);
  }

  withColumn(block: Block, column: Selected): Block {
    const from = this.item(block);
    return this.wrap(blockFrom(from, { select: [{ name: '*', sql: '*' }, column] }));
  }

  item(block: Block): string {
    if (isBare(block) && block.where.length === 0 && block.from !== null) return block.from;
    return `(${renderBlock(block)}) ${this.freshAlias()}`;
  }

  readonly #visitor: PlanVisitor<Block> = {
    TableScan: (node) => writeScan(node, this),
    Values: (node) => writeValues(node, this),
    Filter: (node) => writeFilter(node, this),
    Project: (node) => writeProject(node, this),
    Join: (node) => writeJoin(node, this),
    Unnest: (node) => writeUnnest(node, this),
    Series: (node) => writeSeries(node, this),
    Aggregate: (node) => writeAggregate(node, this),
    Window: (node) => writeWindow(node, this),
    Distinct: (node) => writeDistinct(node, this),
    SetOperation: (node) => writeSetOperation(node, this),
    Sort: (node) => writeSort(node, this),
    Limit: (node) => writeLimit(node, this),
    With: (node) => writeWith(node, this),
    CteScan: (node) => writeCteScan(node, this),
    Recursion: (node) => writeRecursion(node, this),
    RecursionScan: (node) => writeRecursionScan(node, this),
  };
}
