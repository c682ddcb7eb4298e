/** Ways to ask a statement, each giving its rows as texts. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { cellTokens } from '../../../../src/postgres/results/json-rows.ts';
import { streamed } from '../../../e2e/support/streamed.ts';
import { findPsql } from '../../../e2e/postgres/psql.ts';
import type { Program } from '../installed.ts';
import { variablesOf } from '../programs.ts';
import type { Target } from '../target.ts';

export type TextRow = readonly (string | null)[];

/** Rows, or the SQLSTATE (of REST: what it said) that there are none. */
export type Asked =
  | { readonly rows: readonly TextRow[]; /** Read units, where the way tells. */ readonly units?: number }
  | { readonly error: string };

export interface Way {
  readonly name: string;
  ask(sql: string): Promise<Asked>;
  close(): Promise<void>;
}

/** A value of REST, as it stands in its JSON, as PostgreSQL's text has it. */
export function textOfToken(token: string): string | null {
  if (token === 'null') return null;
  if (token === 'true' || token === 'false') return token.slice(0, 1);
  if (!token.startsWith('"')) return token;
  return JSON.parse(token) as string;
}

export function byRest(baseUrl: string, token: string): Way {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' };
  return {
    name: 'REST',
    async ask(sql) {
      const { status, body } = await streamed(`${baseUrl}/v1/query`, { sql }, headers);
      if (status !== 200) return { error: body.toString() };
      const lines = body.toString().trimEnd().split('\n');
      const end = lines.pop() ?? '';
      const told = JSON.parse(end) as { readonly readUnits?: number };
      if (told.readUnits === undefined) return { error: end };
      return { units: told.readUnits, rows: lines.map((line) => cellTokens(line).map(textOfToken)) };
    },
    close: async () => undefined,
  };
}

/** node-postgres, prepared, each value as the text that came. */
export async function byNodePostgres({ host, port, user, password }: Target): Promise<Way> {
  const types = { getTypeParser: () => (value: unknown) => value } as unknown as pg.CustomTypesConfig;
  const client = new pg.Client({ host, port, user, password, database: 'penstock', types });
  await client.connect();
  let units = 0;
  client.on('notice', ({ message = '' }) => {
    const told = /^read units: (.*)$/.exec(message)?.[1];
    if (told !== undefined) units = Number(told);
  });
  await client.query('SET client_min_messages TO log');
  return {
    name: 'node-postgres',
    async ask(text) {
      units = 0;
      try {
        const { rows } = await client.query<(string | null)[]>({ text, values: [], rowMode: 'array' });
        return { rows, units };
      } catch (error) {
        if (error instanceof pg.DatabaseError) return { error: `${error.code} ${error.message}` };
        throw error;
      }
    },
    close: () => client.end(),
  };
}

const [FIELD, RECORD, NULL_TEXT] = ['\u001f', '\u001e', '\u0001NULL'];

/** psql, by simple queries. */
export async function byPsql(target: Target): Promise<Way> {
  const { path, env } = await findPsql();
  const options = [
    ...['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--pset', `null=${NULL_TEXT}`],
    ...['--field-separator', FIELD, '--record-separator', RECORD, '--set', 'VERBOSITY=verbose'],
  ];
  const child = spawn(path, options, { env: { ...variablesOf(target), ...env } });
  let [out, err] = ['', ''];
  let count = 0;
  let wake = (): void => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    wake();
  });
  child.on('close', () => wake());
  return {
    name: 'psql',
    async ask(sql) {
      const mark = `=== ${++count} ===`;
      [out, err] = ['', ''];
      child.stdin.write(`${sql}\n;\n\\echo '${mark}'\n\\warn '${mark}'\n`);
      while (!out.endsWith(`${mark}\n`) || !err.endsWith(`${mark}\n`)) {
        if (child.exitCode !== null) throw new Error(`psql ended: ${err}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
      const error = /^(?:psql:[^ ]+ )?ERROR: {2}(\w{5}: .*)$/m.exec(err)?.[1];
      if (error !== undefined) return { error };
      const text = out.slice(0, -mark.length - 1);
      const records = text === '' ? [] : text.replace(/\n$/, '').split(RECORD);
      return {
        rows: records.map((record) => record.split(FIELD).map((cell) => (cell === NULL_TEXT ? null : cell))),
      };
    },
    async close() {
      child.stdin.end('\\q\n');
      await new Promise((resolve) => child.once('close', resolve));
    },
  };
}

const decoded = (text: string): string => Buffer.from(text, 'base64').toString('utf8');

/** A program that answers lines: pgjdbc/Rows.java says how. */
export function byProgram(name: string, program: Program, args: readonly string[], target: Target): Way {
  const child = spawn(program.path, [...program.args, ...args], {
    env: { ...variablesOf(target), ...program.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    name,
    async ask(sql) {
      child.stdin.write(`${Buffer.from(sql).toString('base64')}\n`);
      const rows: TextRow[] = [];
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`${name} ended: ${sql}`);
        const [kind, ...cells] = value.split(' ');
        if (kind === '.') return { rows };
        if (kind === 'E') return { error: `${cells[0]} ${decoded(cells[1] ?? '')}` };
        rows.push(cells.map((cell) => (cell === '-' ? null : decoded(cell.slice(1)))));
      }
    },
    async close() {
      child.stdin.end();
      await new Promise((resolve) => child.once('close', resolve));
    },
  };
}
