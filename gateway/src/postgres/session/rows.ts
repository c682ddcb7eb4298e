/** Rows of a session's statements: what they look like, the portals that they come from, and how they go out. */
import type { ResultColumn } from '../results/open-result.ts';
import type { Statement } from '../statements/statement.ts';
import * as backend from '../wire/backend.ts';
import type { Value } from '../wire/frontend.ts';
import type { SessionContext } from './context.ts';
import { textColumn, type DescribedSelect } from './described.ts';
import { isPlaced, within } from './error-place.ts';
import { formatsFor } from './formats.ts';
import { createPortal, type Portal } from './portal.ts';
import type { PreparedStatement } from './prepared.ts';
import { sessionColumns } from './session-statements.ts';

/** Values of a statement's parameters. */
export interface Bound {
  readonly values: readonly Value[];
  readonly formats: readonly number[];
}

interface PortalNeeds {
  readonly name: string;
  readonly resultFormats?: readonly number[];
  readonly holds?: boolean;
  readonly closed?: () => void;
}

export const NOTHING_BOUND: Bound = Object.freeze({ values: [], formats: [] });

export interface Rows {
  /** What the SELECT of a statement looks like. Rejects with PgError. */
  described(one: PreparedStatement): Promise<DescribedSelect>;
  /** The columns of a statement's rows; null where it has none. */
  columnsOf(one: PreparedStatement): Promise<readonly ResultColumn[] | null>;
  /** A portal over what the statement gives, with its parameters bound. */
  portalOf(one: PreparedStatement, select: DescribedSelect, bound: Bound, options: PortalNeeds): Portal;
  /** Rows of a portal to the client, each as `write` has it; true at the end. */
  send(
    portal: Portal,
    max: number,
    one: PreparedStatement,
    write?: (row: readonly backend.Cell[]) => Buffer,
  ): Promise<boolean>;
}

/** What rows are found by: the SELECT of a statement, of an EXPLAIN, a DECLARE or a COPY too. */
export const selectOf = (statement: Statement): string | null => ('sql' in statement ? statement.sql : null);

export function createRows(context: SessionContext): Rows {
  const { selects, selectSession, settings, portals, output } = context;

  const described = async (one: PreparedStatement): Promise<DescribedSelect> => {
    const sql = selectOf(one.statement);
    if (sql === null) throw new Error('a statement without a SELECT is not described');
    // Tables without a schema may be others by now.
    const isStale =
      one.described?.by === 'engine' && one.described.searchPath.join() !== settings.searchPath().join();
    if (isStale) one.described = null;
    try {
      const ending = new AbortController();
      return (one.described ??= await context.timed(ending, () =>
        selects.describe(sql, one.declaredOids, selectSession, ending.signal),
      ));
    } catch (error) {
      throw within(error, sql, one.sql);
    }
  };

  return {
    described,
    async columnsOf(one) {
      const { statement } = one;
      if (statement.kind === 'select') return (await described(one)).columns;
      if (statement.kind === 'explain') return [textColumn('QUERY PLAN')];
      if (statement.kind === 'fetch' && !statement.moves)
        return portals.find(statement.cursor)?.columns ?? null;
      return sessionColumns(statement);
    },
    portalOf(one, select, bound, { name, resultFormats = [], holds = false, closed }) {
      const formats = formatsFor(resultFormats, select.columns.length, 'result');
      return createPortal({
        ...{ name, columns: select.columns, formats, holds, ...(closed === undefined ? {} : { closed }) },
        open: async (ending) => {
          context.answeredBy = select.by;
          return selects
            .open(select, { ...bound, resultFormats: formats }, selectSession, ending)
            .catch((error: unknown) => {
              throw within(error, select.sql, one.sql);
            });
        },
      });
    },
    send: (portal, max, one, write = backend.dataRow) =>
      context
        .timed(portal.ending, () =>
          portal.take(max, async (rows) => {
            for (const row of rows) output.write(write(row));
            await output.drained();
          }),
        )
        .catch((error: unknown) => {
          throw isPlaced(error) ? error : within(error, selectOf(one.statement) ?? one.sql, one.sql);
        }),
  };
}
