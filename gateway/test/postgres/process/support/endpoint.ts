/** A PostgreSQL endpoint of a test's own, in a process of its own beside a running stack's. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../../../../deploy/local/src/stack/ports.ts';
import type { RunningStack } from '../../../../../deploy/local/src/stack/stack.ts';
import { environmentOf } from '../../../e2e/sign-in/support/replicas.ts';
import { startService, type Environment } from '../../../e2e/sign-in/support/service-process.ts';

export interface Endpoint {
  readonly port: number;
  readonly pid: number;
  /** Its metrics, as text. */
  metrics(): Promise<string>;
  /** Sends a signal; resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  close(): Promise<void>;
}

export async function startEndpoint(stack: RunningStack, more: Environment = {}): Promise<Endpoint> {
  const [port = 0, health = 0] = await freePorts(2);
  const service = await startService('gateway/src/postgres/main.ts', {
    ...(await environmentOf(stack, 'postgres')),
    // As the stack starts its own.
    NODE_OPTIONS: '--max-semi-space-size=4',
    PENSTOCK_PG_PORT: String(port),
    PENSTOCK_HEALTH_PORT: String(health),
    PENSTOCK_DATA_DIR: join(stack.dataDir, `postgres-${randomUUID()}`),
    ...more,
  });
  return {
    port,
    pid: service.pid,
    metrics: async () => (await fetch(`http://127.0.0.1:${health}/metrics`)).text(),
    end: (signal) => service.end(signal),
    close: () => service.close(),
  };
}

/** A figure of a process's memory, in bytes: `VmRSS` now, `VmHWM` the most that it was. */
export async function memoryOf(pid: number, figure: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${figure}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
}
