/** Runs every statement but a SELECT: what is sent before its tag, and the tag. */
import { PgError } from '../errors/pg-error.ts';
import { copyHeader, copyLine } from '../results/copy-lines.ts';
import type { ResultColumn } from '../results/open-result.ts';
import { refusal } from '../statements/refused.ts';
import type { Statement } from '../statements/statement.ts';
import * as backend from '../wire/backend.ts';
import type { SessionContext } from './context.ts';
import { textColumn } from './described.ts';
import { within } from './error-place.ts';
import { explainSelect } from './explain.ts';
import { describeRows } from './formats.ts';
import type { Portal } from './portal.ts';
import type { PreparedStatement } from './prepared.ts';
import { NOTHING_BOUND, type Bound, type Rows } from './rows.ts';
import { isSessionStatement, runSessionStatement } from './session-statements.ts';

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

/** `describes`: whether rows are preceded by what they look like. Resolves with the tag; rejects with PgError. */
export type RunOther = (one: PreparedStatement, bound: Bound, describes: boolean) => Promise<string>;

export function createRunOther(context: SessionContext, rows: Rows): RunOther {
  const { parts, output, settings, transaction, portals, selectSession } = context;

  const explain = async (one: PreparedStatement, bound: Bound): Promise<readonly string[]> => {
    const select = await rows.described(one);
    if (select.by === 'catalog')
      throw new PgError({
        code: '0A000',
        message: 'EXPLAIN of a statement over the system catalogs is not supported',
      });
    context.answeredBy = 'engine';
    const ending = new AbortController();
    return context
      .timed(ending, () =>
        explainSelect(parts, select, bound.values, bound.formats, selectSession, ending.signal),
      )
      .catch((error: unknown) => {
        throw within(error, select.sql, one.sql);
      });
  };

  const copyOut = async (one: PreparedStatement, { format }: Of<'copyOut'>): Promise<string> => {
    const select = await rows.described(one);
    const portal = rows.portalOf(one, select, NOTHING_BOUND, { name: '' });
    const names = select.columns.map(({ name }) => name);
    const line = copyLine(format);
    output.write(backend.copyOutResponse(names.length));
    if (format.header) output.write(backend.copyData(copyHeader(names, format)));
    await rows.send(portal, Infinity, one, (row) => backend.copyData(line(row)));
    output.write(backend.COPY_DONE);
    context.tellEnd(portal);
    return `COPY ${portal.rowCount}`;
  };

  const declare = async (
    one: PreparedStatement,
    { cursor, holds }: Of<'declare'>,
    bound: Bound,
  ): Promise<string> => {
    if (!holds && transaction.status === 'I')
      throw new PgError({
        code: '25P01',
        message: 'DECLARE CURSOR can only be used in transaction blocks',
        hint: 'BEGIN first, or declare it WITH HOLD',
      });
    const select = await rows.described(one);
    await portals.add(rows.portalOf(one, select, bound, { name: cursor, holds }));
    return 'DECLARE CURSOR';
  };

  const cursorNamed = (name: string): Portal => {
    const portal = portals.find(name);
    if (portal !== undefined) return portal;
    throw new PgError({ code: '34000', message: `cursor "${name}" does not exist` });
  };

  const fetch = async (
    one: PreparedStatement,
    { cursor, count, moves }: Of<'fetch'>,
    describes: boolean,
  ): Promise<string> => {
    const portal = cursorNamed(cursor);
    if (describes && !moves) output.write(describeRows(portal.columns));
    const before = portal.rowCount;
    const max = count ?? Infinity;
    if (moves) await context.timed(portal.ending, () => portal.take(max, async () => undefined));
    else await rows.send(portal, max, one);
    if (portal.end !== null) context.tellEnd(portal);
    return `${moves ? 'MOVE' : 'FETCH'} ${portal.rowCount - before}`;
  };

  return async (one, bound, describes) => {
    const { statement } = one;
    const sendAll = (
      columns: readonly ResultColumn[],
      lines: readonly (readonly (string | null)[])[],
    ): void => {
      if (describes) output.write(describeRows(columns));
      for (const line of lines) output.write(backend.dataRow(line));
    };
    if (isSessionStatement(statement)) {
      const { tag, notice: told, columns, rows: lines } = await runSessionStatement(statement, context);
      if (told !== undefined && settings.shows('warning'))
        context.notice(told.severity, told.code, told.message);
      if (columns !== undefined) sendAll(columns, lines ?? []);
      return tag;
    }
    switch (statement.kind) {
      case 'refused':
        throw refusal(statement);
      case 'explain': {
        const lines = await explain(one, bound);
        sendAll(
          [textColumn('QUERY PLAN')],
          lines.map((line) => [line]),
        );
        return 'EXPLAIN';
      }
      case 'declare':
        return declare(one, statement, bound);
      case 'fetch':
        return fetch(one, statement, describes);
      case 'copyOut':
        return copyOut(one, statement);
      default:
        throw new Error(`a ${statement.kind} is run elsewhere`);
    }
  };
}
