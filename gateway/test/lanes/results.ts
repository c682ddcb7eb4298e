/** What a lane's run came to: written by its reporter, read by whoever started it. */

export interface FailedTest {
  readonly title: string;
  readonly file: string;
  /** Message and stack, as mocha shows them. */
  readonly error: string;
}

export interface FileTiming {
  readonly file: string;
  /** In tests and hooks; what loading the file took is not in it. */
  readonly wallSeconds: number;
  /** Of mocha's process and all that it started; null where files run side by side. */
  readonly cpuSeconds: number | null;
  readonly tests: number;
}

export interface LaneResults {
  readonly passed: number;
  readonly skipped: number;
  readonly failed: readonly FailedTest[];
  readonly files: readonly FileTiming[];
}

/** Where a lane's reporter writes its results: the lane's runner sets it. */
export const RESULTS_VARIABLE = 'PENSTOCK_TEST_RESULTS';
