/** Runs the engine's statements but for a SELECT: what is sent before a tag, and the tag. */
import { PgError } from '../errors/pg-error.ts';
import { binaryCopy } from '../results/copy-binary.ts';
import { copyHeader, copyLine } from '../results/copy-lines.ts';
import type { Statement } from '../statements/statement.ts';
import * as backend from '../wire/backend.ts';
import type { SessionContext } from './context.ts';
import { within } from './error-place.ts';
import { explainSelect, planColumn } from './explain.ts';
import { describeRows } from './formats.ts';
import type { Portal } from './portal.ts';
import type { PreparedStatement } from './prepared.ts';
import { NOTHING_BOUND, type Bound, type Rows } from './rows.ts';

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

/** `describes`: whether rows are preceded by what they look like. Resolves with the tag; rejects with PgError. */
export type RunOther = (one: PreparedStatement, bound: Bound, describes: boolean) => Promise<string>;

export function createRunOther(context: SessionContext, rows: Rows): RunOther {
  const { parts, output, portals, prepared, selectSession } = context;

  const explain = async (
    one: PreparedStatement,
    { format }: Of<'explain'>,
    bound: Bound,
  ): Promise<readonly string[]> => {
    const select = await rows.described(one);
    const ending = new AbortController();
    return context
      .timed(ending, () =>
        explainSelect(parts, select, format, bound.values, bound.formats, selectSession, ending.signal),
      )
      .catch((error: unknown) => {
        throw within(error, select.sql, one.sql);
      });
  };

  const copyOut = async (one: PreparedStatement, { format }: Of<'copyOut'>): Promise<string> => {
    const select = await rows.described(one);
    const resultFormats = format.binary ? [1] : [];
    const portal = rows.portalOf(one, select, NOTHING_BOUND, { name: '', resultFormats });
    const names = select.columns.map(({ name }) => name);
    const binary = format.binary ? binaryCopy() : null;
    const line = binary?.row ?? copyLine(format);
    output.write(backend.copyOutResponse(names.length, format.binary ? 1 : 0));
    if (binary === null && format.header) output.write(backend.copyData(copyHeader(names, format)));
    await rows.send(portal, Infinity, one.sql, (row) => backend.copyData(line(row)));
    if (binary !== null) output.write(backend.copyData(binary.end()));
    output.write(backend.COPY_DONE);
    context.tellEnd(portal);
    return `COPY ${portal.rowCount}`;
  };

  const declare = async (
    one: PreparedStatement,
    { cursor, holds }: Of<'declare'>,
    bound: Bound,
  ): Promise<string> => {
    if (!holds && context.backend.status === 'I')
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
    else await rows.send(portal, max, one.sql);
    if (portal.end !== null) context.tellEnd(portal);
    return `${moves ? 'MOVE' : 'FETCH'} ${portal.rowCount - before}`;
  };

  return async (one, bound, describes) => {
    const { statement } = one;
    if ('refusal' in statement && statement.refusal !== null) throw statement.refusal;
    switch (statement.kind) {
      case 'explain': {
        context.answeredBy = 'engine';
        const lines = await explain(one, statement, bound);
        if (describes) output.write(describeRows([planColumn(statement.format)]));
        for (const line of lines) output.write(backend.dataRow([line]));
        return 'EXPLAIN';
      }
      case 'declare':
        return declare(one, statement, bound);
      case 'fetch':
        return fetch(one, statement, describes);
      case 'closeCursor':
        await portals.close(statement.name ?? '');
        return 'CLOSE CURSOR';
      case 'deallocate':
        prepared.delete(statement.name ?? '');
        return 'DEALLOCATE';
      case 'copyOut':
        return copyOut(one, statement);
      default:
        throw new Error(`a ${statement.kind} is run elsewhere`);
    }
  };
}
