/** What the processes of a stack log at the level of errors: nothing that a caller sends may bring them to it. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';

/** Twice the time that a logger waits before it writes. */
const FLUSH_MS = 150;

const PART_CHARS_MAX = 500;

export interface ErrorLines {
  /** The lines since the last call, or since the watch began. */
  take(): Promise<readonly string[]>;
}

const isError = (line: string): boolean => /"level":"(?:error|fatal)"/.test(line);

interface LoggedLine {
  readonly msg?: string;
  readonly err?: {
    readonly message?: string;
    readonly cause?: { readonly message?: string; readonly stack?: string };
  };
}

/** What the line says and why, without what is of no help. */
function shortened(line: string): string {
  try {
    const { msg, err } = JSON.parse(line) as LoggedLine;
    return [msg, err?.message, err?.cause?.message, err?.cause?.stack?.split('\n').slice(1, 4).join(' <')]
      .flatMap((part) => (part === undefined ? [] : [part.slice(0, PART_CHARS_MAX)]))
      .join(' | ');
  } catch {
    return line.slice(0, PART_CHARS_MAX);
  }
}

async function logsOf(stack: RunningStack): Promise<ReadonlyMap<string, string>> {
  const folder = join(stack.dataDir, 'logs');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

/** Watches the logs of all processes from now on. */
export async function watchErrorLines(stack: RunningStack): Promise<ErrorLines> {
  // Sleeps: loggers have written what was before.
  await sleep(FLUSH_MS);
  let seen = new Map([...(await logsOf(stack))].map(([name, text]) => [name, text.length]));
  return Object.freeze({
    async take(): Promise<readonly string[]> {
      // Sleeps: shows that no error follows; loggers write no sooner.
      await sleep(FLUSH_MS);
      const logs = await logsOf(stack);
      const lines = [...logs].flatMap(([name, text]) =>
        text
          .slice(seen.get(name) ?? 0)
          .split('\n')
          .filter(isError)
          .map((line) => `${name}: ${shortened(line)}`),
      );
      seen = new Map([...logs].map(([name, text]) => [name, text.length]));
      return lines;
    },
  });
}
