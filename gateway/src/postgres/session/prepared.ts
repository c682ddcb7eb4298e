/** Prepared statements of a session, bounded by number and bytes. */
import { PgError } from '../errors/pg-error.ts';
import { PREPARED_BYTES_MAX, PREPARED_MAX } from '../limits.ts';
import type { Statement } from '../statements/statement.ts';
import type { DescribedSelect } from './described.ts';

export interface PreparedStatement {
  readonly sql: string;
  readonly statement: Statement;
  readonly declaredOids: readonly number[];
  /** Once it was asked for; null where its tables or the session's path may have changed since. */
  described: DescribedSelect | null;
}

export interface PreparedStatements {
  /** @throws PgError */
  add(name: string, statement: PreparedStatement): void;
  /** @throws PgError 26000 where there is none */
  get(name: string): PreparedStatement;
  delete(name: string): boolean;
  clear(): void;
}

/** What a statement takes beside its text. */
const OVERHEAD_BYTES = 512;
const bytesOf = ({ sql }: PreparedStatement): number => OVERHEAD_BYTES + 2 * sql.length;

export function createPreparedStatements(): PreparedStatements {
  const statements = new Map<string, PreparedStatement>();
  let bytes = 0;
  const remove = (name: string): boolean => {
    const known = statements.get(name);
    if (known !== undefined) bytes -= bytesOf(known);
    return statements.delete(name);
  };
  return {
    add(name, statement) {
      if (name === '') remove(name);
      if (statements.has(name))
        throw new PgError({ code: '42P05', message: `prepared statement "${name}" already exists` });
      if (statements.size >= PREPARED_MAX || bytes + bytesOf(statement) > PREPARED_BYTES_MAX)
        throw new PgError({
          code: '53400',
          message: `a session has at most ${PREPARED_MAX} prepared statements, and ${PREPARED_BYTES_MAX} bytes of them`,
          hint: 'close those that are not needed: DEALLOCATE, or DEALLOCATE ALL',
        });
      statements.set(name, statement);
      bytes += bytesOf(statement);
    },
    get(name) {
      const known = statements.get(name);
      if (known !== undefined) return known;
      const which = name === '' ? 'unnamed prepared statement' : `prepared statement "${name}"`;
      throw new PgError({ code: '26000', message: `${which} does not exist` });
    },
    delete: remove,
    clear() {
      statements.clear();
      bytes = 0;
    },
  };
}
