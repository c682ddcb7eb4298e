import { DEGRADING } from './cases/degrading.ts';
import { EXACTNESS } from './cases/exactness.ts';
import { JOBS } from './cases/jobs.ts';
import { OVERLOAD } from './cases/overload.ts';
import { UNRECORDED } from './cases/unrecorded.ts';
import type { HandlingCase } from './modes.ts';

/** Every failure that is handled, with the test that fails when it is not. */
export const HANDLING_CASES: readonly HandlingCase[] = [
  ...EXACTNESS,
  ...UNRECORDED,
  ...JOBS,
  ...DEGRADING,
  ...OVERLOAD,
];
