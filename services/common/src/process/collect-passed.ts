/**
 * Memory of bytes that only pass through a process. V8 frees buffers when it collects garbage, and is in no hurry: buffers
 * are small objects to it that point to memory elsewhere. By itself it waits until there are some tens of megabytes, and looks
 * through all of its heap then. They are young, and collecting what is young takes about a millisecond.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** So many bytes pass between two collections. */
const PASSED_BYTES = 2 * 1024 * 1024;

type Collect = (options: { readonly type: 'minor' }) => void;

let collect: Collect | null = null;
let passed = 0;

function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const found = runInNewContext('gc') as Collect;
  setFlagsFromString('--no-expose-gc');
  return found;
}

/** To be told of the bytes of buffers that nobody needs any more, or soon. Frees them now and then. */
export function countPassed(bytes: number): void {
  passed += bytes;
  if (passed < PASSED_BYTES) return;
  passed = 0;
  collect ??= collector();
  collect({ type: 'minor' });
}
