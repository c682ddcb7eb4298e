/**
 * Memory of bytes that only pass through a process. V8 frees buffers when it collects garbage, and is in no hurry: buffers
 * are small objects to it that point to memory elsewhere. By itself it waits until there are some tens of megabytes, and looks
 * through all of its heap then. They are young, and collecting what is young takes about a millisecond.
 */
import { collector, type Collect } from './collector.ts';

/** So many bytes pass between two collections. */
const PASSED_BYTES = 2 * 1024 * 1024;

let collect: Collect | null = null;
let passed = 0;

/** To be told of the bytes of buffers that nobody needs any more, or soon. Frees them now and then. */
export function countPassed(bytes: number): void {
  passed += bytes;
  if (passed < PASSED_BYTES) return;
  passed = 0;
  collect ??= collector();
  collect({ type: 'minor' });
}
