import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CLI = join(import.meta.dirname, '../../../../services/auth/src/admin/cli.ts');

const TIMEOUT_MS = 30_000;

/**
 * Runs the admin CLI against a running stack, as an operator would, and returns what it printed.
 * @param dataDir of the stack, where the CLI finds its address and operator token
 * @throws Error with the CLI's own message
 */
export async function admin<Answer>(dataDir: string, ...args: readonly string[]): Promise<Answer> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], {
      timeout: TIMEOUT_MS,
      env: { PATH: process.env['PATH'], PENSTOCK_DATA_DIR: dataDir },
    });
    return JSON.parse(stdout) as Answer;
  } catch (error) {
    const stderr = (error as { stderr?: string }).stderr;
    throw new Error(stderr?.trim() || 'the admin CLI failed', { cause: error });
  }
}
