/** Runs the official conformance suite, which has no API: its command line, and the checks that it writes down. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CLI = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

const TIMEOUT_MS = 180_000;

/** Revisions of the protocol that the suite has a set of requirements for, one of each era. */
export type Revision = '2025-11-25' | '2026-07-28';

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly description: string;
  readonly errorMessage?: string;
}

/** Checks by scenario. */
export type Results = ReadonlyMap<string, readonly Check[]>;

/** Every scenario that a revision has for servers, required or not, as it is spoken in that revision. */
export function runServerScenarios(url: string, revision: Revision): Promise<Results> {
  return run('server', ['--url', url, '--requirements', revision]);
}

/**
 * Every scenario for authorization servers.
 *
 * @param signIn does what the person does whom the suite asks to open this URL; the suite ends where it fails
 */
export function runAuthorizationScenarios(
  options: {
    readonly issuer: string;
    readonly clientId: string;
    readonly resource: string;
    readonly callbackPort: number;
    readonly revision: Revision;
  },
  signIn: (url: string) => Promise<void>,
): Promise<Results> {
  const { issuer, clientId, resource, callbackPort, revision } = options;
  const failed = new AbortController();
  let asked = false;
  const onOutput = (text: string): void => {
    const url = /^http\S+\/authorize\?\S+(?=\s)/m.exec(text)?.[0];
    if (asked || url === undefined) return;
    asked = true;
    signIn(url).catch((error: unknown) => failed.abort(error));
  };
  const flags = ['--url', issuer, '--client-id', clientId, '--resource', resource];
  return run('authorization', [...flags, '--port', String(callbackPort), '--spec-version', revision], {
    onOutput,
    signal: failed.signal,
  });
}

interface Watch {
  /** Gets all that was printed so far. */
  readonly onOutput?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** The suite's exit code is left aside: it does not know which scenarios fit. */
async function run(
  command: 'server' | 'authorization',
  flags: readonly string[],
  watch: Watch = {},
): Promise<Results> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-conformance-'));
  try {
    const output = await runCli([command, ...flags, '--output-dir', folder], watch);
    const results = await resultsIn(folder, command);
    if (results.size === 0) throw new Error(`the conformance suite ran nothing:\n${output}`);
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runCli(args: readonly string[], { onOutput, signal: ended }: Watch): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
      ...(ended === undefined ? {} : { signal: ended }),
    });
    let output = '';
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
      onOutput?.(output);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) => {
      const cause: unknown = ended?.aborted === true ? ended.reason : error;
      reject(new Error('the conformance suite could not be run to its end', { cause }));
    });
    child.once('close', (code, signal) => {
      if (signal === null) resolve(output);
      else reject(new Error(`the conformance suite was ended by ${signal}, code ${code}:\n${output}`));
    });
  });
}

/** A folder a scenario: `server-tools-list-2026-11-21T15-00-00-000Z`, `authorization-server-…`. */
async function resultsIn(folder: string, command: 'server' | 'authorization'): Promise<Results> {
  const prefix = command === 'server' ? 'server-' : 'authorization-server-';
  const results = new Map<string, readonly Check[]>();
  for (const name of await readdir(folder)) {
    const scenario = name.slice(prefix.length).replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '');
    const checks = await readFile(join(folder, name, 'checks.json'), 'utf8');
    results.set(scenario, JSON.parse(checks) as Check[]);
  }
  return results;
}
