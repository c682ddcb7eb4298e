import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './image.ts';

const LINT_MS_MAX = 30_000;
const LINTER = join(ROOT, 'node_modules/dclint/bin/dclint.cjs');
const RULES = join(import.meta.dirname, 'dclint.json');

interface LintResult {
  readonly messages: readonly { readonly rule: string; readonly message: string; readonly line: number }[];
}

/** What is wrong with a file by the Compose Specification's schema and the linter's rules (dclint.json). */
export async function composeFaults(file: string): Promise<readonly string[]> {
  const args = [LINTER, '--config', RULES, '--formatter', 'json', file];
  const linting = promisify(execFile)(process.execPath, args, { cwd: ROOT, timeout: LINT_MS_MAX });
  // The linter exits with 1 where it finds something.
  const { stdout } = await linting.catch((error: { readonly code?: unknown; readonly stdout: string }) => {
    if (error.code === 1 && error.stdout !== '') return error;
    throw error;
  });
  const results = JSON.parse(stdout) as readonly LintResult[];
  if (results.length !== 1) throw new Error(`The linter did not read ${file}`);
  return results.flatMap(({ messages }) =>
    messages.map(({ rule, message, line }) => `line ${line}: ${message} (${rule})`),
  );
}
