/** A read in order that may not be enough, for people: when it is left, and for what, which costs no more than that. */
import type { OrderedTry } from '../ordered-tries.ts';
import { printRead } from './print-read.ts';

/** Lines below those of the read. */
export function printTry({ job, passing, isComplete, fallback, lookup }: OrderedTry): readonly string[] {
  const { rows } = job;
  if (passing === null && isComplete) return [];
  const enough = rows === 1 ? '1 row' : `${rows} rows`;
  const few = `it has fewer than ${enough}`;
  const far = `it is projected to cost more before ${enough} pass`;
  const when = [...(passing === null ? [] : [far]), ...(isComplete ? [] : [few])].join(', or ');
  const [head = '', ...details] = printRead(lookup?.fallback ?? fallback);
  return [`otherwise, where ${when}: ${head}`, ...details.map((line) => `  ${line}`)];
}
