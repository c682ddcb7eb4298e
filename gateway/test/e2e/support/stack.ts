/**
 * One embedded stack for all e2e tests of a run, started by the first that asks, on free ports and a data folder of its
 * own; ended by `mochaGlobalTeardown` (see .mocharc.json).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StackSettings } from '../../../../deploy/local/src/stack/settings.ts';
import { startStack, type RunningStack } from '../../../../deploy/local/src/stack/stack.ts';

/** A cold start of ten processes on a busy machine. */
export const STACK_START_TIMEOUT_MS = 120_000;

let shared: Promise<RunningStack> | null = null;

/** The stack that most tests share: each makes tenants and accounts of its own in it. */
export function sharedStack(): Promise<RunningStack> {
  shared ??= startTestStack({ queryEngines: 2 });
  return shared;
}

/** A stack of a test's own, for tests that kill parts or change settings. The caller stops it. */
export async function startTestStack(settings: Partial<StackSettings>): Promise<RunningStack> {
  const dataDir = settings.dataDir ?? (await mkdtemp(join(tmpdir(), 'penstock-e2e-')));
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
  if (shared === null) return;
  const stack = await shared.catch(() => null);
  if (stack !== null) await discardStack(stack);
}
