import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metrics } from '../telemetry/metrics.ts';

async function bytesIn(dir: string): Promise<number> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  // A segment may be gone by now: it was replayed.
  const sizes = names.map((name) =>
    stat(join(dir, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Reports how much usage lies on disk because Redis did not take it. */
export function observeSpool(metrics: Metrics, dir: string): void {
  metrics.observe(
    'penstock_usage_spool_bytes',
    'Usage on disk that Redis has not taken yet.',
    [],
    async () => [{ labels: {}, value: await bytesIn(dir) }],
  );
}
