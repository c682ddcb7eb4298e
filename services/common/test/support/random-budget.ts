/**
 * How much random tests do, and by which seed. In `make test` they do little, by a seed of each run's own; in the long
 * lane (`PENSTOCK_TEST_LONG=1`) all they can. The seed is printed as the run begins and stands in the tests' titles:
 * `SEED=… make test TESTS=…` repeats what a run did.
 */
import { randomInt } from 'node:crypto';

/** How many there are of something that a random test does. */
export interface RandomBudget {
  /** In `make test`. */
  readonly short: number;
  /** In the long lane. */
  readonly long: number;
  /** Of the environment: a number for a run that is longer still. */
  readonly variable?: string;
}

/** Whether this is the long lane. */
export const IS_LONG = process.env['PENSTOCK_TEST_LONG'] === '1';

const SEEDS = 2 ** 31;
const NAME = 'SEED';

/** The same in all processes of a run: mocha's workers get their environment of the process that starts them. */
function seedOfRun(): number {
  const given = process.env[NAME];
  const seed = given === undefined || given === '' ? randomInt(1, SEEDS) : Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`${NAME} is not a whole number: ${given}`);
  process.env[NAME] = String(seed);
  return seed;
}

/** Of this run: what a random test chooses, it chooses by this. */
export const SEED = seedOfRun();

/** What a title says of it. */
export const SEED_SHOWN = `${NAME}=${SEED}`;

/** So many in this run. Throws where the environment's is no positive number. */
export function budgetOf({ short, long, variable }: RandomBudget): number {
  const given = variable === undefined ? undefined : process.env[variable];
  if (given === undefined || given === '') return IS_LONG ? long : short;
  const budget = Number(given);
  if (!(budget > 0)) throw new Error(`${variable} is no positive number: ${given}`);
  return budget;
}

/** In the long lane true; in `make test` in one of so many places, and in the next run, by its seed, perhaps in others. */
export const isChosen = (parts: number, place: number): boolean => IS_LONG || (place + SEED) % parts === 0;

/** Elements in the places that are chosen. */
export const oneIn = <T>(parts: number, all: readonly T[]): readonly T[] =>
  all.filter((_, place) => isChosen(parts, place));

/** Every second element, by the same choice. */
export const everyOther = <T>(all: readonly T[]): readonly T[] => oneIn(2, all);

/** In the long lane all; in `make test` one of them, another one for each place, and in the next run, by its seed, perhaps the next. */
export function oneOf<T>(all: readonly T[], place: number): readonly T[] {
  return IS_LONG ? all : all.filter((_, i) => i === (place + SEED) % all.length);
}

/** See .mocharc.json: once a run, before its tests. */
export function mochaGlobalSetup(): void {
  process.stdout.write(`Random tests: ${SEED_SHOWN} repeats what they choose${IS_LONG ? '; long' : ''}\n`);
}
