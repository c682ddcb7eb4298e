/** What is done to the stack, each bounded in time and undone by itself. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { setFaults, type Fault } from '../e2e/support/request-log.ts';
import type { Random } from './random.ts';
import type { ChaosTenant } from './tenants.ts';

interface ChaosFault {
  readonly name: string;
  /** Resolves when it is undone, or, for a kill, done: the stack itself starts the part again. */
  readonly run: () => Promise<void>;
}

const FREEZE_MS = 1_000;
const AWS_FAULT_MS = 1_500;
/** A part that is down already is left to come back. */
const killed = (stack: RunningStack, part: string): ChaosFault => ({
  name: `kill ${part}`,
  run: async () => signal(stack, part, 'SIGKILL'),
});

const frozen = (stack: RunningStack, part: string): ChaosFault => ({
  name: `freeze ${part}`,
  run: async () => {
    const pid = stack.pid(part);
    if (pid === undefined) return;
    send(pid, 'SIGSTOP');
    // Sleeps: so long is it away.
    await pause(FREEZE_MS);
    send(pid, 'SIGCONT');
  },
});

function signal(stack: RunningStack, part: string, name: NodeJS.Signals): void {
  const pid = stack.pid(part);
  if (pid !== undefined) send(pid, name);
}

/** A process may have died since its ID was asked for. */
function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Faults of DynamoDB and STS; several may be on at once, and the endpoint knows only whole lists. */
function awsFaults(stack: RunningStack): (name: string, faults: readonly Fault[]) => ChaosFault {
  const active = new Set<readonly Fault[]>();
  const tell = (): Promise<void> => setFaults(stack, [...active].flat());
  return (name, faults) => ({
    name,
    run: async () => {
      active.add(faults);
      await tell();
      // Sleeps: so long does the fault last.
      await pause(AWS_FAULT_MS);
      active.delete(faults);
      await tell();
    },
  });
}

/** Everything that can happen to tables: the tenants' and the service's own. */
function tableFaults(stack: RunningStack, tenants: readonly ChaosTenant[]): readonly ChaosFault[] {
  const aws = awsFaults(stack);
  const customers = tenants.map(({ account }) => account.accountId);
  const each = (accounts: readonly string[], fault: Omit<Fault, 'accountId'>): readonly Fault[] =>
    accounts.map((accountId) => ({ accountId, ...fault }));
  const throttling = { error: 'ProvisionedThroughputExceededException', probability: 0.5 };
  const failing = { error: 'InternalServerError', probability: 0.3 };
  const slow = { latencyMs: 250, probability: 0.5 };
  return [
    aws('throttle customers', each(customers, throttling)),
    aws('fail customers', each(customers, failing)),
    aws('slow customers', each(customers, slow)),
    aws('slow STS', each(customers, { operation: 'AssumeRole', latencyMs: 1_000 })),
    aws('throttle control plane', each([stack.serviceAccountId], throttling)),
    aws('fail control plane', each([stack.serviceAccountId], failing)),
    aws('slow control plane', each([stack.serviceAccountId], slow)),
  ];
}

const REST = ['auth', 'schema-registry', 'schema-worker', 'usage-metering', 'usage-worker'] as const;

/** Faults by what they may cost: see `phases.ts`. */
interface FaultSets {
  /** Nothing on the way of a query dies. */
  readonly around: readonly ChaosFault[];
  readonly engines: readonly ChaosFault[];
  readonly gateway: readonly ChaosFault[];
}

export function faultSets(stack: RunningStack, tenants: readonly ChaosTenant[]): FaultSets {
  return {
    around: [
      ...['redis', ...REST].map((part) => killed(stack, part)),
      ...['redis', 'redis', ...REST].map((part) => frozen(stack, part)),
      ...tableFaults(stack, tenants),
    ],
    engines: ['query-engine-1', 'query-engine-2'].flatMap((part) => [
      killed(stack, part),
      killed(stack, part),
      frozen(stack, part),
    ]),
    gateway: [killed(stack, 'gateway'), frozen(stack, 'gateway')],
  };
}

const GAP_MS = { least: 250, spread: 700 };

/** Does one fault after the other, every one once before any comes again; several may overlap. Gives their names. */
export async function doFaults(
  faults: readonly ChaosFault[],
  random: Random,
  signalEnd: AbortSignal,
): Promise<readonly string[]> {
  const done: string[] = [];
  const running: Promise<void>[] = [];
  let bag: ChaosFault[] = [];
  while (!signalEnd.aborted) {
    if (bag.length === 0) bag = [...faults];
    const [next] = bag.splice(random.below(bag.length), 1);
    if (next === undefined) break;
    done.push(next.name);
    running.push(next.run());
    // Sleeps: the moment is what is random.
    await pause(GAP_MS.least + random.below(GAP_MS.spread));
  }
  await Promise.all(running);
  return done;
}
