/** Prepared statements of a session, bounded by number and bytes. */
import { PgError } from '../errors/pg-error.ts';
import { NAME_CHARS_MAX, PREPARED_BYTES_MAX, PREPARED_MAX } from '../limits.ts';
import type { ResultColumn } from '../results/open-result.ts';
import type { Statement } from '../statements/statement.ts';
import type { Room } from '../wire/message-stream.ts';
import type { DescribedSelect } from './described.ts';

export interface PreparedStatement {
  readonly sql: string;
  readonly statement: Statement;
  readonly declaredOids: readonly number[];
  /** Of what the engine answers, once it was asked for; null where its tables or the session's path may have changed since. */
  described: DescribedSelect | null;
  /** Of what the engine answers: its columns as PostgreSQL describes them; null where it cannot read it. */
  readonly announced: readonly ResultColumn[] | null;
  /** Who answers it. */
  readonly by: AnsweredBy;
  /** Of what a server answers: the backend of the session's that has it, counted from 1. */
  generation: number;
  /** Of what a server answers: its next run was paid for when it was read. */
  isAdmitted: boolean;
}

/**
 * The party that answers a statement: the engine, or the session's server (`isPlain`: nothing that the statement calls leaves
 * something behind).
 */
export type AnsweredBy =
  | { readonly who: 'engine' }
  | { readonly who: 'server'; readonly isPlain: boolean; readonly looksUp: boolean };

export interface PreparedStatements {
  /** @throws PgError */
  add(name: string, statement: PreparedStatement): void;
  find(name: string): PreparedStatement | undefined;
  delete(name: string): boolean;
  clear(): void;
}

/** What a statement takes beside its text … */
const OVERHEAD_BYTES = 512;
/** … for each parameter type that was declared, which its description has once more. */
const PARAMETER_BYTES = 16;
const bytesOf = (name: string, { sql, declaredOids }: PreparedStatement): number =>
  OVERHEAD_BYTES + 2 * (name.length + sql.length) + PARAMETER_BYTES * declaredOids.length;

/** @throws PgError 42622 */
export function checkName(name: string): void {
  if (name.length > NAME_CHARS_MAX)
    throw new PgError({ code: '42622', message: `a name has at most ${NAME_CHARS_MAX} characters` });
}

/** `room`: what the tenant's sessions may hold together. */
export function createPreparedStatements(room: Room): PreparedStatements {
  const statements = new Map<string, PreparedStatement>();
  let bytes = 0;
  const remove = (name: string): boolean => {
    const known = statements.get(name);
    if (known === undefined) return false;
    bytes -= bytesOf(name, known);
    room.release(bytesOf(name, known));
    return statements.delete(name);
  };
  return {
    add(name, statement) {
      checkName(name);
      if (name === '') remove(name);
      if (statements.has(name))
        throw new PgError({ code: '42P05', message: `prepared statement "${name}" already exists` });
      const more = bytesOf(name, statement);
      if (statements.size >= PREPARED_MAX || bytes + more > PREPARED_BYTES_MAX)
        throw new PgError({
          code: '53400',
          message: `a session has at most ${PREPARED_MAX} prepared statements, and ${PREPARED_BYTES_MAX} bytes of them`,
          hint: 'close those that are not needed: DEALLOCATE, or DEALLOCATE ALL',
        });
      if (!room.reserve(more))
        throw new PgError({
          code: '53200',
          message: 'out of memory: the sessions of this tenant hold too many prepared statements',
          hint: 'close those that are not needed: DEALLOCATE ALL',
        });
      statements.set(name, statement);
      bytes += more;
    },
    find: (name) => statements.get(name),
    delete: remove,
    clear() {
      statements.clear();
      room.release(bytes);
      bytes = 0;
    },
  };
}
