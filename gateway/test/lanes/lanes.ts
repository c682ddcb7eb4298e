/** The lanes of the suite: which files each has, and how mocha runs them. gateway/test/README.md says what belongs where. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

export type Lane = 'unit' | 'engine' | 'process' | 'stack';

export const LANES: readonly Lane[] = ['unit', 'engine', 'process', 'stack'];

const IN_ALL_PACKAGES = '{gateway,services/*,deploy/local}/test/**';

/** A file's lane is the word before `.test.ts`; a file without one starts nothing. */
const FILES: Readonly<Record<Lane, string>> = {
  unit: `${IN_ALL_PACKAGES}/!(*.engine|*.process|*.stack).test.ts`,
  engine: `${IN_ALL_PACKAGES}/*.engine.test.ts`,
  process: `${IN_ALL_PACKAGES}/*.process.test.ts`,
  stack: `${IN_ALL_PACKAGES}/*.stack.test.ts`,
};

/**
 * Files of the unit lane start nothing, so they run side by side, and one more than there are cores, since they wait at times; each
 * of the others shares one process and its stack.
 */
const FLAGS: Readonly<Record<Lane, readonly string[]>> = {
  unit: ['--parallel', '--jobs', '3'],
  engine: [],
  process: [],
  stack: [],
};

/** A file that takes more says why in a comment at its top that begins with `Takes long:`. */
export const DEAR: Readonly<
  Record<Lane, { readonly figure: 'cpuSeconds' | 'wallSeconds'; readonly max: number }>
> = {
  unit: { figure: 'wallSeconds', max: 20 },
  engine: { figure: 'cpuSeconds', max: 20 },
  process: { figure: 'wallSeconds', max: 60 },
  stack: { figure: 'wallSeconds', max: 60 },
};

/** Arguments of mocha for a lane's files, or for those given instead. */
export function mochaArguments(lane: Lane, files: readonly string[] = filesOf(lane)): readonly string[] {
  return [...FLAGS[lane], ...files];
}

/** Those that break a stack first, one after the other: it ends where nobody wants it any more. */
function filesOf(lane: Lane): readonly string[] {
  const files = globSync(FILES[lane], { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  const { true: first = [], false: others = [] } = Object.groupBy(files, (file) =>
    String(/\bscratchStack\(/.test(readFileSync(join(ROOT, file), 'utf8'))),
  );
  return [...first, ...others];
}
