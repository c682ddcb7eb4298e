/** EXPLAIN: the plan as the engine tells it, a line a row. */
import { fromConnectError } from '@penstock/common/rpc/error-mapping.ts';
import { uuidV7 } from '@penstock/common/ids/uuid.ts';
import type { PlanResponse } from '../../clients/gateway-clients.ts';
import { planQuery, SQL_RULES } from '../../clients/run-query.ts';
import { DEADLINE_GRACE_MS, ROWS_MAX } from '../../limits.ts';
import { DESCRIBE_TIMEOUT_MS } from '../limits.ts';
import type { Value } from '../wire/frontend.ts';
import { toPgError } from '../errors/from-penstock.ts';
import type { DescribedSelect } from './described.ts';
import { parametersJson } from './parameters-json.ts';
import type { SelectParts, SelectSession } from './selects.ts';

type EngineSelect = Extract<DescribedSelect, { by: 'engine' }>;

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
  select: EngineSelect,
  values: readonly Value[],
  formats: readonly number[],
  { identity }: SelectSession,
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
      rules: SQL_RULES.postgresql,
    },
    parametersJson: parametersJson(select, { values, formats }),
  };
  const call = {
    ...{ token, requestId: uuidV7(), signal, usageId, usage, tenantId, count: null },
    timeoutMs: DESCRIBE_TIMEOUT_MS + DEADLINE_GRACE_MS,
  };
  try {
    return linesOf(await planQuery(queries, request, call));
  } catch (error) {
    throw signal.aborted ? signal.reason : toPgError(fromConnectError(error), select.sql);
  } finally {
    await usage.recordRequest(tenantId, usageId);
  }
}
