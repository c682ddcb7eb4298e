import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface CannedEndpoint {
  readonly url: string;
  stop(): Promise<void>;
}

/** The canned endpoint as a process of its own, in front of the local one (which need not be up yet). */
export async function startCannedEndpoint(port: number, upstreamPort: number): Promise<CannedEndpoint> {
  const server = join(import.meta.dirname, 'server.ts');
  const child = spawn(process.execPath, [server, String(port), String(upstreamPort)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('the canned endpoint did not start');
    }),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
