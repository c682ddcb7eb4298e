import { zoneOffset } from '@penstock/common/time/zone-offset.ts';
import { constantValue } from '../../../logical/constant-value.ts';
import type { Expression } from '../../../logical/expression.ts';
import { HOUR, instantOf, SECOND } from '../instant.ts';
import type { TurnAroundRule } from '../rule.ts';
import { comparedBetween } from '../time-bounds.ts';
import { isReadAsTime, isTime } from '../value-kind.ts';

/** No zone is further from UTC. */
const ZONE_HOURS_MAX = 16;
const FURTHEST = BigInt(ZONE_HOURS_MAX) * HOUR;
/** DuckDB's data of zones may be of another year than Node.js's: what was decided between them moved clocks by an hour. */
const OTHER_YEARS_DATA = 2n * HOUR;
/** What is known of clocks before it is still corrected, by any number of hours. */
const SETTLED_FROM = 20n * 365n * 24n * HOUR;

/** The least and the most that a zone's clocks are ahead of UTC, as near to an instant as what they show can be to it. */
function offsetsAround(zone: string, instant: bigint): readonly [least: bigint, most: bigint] {
  const hours = Array.from({ length: 2 * ZONE_HOURS_MAX + 1 }, (_, i) => i - ZONE_HOURS_MAX);
  const known = hours
    .map((hour) => zoneOffset(zone, Number(instant / SECOND) + hour * 3600))
    .filter((offset) => offset !== null);
  if (known.length === 0 || instant < SETTLED_FROM) return [-FURTHEST, FURTHEST];
  return [
    BigInt(Math.min(...known)) * SECOND - OTHER_YEARS_DATA,
    BigInt(Math.max(...known)) * SECOND + OTHER_YEARS_DATA,
  ];
}

/** Whether DuckDB takes the values for what clocks show, not for instants; null where that is not told. */
function isLocal(node: Expression): boolean | null {
  if (node.kind === 'Cast') return node.sqlType === 'TIMESTAMP';
  if (node.kind === 'FunctionCall' && node.name === 'DATE_TRUNC') return true;
  return isTime(node) ? null : false;
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** How far the value may be behind what it is compared with, and how far ahead. */
function apart(zone: string, inner: Expression, instant: bigint): readonly [behind: bigint, ahead: bigint] {
  if (zone === 'UTC') return [0n, 0n];
  const [low, high] = offsetsAround(zone, instant);
  switch (isLocal(inner)) {
    case true:
      return [low, high];
    case false:
      return [-high, -low];
    case null:
      return [least(low, -high), -least(-high, low)];
  }
}

/**
 * `e AT TIME ZONE zone op c`: of UTC exactly; of others by what their clocks are ahead about then, two hours more and less.
 */
export const timeZone: TurnAroundRule = Object.freeze({
  name: 'time-zone',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'FunctionCall' || operand.name !== 'TIMEZONE') return null;
    const [zone, inner] = operand.arguments;
    const instant = instantOf(value);
    if (zone === undefined || inner === undefined || instant === null || !isReadAsTime(inner, context))
      return null;
    const name = constantValue(zone);
    const [behind, ahead] = apart(name?.type === 'text' ? name.value.toUpperCase() : '', inner, instant);
    return comparedBetween(inner, operator, instant + behind, instant + ahead);
  },
} satisfies TurnAroundRule);
