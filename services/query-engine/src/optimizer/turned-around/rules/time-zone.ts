import { constantValue } from '../../../logical/constant-value.ts';
import { HOUR, instantOf } from '../instant.ts';
import type { TurnAroundRule } from '../rule.ts';
import { comparedBetween } from '../time-bounds.ts';
import { isReadAsTime } from '../value-kind.ts';

/** No zone is further from UTC. */
const ZONE_OFFSET_MAX = 16n * HOUR;

/** `e AT TIME ZONE zone op c`: exactly of UTC; of others up to 16 hours beside it, whatever they were at the time. */
export const timeZone: TurnAroundRule = Object.freeze({
  name: 'time-zone',
  comparison({ operand, operator, value }, context) {
    if (operand.kind !== 'FunctionCall' || operand.name !== 'TIMEZONE') return null;
    const [zone, inner] = operand.arguments;
    const instant = instantOf(value);
    if (zone === undefined || inner === undefined || instant === null || !isReadAsTime(inner, context))
      return null;
    const name = constantValue(zone);
    const isUtc = name?.type === 'text' && name.value.toUpperCase() === 'UTC';
    const by = isUtc ? 0n : ZONE_OFFSET_MAX;
    return comparedBetween(inner, operator, instant - by, instant + by);
  },
} satisfies TurnAroundRule);
