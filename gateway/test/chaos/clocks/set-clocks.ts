import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';

/** Restarts parts with clocks that are off by so much; `leaveScratch` sets them right. */
export async function setClocks(
  stack: RunningStack,
  parts: readonly string[],
  shiftMs: number,
): Promise<void> {
  const module = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts'));
  module.searchParams.set('shiftMs', String(shiftMs));
  const change = shiftMs === 0 ? undefined : { preload: module.href };
  await Promise.all(parts.map((part) => stack.restart(part, change)));
}
