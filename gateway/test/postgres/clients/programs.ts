/** Runs a client's own program, which prints a line for each thing that it tried. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Program } from './installed.ts';
import type { Target } from './target.ts';

export interface Tried {
  readonly name: string;
  /** Null: it went as it should. */
  readonly failure: string | null;
}

/** How a client finds the endpoint, as libpq's variables. */
export const variablesOf = ({ host, port, user, password }: Target): Record<string, string> => ({
  ...{ PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC' },
  ...{ PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password, PGDATABASE: 'penstock' },
});

/** The program's lines: `ok <name>`, `FAILED <name>: <why>`, and `done` at its end. */
export async function runProgram(
  program: Program,
  args: readonly string[],
  target: Target,
  input = '',
): Promise<readonly Tried[]> {
  const child = spawn(program.path, [...program.args, ...args], {
    env: { ...variablesOf(target), ...program.env },
  });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => err.push(bytes));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  const lines = Buffer.concat(out).toString().trimEnd().split('\n');
  const tried = lines.flatMap((line): readonly Tried[] => {
    const parts = /^(ok|FAILED) ([^:]*)(?:: (.*))?$/.exec(line);
    if (parts === null) return [];
    return [{ name: parts[2] ?? '', failure: parts[1] === 'ok' ? null : (parts[3] ?? 'no reason given') }];
  });
  if (code === 0 && lines.at(-1) === 'done') return tried;
  const said = Buffer.concat(err).toString().trim().slice(-1_000);
  return [...tried, { name: 'the program came to its end', failure: `status ${code}: ${said}` }];
}
