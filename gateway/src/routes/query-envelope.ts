import type { PlanResponse } from '../clients/gateway-clients.ts';
import type { QueryResult } from '../clients/run-query.ts';

const COMMA = Buffer.from(',');

/** Absent when there is nothing to say. */
const warningsOf = (warnings: readonly string[]): { warnings?: readonly string[] } =>
  warnings.length === 0 ? {} : { warnings };

/**
 * The success envelope of an executed query as chunks of JSON: the rows in between are the engine's bytes.
 *
 * @param elapsedMs from the request's receipt until now; `execTime` is never below `planTime`
 */
export function executeEnvelope(
  result: QueryResult,
  firstRowIdx: number,
  elapsedMs: number,
): readonly Uint8Array[] {
  const { header, batches, trailer } = result;
  const planTime = Math.round(trailer.planTimeMs);
  const rest = {
    columns: header.columns,
    columnTypes: header.columnTypes,
    firstRowIdx,
    ...(trailer.resumeIdx === undefined ? {} : { resumeIdx: Number(trailer.resumeIdx) }),
    planTime,
    execTime: Math.max(planTime, Math.round(elapsedMs)),
    readUnits: trailer.readUnits,
    ...warningsOf(trailer.warnings),
  };
  const rows = batches.flatMap((batch, i) => (i === 0 ? [batch] : [COMMA, batch]));
  return [
    Buffer.from('{"success":true,"data":{"data":['),
    ...rows,
    Buffer.from(`],${JSON.stringify(rest).slice(1)}}`),
  ];
}

/** Absent where the engine does not say. */
export function estimateOf({ estimatedReadUnits }: PlanResponse): {
  readonly estimatedReadUnits?: { readonly low: number; readonly high: number };
} {
  if (estimatedReadUnits === undefined) return {};
  const { low, high } = estimatedReadUnits;
  return { estimatedReadUnits: { low, high } };
}

/** `data` of a planned query. */
export function planData(plan: PlanResponse): object {
  return {
    plan: plan.plan,
    weight: plan.weight,
    ...estimateOf(plan),
    normalizedSql: plan.normalizedSql,
    planTime: Math.round(plan.planTimeMs),
    ...warningsOf(plan.warnings),
  };
}
