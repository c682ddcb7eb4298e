/** A process of its own: runs statements, each stopped after a while, and prints what each took of it, a line of JSON each. */
import { readFile, writeFile } from 'node:fs/promises';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { openOrders } from './orders.ts';
import { REPORTED, statementsOf } from './statements.ts';

const STOP_AFTER_MS = 500;

export interface Measured {
  readonly what: string;
  readonly times: number;
  /** Growth of the process at its most, MiB. */
  readonly grownMb: number;
  /** From the stop to the end; 0 where it ended by itself. */
  readonly stoppedMs: number;
  /** Code of the error that it ended in; null where it was answered. */
  readonly code: string | null;
  readonly message: string;
}

/** A figure of the process's memory (proc(5)), MiB. */
async function statusMb(name: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8');
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

const orders = await openOrders();

async function measure(what: string, times: number, sql: string): Promise<Measured> {
  await writeFile('/proc/self/clear_refs', '5');
  const before = await statusMb('VmRSS');
  const stop = new AbortController();
  let stoppedAt = Infinity;
  const timer = setTimeout(() => {
    stoppedAt = Date.now();
    stop.abort(new PenstockError('CANCELLED', 'stopped'));
  }, STOP_AFTER_MS);
  const failure = await orders.run(sql, stop.signal).then(
    () => null,
    (error: unknown) => error as PenstockError,
  );
  clearTimeout(timer);
  return {
    what,
    times,
    grownMb: Math.round((await statusMb('VmHWM')) - before),
    stoppedMs: Math.max(0, Date.now() - stoppedAt),
    code: failure?.code ?? null,
    message: failure?.message ?? '',
  };
}

await orders.run('SELECT COUNT(*), MAX(LENGTH(body)) FROM shop.orders', new AbortController().signal);
const print = (measured: Measured): void => void process.stdout.write(`${JSON.stringify(measured)}\n`);
print(await measure('the statement that was reported', 10_900, REPORTED));
for (const times of process.argv.slice(2).map(Number))
  for (const [what, sql] of statementsOf(times)) print(await measure(what, times, sql));
await orders.close();
