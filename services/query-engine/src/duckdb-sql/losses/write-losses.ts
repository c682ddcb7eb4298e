/**
 * Queries that count the values which a statement takes for NULL since they are of another kind than is wanted: one for
 * each table that has such values in question, over what was read of it and passes the statement's conditions on it.
 *
 * Nothing is counted of columns whose values were all read as what is wanted; so most statements have no such query.
 */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { Expression } from '../../logical/expression.ts';
import { scalarNamed } from '../../logical/functions/list.ts';
import type { LogicalPlan, TableScan, Unnest } from '../../logical/plan.ts';
import { hasSubquery, referencesOf } from '../../logical/references.ts';
import { childrenOf } from '../../logical/visit.ts';
import { printExpression } from '../../planning/explain/print-expression.ts';
import { blockFrom, renderBlock } from '../block.ts';
import { writeConjunct, writeExpression } from '../expression.ts';
import { withinBudget } from '../plan.ts';
import type { PlanWriter } from '../plan-writer.ts';
import type { Sliced } from '../../scheduling/sliced-work.ts';
import type { SourceOf } from '../sources.ts';
import type { Typed } from '../types/sql-type.ts';
import { columnDefinitions, expanded, type ColumnDefinitions } from './column-definitions.ts';
import { conversionSites, sitesOfCondition, type ConversionSite } from './conversion-sites.ts';
import { WANTED_RULES, type Wanted } from './wanted.ts';

/** Values that may be lost, of one expression. */
export interface PossibleLoss {
  /** As warnings call it. */
  readonly shown: string;
  readonly wanted: Wanted;
  /** One value, written in the statement. */
  readonly isConstant: boolean;
}

/** A query of one row, with a count for each. */
export interface LossQuery {
  readonly sql: string;
  readonly losses: readonly PossibleLoss[];
}

/** Where values come from: a table, the elements of a list in it, or nowhere, as constants do. */
interface Origin {
  readonly scan: TableScan | null;
  readonly unnest: Unnest | null;
}

/** A site over columns of its origin. */
interface PlacedSite extends Origin {
  readonly operand: Expression;
  readonly wanted: Wanted;
  readonly guards: readonly Expression[];
}

/** Characters of an expression that a warning shows. */
const SHOWN_MAX = 60;
/** Longer queries are not made: they would cost more than the statement. */
const QUERY_LENGTH_MAX = 200_000;

const TIMES: ReadonlySet<unknown> = new Set(['date', 'time', 'timestamp', 'interval']);
const TIME_TYPES: ReadonlySet<string> = new Set(['DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMPTZ', 'INTERVAL']);

/** Whether an expression surely gives a date, a time or an interval. */
function isTime(node: Expression): boolean {
  switch (node.kind) {
    case 'Literal':
      return node.value.type === 'temporal' || node.value.type === 'interval';
    case 'Cast':
      return TIME_TYPES.has(node.sqlType);
    case 'FunctionCall':
      return TIMES.has(scalarNamed(node.name).result);
    case 'Arithmetic':
      return node.operator !== '||' && childrenOf(node).some(isTime);
    default:
      return false;
  }
}

/** Where an expression's columns come from; null where that is more than one place, or none that can be read alone. */
function originOf(roots: readonly Expression[], definitions: ColumnDefinitions): Origin | null {
  const scans = new Set<TableScan>();
  const unnests = new Set<Unnest>();
  for (const id of roots.flatMap((root) => [...referencesOf(root)])) {
    const unnest = definitions.unnests.get(id);
    const scan = definitions.scans.get(id);
    if (unnest !== undefined) unnests.add(unnest);
    else if (scan !== undefined) scans.add(scan);
    else return null;
  }
  const [scan = null] = scans;
  const [unnest = null] = unnests;
  return scans.size + unnests.size > 1 ? null : { scan, unnest };
}

/** Functions that hand on one of their arguments. */
const CHOOSES: ReadonlySet<string> = new Set(['COALESCE', 'GREATEST', 'LEAST']);

/** What an expression chooses from, each by itself; none of one that makes a value of its own. */
function choicesOf(node: Expression): readonly Expression[] {
  return node.kind === 'FunctionCall' && CHOOSES.has(node.name) ? node.arguments : [];
}

function placedSites(
  { operand, wanted, beside, guards }: ConversionSite,
  definitions: ColumnDefinitions,
): readonly PlacedSite[] {
  const isBesideTime = beside !== null && wanted === 'number' && expanded(beside, definitions).some(isTime);
  const own = guards.map((guard) => expanded(guard, definitions)[0]);
  if (own.includes(undefined)) return [];
  const meant = isBesideTime ? 'instant' : wanted;
  const place = (value: Expression): readonly PlacedSite[] => {
    const roots = [value, ...(own as Expression[])];
    if (roots.some(hasSubquery)) return [];
    const origin = originOf(roots, definitions);
    // Of several tables, each has its part.
    if (origin === null) return choicesOf(value).flatMap(place);
    return [{ ...origin, operand: value, wanted: meant, guards: own as Expression[] }];
  };
  return expanded(operand, definitions).flatMap(place);
}

/** The rows that a site's values are in. Null where they cannot be had alone. */
function rowsOf({ scan, unnest }: Origin, definitions: ColumnDefinitions): LogicalPlan | null {
  if (unnest === null) return scan;
  const [list] = expanded(unnest.list, definitions);
  const under = list === undefined || hasSubquery(list) ? null : originOf([list], definitions);
  if (list === undefined || under === null || under.scan === null) return null;
  return { ...unnest, input: under.scan, list, outer: false, ordinality: null };
}

/** Conditions that every row of interest passes, as far as they convert nothing themselves. */
function conditionsOn(scan: TableScan): readonly Expression[] {
  const columns = new Set(scan.columns.map(({ id }) => id));
  return scan.filter.filter(
    (condition) =>
      !hasSubquery(condition) &&
      sitesOfCondition(condition).length === 0 &&
      [...referencesOf(condition)].every((id) => columns.has(id)),
  );
}

function shownAs(operand: Expression, definitions: ColumnDefinitions): string {
  const isOneOfMany = new Set(definitions.scans.values()).size > 1;
  const text = printExpression(operand, ({ id, name }) => {
    const scan = definitions.scans.get(id);
    return isOneOfMany && scan !== undefined ? `${scan.alias}.${name}` : name;
  });
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

const NOTHING: LossQuery = Object.freeze({ sql: '', losses: [] });
const NO_TABLE: LogicalPlan = Object.freeze({ kind: 'Values', columns: [], rows: [[]] });

function writeQuery(
  rows: LogicalPlan | null,
  sites: readonly PlacedSite[],
  writer: PlanWriter,
  definitions: ColumnDefinitions,
): LossQuery {
  const block = rows === null ? blockFrom(null) : writer.bare(writer.block(rows));
  const select: { readonly name: string; readonly sql: string }[] = [];
  const counts: string[] = [];
  const losses = new Map<string, PossibleLoss>();
  for (const { operand, wanted, guards } of sites) {
    const shown = shownAs(operand, definitions);
    const key = JSON.stringify([wanted, shown]);
    if (losses.has(key)) continue;
    const value = writeExpression(operand, writer);
    const name = `s${select.length}`;
    const stored: Typed = { sql: name, type: value.type };
    const converted = WANTED_RULES[wanted].converted(stored);
    if (converted === null) continue;
    const under = guards.map((guard) => writeConjunct(guard, writer)).join(' AND ');
    select.push({ name, sql: under === '' ? value.sql : `CASE WHEN ${under} THEN ${value.sql} END` });
    counts.push(`count(*) FILTER (WHERE ${name} IS NOT NULL AND (${converted}) IS NULL)::DOUBLE`);
    losses.set(key, { shown, wanted, isConstant: rows === null });
  }
  if (counts.length === 0) return NOTHING;
  const conditions = rows?.kind === 'TableScan' ? conditionsOn(rows) : [];
  const where = conditions.map((condition) => writeConjunct(condition, writer));
  const values = renderBlock({ ...block, select, where: [...block.where, ...where] });
  return { sql: `SELECT ${counts.join(', ')} FROM (${values})`, losses: [...losses.values()] };
}

/** The query over one origin, of texts as long as the statement may have; none where none of its values may be lost. */
function queryOf(
  sites: readonly PlacedSite[],
  sourceOf: SourceOf,
  definitions: ColumnDefinitions,
): LossQuery | null {
  const [origin] = sites;
  if (origin === undefined) return null;
  const rows = rowsOf(origin, definitions);
  if (rows === null && (origin.scan !== null || origin.unnest !== null)) return null;
  const query = withinBudget(rows ?? NO_TABLE, sourceOf, (writer) =>
    writeQuery(rows, sites, writer, definitions),
  );
  return query.losses.length === 0 || query.sql.length > QUERY_LENGTH_MAX ? null : query;
}

/** What is not counted where it cannot be written: the statement itself says so where it is wrong. */
function orNull(write: () => LossQuery | null): LossQuery | null {
  try {
    return write();
  } catch (error) {
    if (error instanceof PenstockError) return null;
    throw error;
  }
}

/**
 * The queries for a plan over what was read; none of most plans. `plan` is the one that `sourceOf` has the scans of. Yields
 * between steps.
 */
export function* writeLosses(plan: LogicalPlan, sourceOf: SourceOf): Sliced<readonly LossQuery[]> {
  const conversions = conversionSites(plan);
  if (conversions.length === 0) return [];
  const definitions = columnDefinitions(plan);
  const byOrigin = new Map<TableScan | Unnest | null, PlacedSite[]>();
  for (const site of conversions) {
    for (const placed of placedSites(site, definitions)) {
      const origin = placed.unnest ?? placed.scan;
      byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), placed]);
    }
    yield;
  }
  const queries: LossQuery[] = [];
  for (const sites of byOrigin.values()) {
    const query = orNull(() => queryOf(sites, sourceOf, definitions));
    if (query !== null) queries.push(query);
    yield;
  }
  return queries;
}
