/** V8's garbage collector, which programs cannot call unless it is exposed. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** `minor`: what is young, about a millisecond. `major`: all of the heap, tens of milliseconds. */
export type Collect = (options: { readonly type: 'minor' | 'major' }) => void;

export function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const found = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return found;
}
