import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../../../../..');
const READY_TIMEOUT_MS = 60_000;

export type Environment = Readonly<Record<string, string>>;

/** One of our services in a process of its own. */
export interface ServiceProcess {
  /** As after a crash: killed without a chance to finish anything, and started again. Waits until it is ready. */
  restart(): Promise<void>;
  readonly pid: number;
  /** Sends a signal, and waits for the end; resolves with the code that it ended with. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  close(): Promise<void>;
}

/** Starts a service and waits until it is ready. @throws Error with what it printed where it ends instead */
export async function startService(entry: string, env: Environment): Promise<ServiceProcess> {
  let child = await startReady(entry, env);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const gone = once(child, 'close');
    child.kill(signal);
    await gone;
    return child.exitCode;
  };
  return {
    end,
    get pid() {
      return child.pid ?? 0;
    },
    async restart() {
      await end('SIGKILL');
      child = await startReady(entry, env);
    },
    close: async () => void (await end('SIGKILL')),
  };
}

async function startReady(entry: string, env: Environment): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(ROOT, entry)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (printed = `${printed}${chunk.toString()}`.slice(-4_000)));
  }
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (!(await isReady(env['PENSTOCK_HEALTH_PORT'] ?? ''))) {
    const ended = child.exitCode !== null || child.signalCode !== null;
    if (!ended && Date.now() < deadline) await delay(30);
    else {
      child.kill('SIGKILL');
      throw new Error(`${entry} did not become ready: ${printed}`);
    }
  }
  return child;
}

async function isReady(port: string): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
