/** Simple queries: the statements of one text, up to the first that fails. */
import { PgError } from '../errors/pg-error.ts';
import { STATEMENTS_PER_QUERY_MAX } from '../limits.ts';
import { splitStatements } from '../statements/lexer.ts';
import { recognize } from '../statements/recognize.ts';
import * as backend from '../wire/backend.ts';
import { checkLength, checkTransaction } from './attempt.ts';
import type { ProtocolParts } from './protocol-parts.ts';
import type { SessionContext } from './context.ts';
import { describeRows } from './formats.ts';
import type { PreparedStatement } from './prepared.ts';
import { NOTHING_BOUND } from './rows.ts';

/** Answers one query message, but for the ReadyForQuery that follows. */
export type SimpleQuery = (sql: string) => Promise<void>;

export function createSimpleQuery(context: SessionContext, parts: ProtocolParts): SimpleQuery {
  const { output, portals } = context;
  const { rows, runOther, whoAnswers, served, attempt } = parts;

  const runSelect = async (one: PreparedStatement): Promise<string> => {
    const select = await rows.described(one);
    if (select.parameterOids.length > 0)
      throw new PgError({
        code: '42P02',
        message: 'there is no parameter $1',
        hint: 'a simple query has no parameters',
      });
    const portal = rows.portalOf(one, select, NOTHING_BOUND, { name: '' });
    output.write(describeRows(select.columns));
    await rows.send(portal, Infinity, one.sql);
    context.tellEnd(portal);
    return `SELECT ${portal.rowCount}`;
  };
  const run = async (sql: string): Promise<void> => {
    const one = await whoAnswers({ sql, statement: recognize(sql), declaredOids: [] });
    if (one.by.who === 'server') return served.simple(one);
    checkTransaction(context);
    const isSelect = one.statement.kind === 'select';
    const tag = await (isSelect ? runSelect(one) : runOther(one, NOTHING_BOUND, true));
    output.write(backend.commandComplete(tag));
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
