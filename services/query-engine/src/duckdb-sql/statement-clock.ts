/** The clock of a statement in DuckDB: a variable of its session, so that the SQL of a plan holds no time. */
import { STATEMENT_TIME_SQL } from '../logical/functions/temporal.ts';
import type { StatementTime } from '../logical/statement-time.ts';

/** Whether the SQL asks for the statement's time. */
export const asksForTime = (sql: string): boolean => sql.includes(STATEMENT_TIME_SQL);

/** The statement that tells a session the time. */
export function settingTime(time: StatementTime): string {
  return `SET VARIABLE ps_statement_time = TIMESTAMP '${time}'`;
}
