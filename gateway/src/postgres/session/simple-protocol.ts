/** Simple queries: the statements of one text, up to the first that fails. */
import { PgError } from '../errors/pg-error.ts';
import { STATEMENTS_PER_QUERY_MAX } from '../limits.ts';
import { splitStatements } from '../statements/lexer.ts';
import { recognize } from '../statements/recognize.ts';
import * as backend from '../wire/backend.ts';
import { checkLength, checkTransaction, type Attempt } from './attempt.ts';
import type { SessionContext } from './context.ts';
import { describeRows } from './formats.ts';
import type { PreparedStatement } from './prepared.ts';
import { NOTHING_BOUND, type Rows } from './rows.ts';
import type { RunOther } from './run-other.ts';

/** Answers one query message, but for the ReadyForQuery that follows. */
export type SimpleQuery = (sql: string) => Promise<void>;

export function createSimpleQuery(
  context: SessionContext,
  rows: Rows,
  runOther: RunOther,
  attempt: Attempt,
): SimpleQuery {
  const { output, portals } = context;

  const run = async (sql: string): Promise<void> => {
    const one: PreparedStatement = { sql, statement: recognize(sql), declaredOids: [], described: null };
    checkTransaction(context, one.statement);
    if (one.statement.kind !== 'select') {
      const tag = await runOther(one, NOTHING_BOUND, true);
      context.tellChanges();
      output.write(backend.commandComplete(tag));
      return;
    }
    const select = await rows.described(one);
    if (select.parameterOids.length > 0)
      throw new PgError({
        code: '42P02',
        message: 'there is no parameter $1',
        hint: 'a simple query has no parameters',
      });
    const portal = rows.portalOf(one, select, NOTHING_BOUND, { name: '' });
    output.write(describeRows(select.columns));
    await rows.send(portal, Infinity, one);
    context.tellEnd(portal);
    context.tellChanges();
    output.write(backend.commandComplete(`SELECT ${portal.rowCount}`));
  };

  return async (sql) => {
    await portals.close('');
    const isShort = await attempt(async () => checkLength(sql), null);
    if (!isShort) return;
    const pieces = splitStatements(sql);
    if (pieces.length === 0) output.write(backend.EMPTY_QUERY);
    if (pieces.length > STATEMENTS_PER_QUERY_MAX) {
      await attempt(async () => {
        throw new PgError({
          code: '54000',
          message: `a query has at most ${STATEMENTS_PER_QUERY_MAX} statements`,
        });
      }, null);
      return;
    }
    for (const piece of pieces)
      if (!(await attempt(() => run(piece.sql), piece.sql, sql.slice(0, piece.offset)))) return;
  };
}
