/**
 * A thread that ends a worker whose host is gone. The worker's own thread would see its pipe close, but a statement may
 * hold it for ever: that is what workers are for.
 */
import { kill, pid } from 'node:process';
import { workerData } from 'node:worker_threads';
import { HOST_LOOK_MS } from '../limits.ts';

const { host } = workerData as { readonly host: number };

let isOrphan = false;
setInterval(() => {
  // Between two looks, the worker's own thread counts the pages that are still on their way.
  if (isOrphan) kill(pid, 'SIGKILL');
  // Whoever takes on orphans is the parent then.
  isOrphan = process.ppid !== host;
}, HOST_LOOK_MS);
