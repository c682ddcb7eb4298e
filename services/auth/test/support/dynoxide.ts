import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export async function startDynoxide(dataDir: string): Promise<{ url: string; close(): Promise<void> }> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const program = join(import.meta.dirname, '../../../../node_modules/@dynoxide/linux-x64/dynoxide');
  const child = spawn(program, ['serve', '--port', String(port), '--db-path', join(dataDir, 'db')], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries += 1) {
    const up = await fetch(url).then(
      () => true,
      () => false,
    );
    if (up) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    url,
    async close() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
