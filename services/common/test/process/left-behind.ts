/** What work leaves behind that V8 takes for old: it goes only when the whole heap is collected, and is copied before. */
import { getHeapSpaceStatistics } from 'node:v8';
import { collector } from '../../src/process/collector.ts';

/** An object that survives two collections of the young generation is old. */
const COLLECTIONS = 3;

const oldBytes = (): number => {
  const old = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
  if (old === undefined) throw new Error('the heap has no old space');
  return old.space_used_size;
};

/** Bytes of old garbage that one run of `work` leaves, beyond what the first runs build up. */
export async function leftBehind(work: () => Promise<unknown>, times: number): Promise<number> {
  const collect = collector();
  for (let i = 0; i < times; i++) await work();
  collect({ type: 'major' });
  const before = oldBytes();
  for (let i = 0; i < times; i++) {
    await work();
    if (i % 10 === 0) collect({ type: 'minor' });
  }
  for (let i = 0; i < COLLECTIONS; i++) collect({ type: 'minor' });
  return (oldBytes() - before) / times;
}
