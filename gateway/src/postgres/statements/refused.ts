/** Statements that would write, and those that PostgreSQL has and we have not. */
import { PgError } from '../errors/pg-error.ts';
import type { StatementReader } from './reader.ts';
import type { Statement } from './statement.ts';

type Refused = Extract<Statement, { kind: 'refused' }>;

const WRITES: readonly string[] = Object.freeze([
  ...['insert', 'update', 'delete', 'merge', 'truncate', 'create', 'drop', 'alter', 'grant', 'revoke'],
  ...[
    'vacuum',
    'analyze',
    'reindex',
    'cluster',
    'refresh',
    'comment',
    'import',
    'lock',
    'security',
    'reassign',
  ],
]);

const MISSING: readonly string[] = Object.freeze([
  ...['listen', 'notify', 'unlisten', 'call', 'do', 'load', 'checkpoint', 'prepare', 'execute'],
]);

const WRITE_HINT =
  'Penstock reads DynamoDB and never writes: write with the AWS SDK, and read what was written here';

const BY_PROTOCOL = 'prepare statements by the protocol (Parse), as drivers do';

const HINTS: Readonly<Record<string, string>> = Object.freeze({
  prepare: BY_PROTOCOL,
  execute: BY_PROTOCOL,
  listen: 'there are no notifications; ask again',
  notify: 'there are no notifications',
});

export const writes = (command: string): Refused => ({
  kind: 'refused',
  code: '25006',
  message: `cannot execute ${command.toUpperCase()} in a read-only transaction`,
  hint: WRITE_HINT,
});

/** Null for statements that are to be looked at. */
export function refusedStatement(reader: StatementReader): Refused | null {
  const command = reader.peek?.text ?? '';
  if (['create', 'drop', 'alter', 'truncate'].includes(command)) {
    reader.take();
    const what = reader.peek;
    const isNamed = what?.kind === 'word' && command !== 'truncate';
    return writes(isNamed ? `${command} ${what.text}` : command === 'truncate' ? 'truncate table' : command);
  }
  if (WRITES.includes(command)) return writes(command);
  if (!MISSING.includes(command)) return null;
  const hint = HINTS[command];
  const message = `${command.toUpperCase()} is not supported`;
  return { kind: 'refused', code: '0A000', message, ...(hint === undefined ? {} : { hint }) };
}

/** What such a statement is answered with. */
export const refusal = ({ code, message, hint }: Refused): PgError =>
  new PgError({ code, message, ...(hint === undefined ? {} : { hint }) });
