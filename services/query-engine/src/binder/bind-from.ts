/** Binds FROM: tables, derived tables, CTEs, functions of rows and joins, and what they make visible by name. */
import { foldCase } from '../catalog/name-index.ts';
import { withSampledSegments } from '../catalog/segment-relation.ts';
import { comparison, conjunctsOf, expression, functionCall, literal } from '../logical/build-expression.ts';
import {
  cteScan,
  filter,
  join,
  lateralJoin,
  project,
  recursionScan,
  tableScan,
  values,
} from '../logical/build-plan.ts';
import type { Column, Expression } from '../logical/expression.ts';
import type { Join, LogicalPlan } from '../logical/plan.ts';
import { referencesInPlan } from '../logical/references.ts';
import type { AstFromItem, Identifier } from '../parser/ast.ts';
import { bindExpression } from './bind-expression.ts';
import { bindTableFunction, type JoinOver } from './bind-table-function.ts';
import type { Environment, StatementContext } from './context.ts';
import { entriesOf } from './document-entries.ts';
import { statementError } from './errors.ts';
import { leaningLeft, type AstJoin } from './leaning-joins.ts';
import { BINDER_LIMITS } from './limits.ts';
import { columnsNamed, type Candidate } from './match-names.ts';
import { resolveForJoin } from './resolve-name.ts';
import {
  columnsRelation,
  NOTHING_VISIBLE,
  onlyVisible,
  produces,
  tableRelation,
  type MergedColumn,
  type Relation,
  type TableRelation,
  type Visible,
} from './scope.ts';
import { newColumns } from './sql-arrays.ts';
import { lastNamed } from './table-names.ts';
import { sampled } from './table-sample.ts';

/** FROM, bound. The plan is made when the whole SELECT is, since naming an attribute adds a column to its scan. */
export interface BoundFrom {
  readonly visible: Visible;
  readonly plan: () => LogicalPlan;
  /** A function or LATERAL subquery that names columns of the items before it: its plan is made over theirs. */
  readonly over?: JoinOver | null;
}

type TableName = Extract<AstFromItem, { readonly kind: 'TableName' }>;
type TableFunction = Extract<AstFromItem, { readonly kind: 'TableFunction' }>;
type DerivedTable = Extract<AstFromItem, { readonly kind: 'DerivedTable' }>;

const JOINS: Readonly<Record<Exclude<AstJoin['join'], 'SEMI'>, Join['join']>> = {
  INNER: 'inner',
  LEFT: 'left',
  RIGHT: 'right',
  FULL: 'full',
  CROSS: 'cross',
};

/** A SELECT without FROM: one row of no columns. */
export const NO_FROM: BoundFrom = Object.freeze({ visible: NOTHING_VISIBLE, plan: () => values([], [[]]) });

/** `before`: what the items before it offer, which a function sees. */
export function bindFrom(
  statement: StatementContext,
  item: AstFromItem,
  environment: Environment,
  before: Visible = NOTHING_VISIBLE,
): BoundFrom {
  if (item.kind === 'Join') return bindJoin(statement, item, environment, before);
  if (item.kind === 'DerivedTable')
    return item.lateral
      ? bindLateral(statement, item, environment, before)
      : bindDerived(statement, item, environment);
  if (item.kind === 'TableFunction') {
    const entries = entriesOf(item);
    if (entries !== null) return bindLateral(statement, entries, environment, before);
    return bindFunction(statement, item, environment, before);
  }
  const cte = item.schema === null ? lastNamed(environment.ctes, item.table) : undefined;
  if (cte === undefined) return bindTable(statement, item);
  if (item.sample !== undefined)
    throw statementError('UNSUPPORTED_SQL', 'Unsupported SQL: TABLESAMPLE of what is no table', {
      sql: statement.sql,
      pos: item.sample.pos,
    });
  const columns = newColumns(statement, cte.columns);
  const scan = cte.isStep ? recursionScan : cteScan;
  return relationOf(
    statement,
    scan(cte.id, cte.name, columns),
    columns,
    item.alias ?? item.table,
    item.columnAliases,
  );
}

function bindTable(statement: StatementContext, item: TableName): BoundFrom {
  const { schema, table: identifier, index, pos } = item;
  const named = statement.table({ schema, table: identifier, index, pos });
  const table = item.sample?.method === 'SYSTEM' ? withSampledSegments(named) : named;
  const alias = item.alias ?? index ?? identifier;
  // `s.i.x` would not say of which table the index is.
  const schemaName = item.alias === null && index === null ? table.schemaName : null;
  const relation = tableRelation(table, alias, schemaName);
  const sample = item.sample === undefined ? null : sampled(statement, relation, item.sample);
  const plan = (): LogicalPlan => {
    const scan = tableScan(table, alias.name, [...relation.columns.values()], relation.uses.star);
    return sample === null ? scan : filter(scan, [sample]);
  };
  if (item.columnAliases.length === 0) return { visible: onlyVisible(relation), plan };
  return renamedTable(statement, relation, plan, item);
}

/** `t (a, b)`: the first columns of `*` get other names; the rest keep theirs. */
function renamedTable(
  statement: StatementContext,
  relation: TableRelation,
  scan: () => LogicalPlan,
  item: TableName,
): BoundFrom {
  const columns = relation.index.names.map((name) => {
    const existing = relation.columns.get(JSON.stringify([name]));
    const column = existing ?? Object.freeze({ ...statement.newColumn(name), path: Object.freeze([name]) });
    relation.columns.set(JSON.stringify([name]), column);
    return column;
  });
  return relationOf(statement, scan(), columns, relation.name, item.columnAliases);
}

function bindDerived(statement: StatementContext, item: DerivedTable, environment: Environment): BoundFrom {
  // A derived table does not see its neighbors, but it does see what lies outside the whole SELECT.
  const bound = statement.bindQuery(item.query, environment);
  return relationOf(statement, bound.plan, bound.columns, item.alias, item.columnAliases);
}

/** A derived table that sees the items before it. Where it names none of their columns, it is as any other. */
function bindLateral(
  statement: StatementContext,
  item: DerivedTable,
  environment: Environment,
  before: Visible,
): BoundFrom {
  const derived = bindDerived(statement, item, beside(before, environment));
  const rows = derived.plan();
  const isBeside = [...referencesInPlan(rows)].some((id) => produces(before, id));
  if (!isBeside) return derived;
  return {
    visible: derived.visible,
    plan: () => {
      throw statementError(
        'UNSUPPORTED_SQL',
        'Unsupported SQL: LATERAL before what it names, or in a SEMI JOIN',
        { sql: statement.sql, pos: item.pos },
        'write FROM t CROSS JOIN LATERAL (…) AS l, or WHERE EXISTS (…)',
      );
    },
    over: (left, kind, on) => {
      if (kind === 'right' || kind === 'full') throw new Error(`a lateral ${kind} join`);
      return lateralJoin(kind, left, rows, on);
    },
  };
}

/** What lies outside of a function or LATERAL subquery that sees the items before it. */
function beside(before: Visible, environment: Environment): Environment {
  if (before.relations.length === 0) return environment;
  return { ...environment, outer: { ...before, aliases: null, environment } };
}

function bindFunction(
  statement: StatementContext,
  item: TableFunction,
  environment: Environment,
  before: Visible,
): BoundFrom {
  const { columns, name, plan, over } = bindTableFunction(
    statement,
    item,
    beside(before, environment),
    before,
  );
  const { visible } = relationOf(statement, values([], []), columns, name, item.columnAliases, true);
  return { visible, plan, over };
}

/** A relation of known columns, the first of them renamed where the statement does so. */
function relationOf(
  statement: StatementContext,
  plan: LogicalPlan,
  columns: readonly Column[],
  name: Identifier | null,
  aliases: readonly Identifier[],
  isValue = false,
): BoundFrom {
  if (aliases.length > columns.length) {
    throw statementError(
      'INVALID_QUERY',
      `${name?.name ?? 'The derived table'} has ${columns.length} columns, but ${aliases.length} names are given`,
      { sql: statement.sql, pos: aliases[columns.length]?.pos },
    );
  }
  const renamed = columns.map((column, i) => ({ ...column, name: aliases[i]?.name ?? column.name }));
  return { visible: onlyVisible(columnsRelation(name, renamed, isValue)), plan: () => plan };
}

function bindJoin(
  statement: StatementContext,
  written: AstJoin,
  environment: Environment,
  before: Visible,
): BoundFrom {
  const item = leaningLeft(written);
  const left = bindFrom(statement, item.left, environment, before);
  // Rows of the right that belong to none on the left could not be made for one.
  const keepsRight = item.join === 'RIGHT' || item.join === 'FULL';
  const right = bindFrom(statement, item.right, environment, keepsRight ? NOTHING_VISIBLE : left.visible);
  checkDuplicates(statement, left.visible, right.visible);
  const side = both(left.visible, right.visible);
  if (item.join === 'SEMI') {
    return semiJoin(statement, item, left, right, environment);
  }
  const names = item.natural ? naturalNames(statement, left.visible, right.visible, item) : item.using;
  if (names.length > 0) return mergedJoin(statement, { ...item, join: item.join }, left, right, side, names);
  const on = bindCondition(statement, item, side, environment);
  const kind = JOINS[item.join];
  // `ON TRUE` leaves no conjunct: an inner join on nothing is a cross join.
  const made = kind === 'inner' && on.length === 0 ? 'cross' : kind;
  return { visible: side, plan: () => joined(made, left, right, on) };
}

function joined(
  kind: Join['join'],
  left: BoundFrom,
  right: BoundFrom,
  on: readonly Expression[],
): LogicalPlan {
  const { over = null } = right;
  return over === null ? join(kind, left.plan(), right.plan(), on) : over(left.plan(), kind, on);
}

function bindCondition(
  statement: StatementContext,
  { on }: AstJoin,
  side: Visible,
  environment: Environment,
): readonly Expression[] {
  if (on === null) return [];
  const scope = { ...side, aliases: null, environment };
  return conjunctsOf(bindExpression(on, { statement, scope, clause: 'ON', calls: null, windows: false }));
}

/** SEMI: the rows of the left for which the right has one; of the right nothing is to be seen. */
function semiJoin(
  statement: StatementContext,
  item: AstJoin,
  left: BoundFrom,
  right: BoundFrom,
  environment: Environment,
): BoundFrom {
  const { pos } = item;
  const on = [
    ...bindCondition(statement, item, both(left.visible, right.visible), environment),
    ...item.using.map((identifier) => {
      const l = resolveForJoin(statement, left.visible, identifier);
      const r = resolveForJoin(statement, right.visible, identifier);
      return comparison('=', l.expression, r.expression, identifier.pos);
    }),
  ];
  const column = statement.newColumn('found');
  const found = { column, expression: literal({ type: 'number', text: '1' }, pos) };
  const plan = (): LogicalPlan => {
    const exists = expression({ kind: 'Exists', plan: project(filter(right.plan(), on), [found]), pos });
    return filter(left.plan(), [exists]);
  };
  return { visible: left.visible, plan };
}

/** USING and NATURAL: equal columns become one, the left's unless the join may lack it. */
function mergedJoin(
  statement: StatementContext,
  item: AstJoin & { readonly join: keyof typeof JOINS },
  left: BoundFrom,
  right: BoundFrom,
  side: Visible,
  names: readonly Identifier[],
): BoundFrom {
  const merged: MergedColumn[] = [];
  const covered = new Map<Relation, Set<number>>([...side.covered].map(([r, set]) => [r, new Set(set)]));
  const dropped = new Set<MergedColumn>();
  const cover = (candidate: Candidate | null): void => {
    if (candidate?.kind === 'Merged') dropped.add(candidate.merged);
    if (candidate?.kind !== 'Column') return;
    const set = covered.get(candidate.relation) ?? new Set<number>();
    covered.set(candidate.relation, set.add(candidate.position));
  };
  const on = names.map((identifier) => {
    const l = resolveForJoin(statement, left.visible, identifier);
    const r = resolveForJoin(statement, right.visible, identifier);
    cover(l.candidate);
    cover(r.candidate);
    merged.push({ name: l.name, expression: mergedValue(item.join, l.expression, r.expression) });
    return comparison('=', l.expression, r.expression, identifier.pos);
  });
  const visible: Visible = {
    relations: side.relations,
    merged: [...merged, ...side.merged.filter((column) => !dropped.has(column))],
    shown: [...merged, ...side.shown.filter((one) => 'kind' in one || !dropped.has(one))],
    covered,
  };
  const kind = item.join === 'CROSS' ? 'inner' : JOINS[item.join];
  return { visible, plan: () => joined(kind, left, right, on) };
}

function mergedValue(kind: AstJoin['join'], left: Expression, right: Expression): Expression {
  if (kind === 'FULL') return functionCall('COALESCE', [left, right]);
  return kind === 'RIGHT' ? right : left;
}

/** Columns that both sides have, by the left's order; of tables, those that the catalog knows. */
function naturalNames(
  statement: StatementContext,
  left: Visible,
  right: Visible,
  item: AstJoin,
): readonly Identifier[] {
  const names = new Set(
    left.relations.flatMap(({ index }) => index.names).concat(left.merged.map(({ name }) => name)),
  );
  const common = [...names]
    .map((name): Identifier => ({ name, quoted: true, pos: item.pos }))
    .filter((identifier) => columnsNamed(right, identifier).length > 0);
  if (!statement.mayCompare(common.length)) {
    const message = `The NATURAL joins of the statement compare more than ${BINDER_LIMITS.naturalColumnsMax} columns`;
    const place = { sql: statement.sql, pos: item.pos };
    throw statementError('INVALID_QUERY', message, place, 'name those that are meant: JOIN … USING (…)');
  }
  return common;
}

function both(left: Visible, right: Visible): Visible {
  return {
    relations: [...left.relations, ...right.relations],
    merged: [...left.merged, ...right.merged],
    shown: [...left.shown, ...right.shown],
    covered: new Map([...left.covered, ...right.covered]),
  };
}

/** Two relations of one name could not be told apart by it. */
function checkDuplicates(statement: StatementContext, left: Visible, right: Visible): void {
  const key = (relation: Relation): string => {
    const schema = relation.kind === 'TableRelation' ? relation.schemaName : null;
    const name = relation.name?.name ?? '';
    return JSON.stringify([schema === null ? null : foldCase(schema), name]);
  };
  const taken = new Set(left.relations.filter(({ name }) => name !== null).map(key));
  const twice = right.relations.find((relation) => relation.name !== null && taken.has(key(relation)));
  if (twice === undefined || twice.name === null) return;
  throw statementError(
    'INVALID_QUERY',
    `The name ${twice.name.name} stands for two tables`,
    { sql: statement.sql, pos: twice.name.pos },
    'give one of them an alias',
  );
}
