/** Rows of a session's statements: what they look like, the portals that they come from, and how they go out. */
import type { ResultColumn } from '../results/open-result.ts';
import { hasSelect, type Statement } from '../statements/statement.ts';
import * as backend from '../wire/backend.ts';
import type { Value } from '../wire/frontend.ts';
import type { SessionContext } from './context.ts';
import { once, type Pace } from './pace.ts';
import type { DescribedSelect } from './described.ts';
import { planColumn } from './explain.ts';
import { isPlaced, within } from './error-place.ts';
import { formatsFor } from './formats.ts';
import { createPortal, type Portal } from './portal.ts';
import type { PreparedStatement } from './prepared.ts';

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
  /** What the SELECT of a statement over tables looks like. Rejects with PgError. */
  described(one: PreparedStatement, pace?: Pace): Promise<DescribedSelect>;
  /** The columns of a statement's rows; null where it has none. */
  columnsOf(one: PreparedStatement): Promise<readonly ResultColumn[] | null>;
  /** A portal over what the statement gives, with its parameters bound. */
  portalOf(one: PreparedStatement, select: DescribedSelect, bound: Bound, options: PortalNeeds): Portal;
  /** Rows of a portal to the client, each as `write` has it; true at the end. */
  send(
    portal: Portal,
    max: number,
    sql: string,
    write?: (row: readonly backend.Cell[]) => Buffer,
  ): Promise<boolean>;
}

/** What rows are found by: the SELECT of a statement, of an EXPLAIN, a DECLARE or a COPY too. */
export const selectOf = (statement: Statement): string | null =>
  hasSelect(statement) ? statement.sql : null;

export function createRows(context: SessionContext): Rows {
  const { selects, selectSession, portals, output } = context;

  const described: Rows['described'] = async (one, pace = once(context.pace)) => {
    const sql = selectOf(one.statement);
    if (sql === null) throw new Error('a statement without a SELECT is not described');
    // Tables without a schema, and digits of numbers, may be others by now.
    const { searchPath, numericModifier } = await selectSession.actedOn();
    const isSame =
      one.described?.searchPath.join() === searchPath.join() &&
      one.described.numericModifier === numericModifier;
    if (!isSame) one.described = null;
    try {
      const ending = new AbortController();
      return (one.described ??= await context.timed(ending, () =>
        selects.describe(one, sql, selectSession, ending.signal, () => pace(ending.signal)),
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
      if (statement.kind === 'explain') return [planColumn(statement.format)];
      if (statement.kind === 'fetch' && !statement.moves)
        return portals.find(statement.cursor)?.columns ?? null;
      return null;
    },
    portalOf(one, select, bound, { name, resultFormats = [], holds = false, closed }) {
      const formats = formatsFor(resultFormats, select.columns.length, 'result');
      return createPortal({
        ...{ name, columns: select.columns, formats, holds, ...(closed === undefined ? {} : { closed }) },
        open: (ending) => {
          context.answeredBy = 'engine';
          return selects
            .open(select, { ...bound, resultFormats: formats }, selectSession, ending)
            .catch((error: unknown) => {
              throw within(error, select.sql, one.sql);
            });
        },
      });
    },
    send: (portal, max, sql, write = backend.dataRow) =>
      context
        .timed(portal.ending, () =>
          context.backend.awake(() =>
            portal.take(max, async (rows) => {
              for (const row of rows) output.write(write(row));
              await output.drained();
            }),
          ),
        )
        .catch((error: unknown) => {
          throw isPlaced(error) ? error : within(error, sql, sql);
        }),
  };
}
