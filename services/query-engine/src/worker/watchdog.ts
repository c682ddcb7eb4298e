/**
 * A thread that ends a worker whose host is gone. The worker's own thread would see its pipe close, but a statement may
 * hold it for ever: that is what workers are for.
 */
import { kill, pid } from 'node:process';
import { workerData } from 'node:worker_threads';
import { HOST_LOOK_MS } from '../limits.ts';

const { host } = workerData as { readonly host: number };

setInterval(() => {
  // Whoever takes on orphans is the parent then.
  if (process.ppid !== host) kill(pid, 'SIGKILL');
}, HOST_LOOK_MS);
