/** EXPLAIN: the plan as the engine tells it, a line a row, or as one document. */
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import type { PlanResponse } from '../../clients/gateway-clients.ts';
import { planQuery, SQL_RULES } from '../../clients/run-query.ts';
import { DEADLINE_GRACE_MS, ROWS_MAX } from '../../limits.ts';
import { DESCRIBE_TIMEOUT_MS } from '../limits.ts';
import type { Value } from '../wire/frontend.ts';
import { toPgError } from '../errors/from-penstock.ts';
import type { ResultColumn } from '../results/open-result.ts';
import { ownColumn, type DescribedSelect } from './described.ts';
import { parametersJson } from './parameters-json.ts';
import { zoneName } from '../types/session-zone.ts';
import type { SelectParts, SelectSession } from './selects.ts';

/** The column of a plan, as PostgreSQL has it. */
export const planColumn = (format: PlanFormat): ResultColumn =>
  ownColumn('QUERY PLAN', format === 'json' ? 'json' : 'text');

export type PlanFormat = 'text' | 'json';

/** A node of a plan in PostgreSQL's JSON: the line that tells of it, what is said of it, and what it is made from. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly Plans?: readonly PlanNode[];
  readonly [said: string]: unknown;
}

const depthOf = (line: string): number => line.length - line.trimStart().length;

/** `what: as it is said`, in small letters, where a node begins with a capital. */
const SAID = /^([a-z][^:]*): (.*)$/;

/** Lines, each with those that are further in below it. */
function nodesOf(lines: readonly string[]): readonly PlanNode[] {
  const [first, ...others] = lines;
  if (first === undefined) return [];
  const next = others.findIndex((line) => depthOf(line) <= depthOf(first));
  const inner = next < 0 ? others : others.slice(0, next);
  // What is said of a node stands further in than what it is made from.
  const saidOf = (line: string): readonly [string, string] | null => {
    const [, what, how] = (depthOf(line) === depthOf(first) + 4 && SAID.exec(line.trim())) || [];
    return what === undefined || how === undefined ? null : [what, how];
  };
  const said = inner.flatMap((line) => [saidOf(line)].filter((entry) => entry !== null));
  const below = nodesOf(inner.filter((line) => saidOf(line) === null));
  const node = {
    'Node Type': first.trim(),
    ...Object.fromEntries(said),
    ...(below.length === 0 ? {} : { Plans: below }),
  };
  return [node, ...(next < 0 ? [] : nodesOf(others.slice(next)))];
}

/** As `EXPLAIN (FORMAT JSON)` answers: one document. */
function documentOf({ plan, estimatedReadUnits, warnings }: PlanResponse): string {
  const [top, ...others] = nodesOf(plan.trimEnd().split('\n'));
  const estimate =
    estimatedReadUnits === undefined
      ? {}
      : { 'Estimated Read Units': { Low: estimatedReadUnits.low, High: estimatedReadUnits.high } };
  const whole = others.length === 0 ? top : { 'Node Type': 'Query', Plans: [top, ...others] };
  return JSON.stringify([
    {
      Plan: whole,
      ...estimate,
      ...(warnings.length === 0 ? {} : { Warnings: warnings }),
    },
  ]);
}

function linesOf({ plan, estimatedReadUnits, warnings }: PlanResponse): readonly string[] {
  const estimate =
    estimatedReadUnits === undefined
      ? []
      : [`Estimated read units: ${estimatedReadUnits.low} to ${estimatedReadUnits.high}`];
  return [...plan.trimEnd().split('\n'), ...estimate, ...warnings.map((warning) => `Warning: ${warning}`)];
}

/** One request is counted, as for plan mode over REST. Rejects with PgError. */
export async function explainSelect(
  parts: SelectParts,
  select: DescribedSelect,
  format: PlanFormat,
  values: readonly Value[],
  formats: readonly number[],
  { identity, actedOn }: SelectSession,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { usage, limiter, queries } = parts;
  const { principal } = identity;
  const token = await identity.token();
  await limiter.admit(principal);
  usage.ensureAble();
  const usageId = uuidV7();
  const { tenantId } = principal;
  const request = {
    ...{
      sql: select.sql,
      maxRows: ROWS_MAX,
      timeoutMs: DESCRIBE_TIMEOUT_MS,
      searchPath: [...select.searchPath],
      ...{ rules: SQL_RULES.postgresql, database: select.database },
      timeZone: zoneName((await actedOn()).timeZone),
    },
    parametersJson: parametersJson(select, { values, formats }),
  };
  const call = {
    ...{ token, requestId: uuidV7(), signal, usageId, usage, tenantId, count: null },
    timeoutMs: DESCRIBE_TIMEOUT_MS + DEADLINE_GRACE_MS,
  };
  try {
    const plan = await planQuery(queries, request, call);
    return format === 'json' ? [documentOf(plan)] : linesOf(plan);
  } catch (error) {
    throw signal.aborted ? signal.reason : toPgError(fromConnectError(error), select.sql);
  } finally {
    await usage.recordRequest(tenantId, usageId);
  }
}
