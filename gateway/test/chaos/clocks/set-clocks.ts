/** Gives parts of a stack clocks that are off. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';

const RESTART_MS_MAX = 60_000;
const STEP_MS = 100;

export interface Clocks {
  /** For the settings of the stack. */
  readonly preload: Readonly<Record<string, string>>;
  /** Kills the parts, which come back with clocks that are off by this. @throws Error when one does not come back */
  set(stack: RunningStack, parts: readonly string[], shiftMs: number): Promise<void>;
  remove(): Promise<void>;
}

/** Right at first. */
export async function openClocks(parts: readonly string[]): Promise<Clocks> {
  const dir = await mkdtemp(join(tmpdir(), 'penstock-clocks-'));
  const fileOf = (part: string): string => join(dir, part);
  const urlOf = (part: string): string => {
    const url = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts'));
    url.searchParams.set('file', fileOf(part));
    return url.href;
  };
  for (const part of parts) await writeFile(fileOf(part), '0');

  async function restart(stack: RunningStack, part: string): Promise<void> {
    const killed = stack.pid(part);
    if (killed !== undefined) process.kill(killed, 'SIGKILL');
    const ready = new URL('/readyz', stack.metricsUrls[part]);
    const deadline = Date.now() + RESTART_MS_MAX;
    const isBack = async (): Promise<boolean> => stack.pid(part) !== killed && (await fetch(ready)).ok;
    while (!(await isBack().catch(() => false))) {
      if (Date.now() > deadline) throw new Error(`${part} does not come back`);
      await pause(STEP_MS);
    }
  }

  return {
    preload: Object.fromEntries(parts.map((part) => [part, urlOf(part)])),
    async set(stack, wanted, shiftMs) {
      for (const part of wanted) await writeFile(fileOf(part), String(shiftMs));
      await Promise.all(wanted.map((part) => restart(stack, part)));
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
