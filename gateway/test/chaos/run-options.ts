/** What `make chaos` and `make fuzz` take: `--minutes 5 --seed n`. */
import { parseArgs } from 'node:util';

/** @throws RangeError where one of them is no number that a run can go by */
export function runOptions(): { readonly minutes: number; readonly seed: number } {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
  });
  const minutes = Number(values.minutes);
  const seed = Number(values.seed ?? Date.now() % 2 ** 32);
  if (!(minutes > 0) || !Number.isSafeInteger(seed)) {
    throw new RangeError('--minutes must be a number above zero, and --seed a whole one');
  }
  return { minutes, seed };
}
