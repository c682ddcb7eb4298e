/** Rules about times: what is made of them, and last a text key that is one. */
import type { TurnAroundRule } from './rule.ts';
import { shiftedTime } from './rules/shifted-time.ts';
import { textAsTime } from './rules/text-as-time.ts';
import { timeAsNumber } from './rules/time-as-number.ts';
import { timeCast } from './rules/time-cast.ts';
import { lastDay, timeCutDown } from './rules/time-cut-down.ts';
import { dateDifference, timeDifference } from './rules/time-difference.ts';
import { timeZone } from './rules/time-zone.ts';
import { writtenTime } from './rules/written-time.ts';
import { year } from './rules/year.ts';

export const TIME_RULES: readonly TurnAroundRule[] = Object.freeze([
  timeCast,
  timeCutDown,
  lastDay,
  year,
  shiftedTime,
  timeDifference,
  dateDifference,
  timeAsNumber,
  timeZone,
  writtenTime,
  textAsTime,
]);
