import { setFlagsFromString } from 'node:v8';

/** V8 itself waits for 400 and 3,000 calls, and for 500 after what it has learned last of a function's values. */
const EARLY = Object.freeze([
  '--invocation-count-for-maglev=50',
  '--invocation-count-for-turbofan=300',
  '--minimum-invocations-after-ic-update=50',
]);

/**
 * Has V8 optimize functions after an eighth of the calls that it waits for by itself: a request runs through much code, most
 * of it once. To be called by a process that is ready to serve. With the same flags at its start it would optimize what only
 * a start runs through, and take half as long again for it.
 */
export function optimizeEarly(): void {
  for (const flag of EARLY) setFlagsFromString(flag);
}
