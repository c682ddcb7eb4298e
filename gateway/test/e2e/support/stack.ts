/**
 * Embedded stacks for the tests of a run, on free ports and data folders of their own: one that most tests share, and
 * two whose parts may be killed and changed, one file after the other. Each is started by the first that asks and ended
 * by `mochaGlobalTeardown` (see .mocharc.json); the two also when nobody has asked for them for a while, since a stack at
 * rest takes a twentieth of a core.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { StackSettings } from '../../../../deploy/local/src/stack/settings.ts';
import { startStack, type PartChange, type RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { STACK_FOLDER } from '../../lanes/logged-errors.ts';
import { setFaults } from './request-log.ts';
import { wholeAgain } from './whole-again.ts';

/** A cold start of ten processes on a busy machine. */
export const STACK_START_TIMEOUT_MS = 120_000;
/** Files that break a stack come one after the other (`lanes.ts`): who waits so long for the next waits for none. */
const UNUSED_MS_MAX = 20_000;
/** Until a part that was killed last is there again, on a busy machine. */
const HEALED_MS_MAX = 30_000;

let shared: Promise<RunningStack> | null = null;

/** The stack that most tests share: each makes tenants and accounts of its own in it. */
export function sharedStack(): Promise<RunningStack> {
  shared ??= startTestStack({ queryEngines: 2, catalogFreshMs: 500 });
  return shared;
}

/** By what decides which statements meet: with one engine, all are where the test looks. */
export type ScratchKind = 'one engine' | 'two engines';

const ENGINES: Readonly<Record<ScratchKind, number>> = { 'one engine': 1, 'two engines': 2 };

interface Scratch {
  readonly stack: RunningStack;
  /** Parts that were restarted with another environment. */
  readonly changed: Set<string>;
  /** Set while nobody has it: ends it. */
  unused?: NodeJS.Timeout;
}

const scratches = new Map<ScratchKind, Promise<Scratch>>();
/** Of those that nobody asks for any more. */
const ends = new Set<Promise<void>>();

async function startScratch(kind: ScratchKind): Promise<Scratch> {
  const stack = await startTestStack({ queryEngines: ENGINES[kind] });
  const changed = new Set<string>();
  const restart = (name: string, change?: PartChange): Promise<void> => {
    if (change === undefined) changed.delete(name);
    else changed.add(name);
    return stack.restart(name, change);
  };
  return { stack: Object.freeze({ ...stack, restart }), changed };
}

/**
 * A stack whose parts may be killed, frozen, and restarted with another environment; other files had it before, and get
 * it afterwards. The caller gives it back with `leaveScratch`.
 */
export async function scratchStack(kind: ScratchKind): Promise<RunningStack> {
  const scratch = scratches.get(kind) ?? startScratch(kind);
  scratches.set(kind, scratch);
  try {
    const { stack, unused } = await scratch;
    clearTimeout(unused);
    return stack;
  } catch (error) {
    // Whoever comes next tries again.
    scratches.delete(kind);
    throw error;
  }
}

/**
 * Gives a scratch stack back: faults and changes are undone, every part is healthy, and all have found each other.
 * @throws Error where a part is not: whoever comes next is given another stack
 */
export async function leaveScratch(stack: RunningStack | undefined): Promise<void> {
  for (const [kind, started] of scratches) {
    const scratch = await started;
    if (scratch.stack !== stack) continue;
    try {
      await setFaults(stack, []);
      await Promise.all([...scratch.changed].map((name) => stack.restart(name)));
      await stack.whenHealthy(HEALED_MS_MAX);
      await wholeAgain(stack, ENGINES[kind], HEALED_MS_MAX);
      scratch.unused = setTimeout(() => {
        scratches.delete(kind);
        ends.add(discardStack(stack));
      }, UNUSED_MS_MAX);
    } catch (error) {
      scratches.delete(kind);
      await discardStack(stack);
      throw error;
    }
  }
}

/** A stack of a test's own, where neither the shared one nor a scratch one will do. The caller stops it. */
export async function startTestStack(settings: Partial<StackSettings>): Promise<RunningStack> {
  const dataDir = settings.dataDir ?? (await mkdtemp(STACK_FOLDER));
  return startStack({
    port: 0,
    awsPort: 0,
    redisPort: 0,
    queryEngines: 1,
    rateLimitRps: 2_000,
    rateLimitBurst: 2_000,
    logLevel: 'info',
    ...settings,
    dataDir,
  });
}

/** Stops a stack and removes its data. */
export async function discardStack(stack: RunningStack): Promise<void> {
  await stack.stop();
  await rm(stack.dataDir, { recursive: true, force: true });
}

export async function mochaGlobalTeardown(): Promise<void> {
  const started = [shared, ...[...scratches.values()].map(async (scratch) => (await scratch).stack)];
  for (const one of started) {
    const stack = await one?.catch(() => null);
    if (stack != null) await discardStack(stack);
  }
  for (const scratch of scratches.values()) clearTimeout((await scratch.catch(() => null))?.unused);
  await Promise.all(ends);
}
