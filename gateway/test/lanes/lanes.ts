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

/** Files that a process of a lane may run. Where another one may too, whoever comes to a file first runs it (`claims.ts`). */
export type Part = readonly string[];

/**
 * A lane's files, by the processes that run them side by side. The engine's would end long after the others, alone on one core,
 * so two processes share them, and neither waits for the other's dear ones. Files that break a stack wait for most of their time,
 * while those of the stack that all share compute.
 */
export function partsOf(lane: Lane): readonly Part[] {
  const files = filesOf(lane);
  if (lane === 'engine') return [files, files];
  if (lane !== 'stack') return [files];
  const texts = files.map((file) => ({ file, text: textOf(file) }));
  const broken = STACKS_TO_BREAK.flatMap((stack) =>
    texts.flatMap(({ file, text }) => (stack.test(text) ? [file] : [])),
  );
  return [broken, files.filter((file) => !broken.includes(file))];
}

/** Files that break a stack come one after the other, by the stack they want: it ends where no file wants it any more. */
const STACKS_TO_BREAK = [/\bscratchStack\('two engines'\)/, /\bscratchStack\('one engine'\)/];

/** Arguments of mocha for files of a lane. */
export function mochaArguments(lane: Lane, files: readonly string[]): readonly string[] {
  return [...FLAGS[lane], ...files];
}

/**
 * A lane's files. Of those whose comment at the top says `Takes turns:` and why, a run takes every second one, by its seed, and a
 * run with the next seed the others; null: all.
 */
export function filesOf(lane: Lane, seed: number | null = IS_LONG ? null : SEED): readonly string[] {
  const files = globSync(FILES[lane], { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort();
  const inTurns = files.filter((file) => TAKES_TURNS.test(textOf(file)));
  const left = new Set(inTurns.filter((_, place) => seed !== null && (place + seed) % 2 !== 0));
  return files.filter((file) => !left.has(file));
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const TAKES_TURNS = /^\/\*\*(?:(?!\*\/)[^])*\bTakes turns: /;
