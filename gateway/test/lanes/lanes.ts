/** The lanes of the suite: which files each has, and how mocha runs them. gateway/test/README.md says what belongs where. */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IS_LONG, SEED } from '../../../services/common/test/support/random-budget.ts';

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
 * of the others shares its process's stack.
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

/** Processes that share a lane's files: the engine's would end long after the others, alone on one core. */
const PROCESSES: Readonly<Record<Lane, number>> = { unit: 1, engine: 2, process: 1, stack: 1 };

/** A lane's files, by the process that runs them. */
export function partsOf(lane: Lane): readonly (readonly string[])[] {
  const files = filesOf(lane);
  return Array.from({ length: PROCESSES[lane] }, (_, process) =>
    files.filter((_file, place) => place % PROCESSES[lane] === process),
  );
}

/** Arguments of mocha for files of a lane. */
export function mochaArguments(lane: Lane, files: readonly string[]): readonly string[] {
  return [...FLAGS[lane], ...files];
}

/**
 * A lane's files. Of those whose comment at the top says `Takes turns:` and why, a run takes every second one, by its seed, and a
 * run with the next seed the others; null: all.
 *
 * Files that break a stack come first, one after the other: the stack ends where no file wants it any more.
 */
export function filesOf(lane: Lane, seed: number | null = IS_LONG ? null : SEED): readonly string[] {
  const paths = globSync(FILES[lane], { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  const files = paths.map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
  const inTurns = files.filter(({ text }) => TAKES_TURNS.test(text));
  const left = new Set(inTurns.filter((_, place) => seed !== null && (place + seed) % 2 !== 0));
  const chosen = files.filter((file) => !left.has(file));
  const [first, others] = [true, false].map((breaks) =>
    chosen.filter(({ text }) => /\bscratchStack\(/.test(text) === breaks).map(({ path }) => path),
  );
  return [...first!, ...others!];
}

const TAKES_TURNS = /^\/\*\*(?:(?!\*\/)[^])*\bTakes turns: /;
