/** The rules by which conditions on expressions of a key become conditions on the key. */
import type { TurnAroundRule } from './rule.ts';

export const TURN_AROUND_RULES: readonly TurnAroundRule[] = Object.freeze([]);
