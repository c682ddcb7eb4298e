/** Asks a tenant's server what statements are about, in connections of its own: clients' sessions need none for that. */
import { PgError } from '../errors/pg-error.ts';
import { parameterCount } from '../statements/lexer.ts';
import { PLANNER_CONNECTIONS_MAX, PLANNING_MS_MAX } from '../limits.ts';
import type { ResultColumn } from '../results/open-result.ts';
import { numericModifier, type NumericDigits } from '../types/numeric-modifier.ts';
import { OID } from '../types/oids.ts';
import { createClassifier, type Asked, type Classifier, type Planned } from './classify.ts';
import { connectBackend, type BackendConnection } from './connect.ts';
import { columnsOf, parameterOidsOf, ServerError, type Frame } from './frames.ts';
import { ask, synced } from './question.ts';
import * as requests from './requests.ts';

/** A server to be asked. */
export interface PlannerPlace {
  readonly socketPath: string;
  readonly database: string;
  /** Digits of the numbers in the server's tables; null: numbers have as many as they like. */
  readonly digits: NumericDigits | null;
  /** Aborted when the server has ended. */
  readonly ended: AbortSignal;
}

export interface Planner extends Classifier {
  close(): void;
}

/** An ordinary role: planning computes what is constant in a statement. */
const PLANNER_ROLE = 'penstock_planner';

/** The statement that is asked about. */
const ASKED = 'asked';
/**
 * Its plan, whatever its parameters are: with values for them, those that make a condition false would leave no table in it.
 * The statement is not in this text, which therefore is one statement, and ours.
 */
const explain = (parameters: number): string => {
  const values = parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'NULL').join(', ')})`;
  return `EXPLAIN (VERBOSE, FORMAT JSON) EXECUTE ${ASKED}${values}`;
};
/** Notices of what is explained are for nobody. */
const forNobody = (): boolean => true;

/** The messages that describe a statement. Rejects with ServerError, after the server is ready again. */
async function descriptionOf(connection: BackendConnection): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  for (;;) {
    const frame = await connection.next();
    if (frame.type === 'E') {
      await synced(connection, forNobody);
      throw new ServerError(frame);
    }
    frames.push(frame);
    if (frame.type === 'T' || frame.type === 'n') return frames;
  }
}

/** The first cells of a statement of our own. Rejects with ServerError, after the server is ready again. */
async function run(
  connection: BackendConnection,
  sql: string,
  values: readonly string[] = [],
): Promise<string> {
  try {
    const rows = await ask(connection, sql, values, forNobody);
    return rows.map(([cell]) => cell ?? '').join('\n');
  } finally {
    await synced(connection, forNobody);
  }
}

/** A statement's plan. Parse takes one statement: nothing can follow it. Rejects with ServerError. */
async function planOf(connection: BackendConnection, { sql, parameterOids }: Asked): Promise<Planned> {
  connection.send(
    ...[requests.close('statement', ASKED), requests.parse(ASKED, sql, parameterOids)],
    ...[requests.describe('statement', ASKED), requests.FLUSH],
  );
  const described = await descriptionOf(connection);
  const parameters = described.flatMap((frame) => (frame.type === 't' ? parameterOidsOf(frame) : []));
  const columns = described.flatMap((frame) => (frame.type === 'T' ? columnsOf(frame) : []));
  return { columns, plan: await run(connection, explain(parameters.length)) };
}

/** One connection, which does one thing after the other. */
function createLine(place: PlannerPlace) {
  let connection: BackendConnection | null = null;
  let path = '';
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  const open = async (): Promise<BackendConnection> => {
    if (connection !== null && !connection.gone.aborted) return connection;
    path = '';
    return (connection = await connectBackend({
      socketPath: place.socketPath,
      parameters: new Map([
        ['user', PLANNER_ROLE],
        ['database', place.database],
        ['statement_timeout', String(PLANNING_MS_MAX)],
        ['options', '-c plan_cache_mode=force_generic_plan'],
      ]),
    }));
  };
  const plan = async (asked: Asked): Promise<Planned> => {
    const opened = await open();
    const { searchPath } = asked;
    if (searchPath !== path) await run(opened, "SELECT set_config('search_path', $1, false)", [searchPath]);
    path = searchPath;
    return planOf(opened, asked);
  };
  return {
    get waiting() {
      return waiting;
    },
    plan(asked: Asked): Promise<Planned> {
      waiting++;
      const answer = last.then(() => plan(asked)).finally(() => waiting--);
      last = answer.catch(() => undefined);
      return answer;
    },
    close: () => connection?.close(),
  };
}

const tooMany = (count: number): PgError =>
  new PgError({ code: '54023', message: `a statement has at most 65535 parameters, not ${count}` });

/** Digits of tables are their session's, which may have set others by now. */
function withoutDigits(
  columns: readonly ResultColumn[],
  digits: NumericDigits | null,
): readonly ResultColumn[] {
  if (digits === null) return columns;
  const modifier = numericModifier(digits.precision, digits.scale);
  return columns.map((column) =>
    column.typeOid === OID.numeric && column.typeModifier === modifier
      ? { ...column, typeModifier: -1 }
      : column,
  );
}

export function createPlanner(place: PlannerPlace): Planner {
  const lines = Array.from({ length: PLANNER_CONNECTIONS_MAX }, () => createLine(place));
  const classifier = createClassifier(async (asked) => {
    const count = parameterCount(asked.sql);
    if (count > 65_535) throw tooMany(count);
    // The first that is free, so that most servers have one connection.
    const least = lines.reduce((best, line) => (line.waiting < best.waiting ? line : best));
    const { plan, columns } = await least.plan(asked);
    return { plan, columns: withoutDigits(columns, place.digits) };
  });
  return { ...classifier, close: () => lines.forEach((line) => line.close()) };
}

/** Planners of the servers that run, which their sessions share. */
export function createPlanners(): { of(place: PlannerPlace): Planner } {
  const planners = new Map<string, Planner>();
  return {
    of(place) {
      const known = planners.get(place.socketPath);
      if (known !== undefined) return known;
      const planner = createPlanner(place);
      planners.set(place.socketPath, planner);
      place.ended.addEventListener(
        'abort',
        () => {
          planners.delete(place.socketPath);
          planner.close();
        },
        { once: true },
      );
      return planner;
    },
  };
}
