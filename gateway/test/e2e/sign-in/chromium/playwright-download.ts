import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const TIMEOUT_MS = 300_000;

/** `npx playwright-core install chromium`, into Playwright's own cache folder. @throws Error where it cannot be reached */
export async function downloadByPlaywright(): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('playwright-core/package.json');
  const cli = join(dirname(manifest), 'cli.js');
  await promisify(execFile)(process.execPath, [cli, 'install', 'chromium', '--no-shell'], {
    timeout: TIMEOUT_MS,
  });
}
