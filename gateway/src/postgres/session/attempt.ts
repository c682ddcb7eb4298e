/** Runs what a message asks for in a trace of its own, and tells the client and the metrics what became of it. */
import { ATTRIBUTES, SPANS } from '@penstock/common/telemetry/names.ts';
import { extractHttp } from '@penstock/common/telemetry/propagation.ts';
import { beginTrace } from '@penstock/common/telemetry/spans.ts';
import { ServerError } from '../backend/frames.ts';
import { PgError } from '../errors/pg-error.ts';
import { STATEMENT_BYTES_MAX } from '../limits.ts';
import * as backend from '../wire/backend.ts';
import type { SessionContext } from './context.ts';
import { within } from './error-place.ts';
import { ConnectionGoneError } from './output.ts';

/**
 * Runs work, and tells of its error; a FATAL one ends the session. True where it went well.
 *
 * @param sql the statement, where the work runs one
 * @param before what precedes it in the text that the client sent
 */
export type Attempt = (work: () => Promise<void>, sql: string | null, before?: string) => Promise<boolean>;

export function createAttempt(context: SessionContext): Attempt {
  const { parts, output, closing, logger } = context;
  const { tenantId } = context.selectSession.identity.principal;
  const attributes = () => ({ [ATTRIBUTES.tenantId]: tenantId });
  /** PostgreSQL's protocol has no place for a caller's trace. */
  const traced = async (work: () => Promise<void>): Promise<void> => {
    const span = beginTrace(SPANS.postgresMessage, { attributes }, extractHttp({}));
    if (span === null) return work();
    try {
      await span.run(work);
    } catch (error) {
      span.failed(error instanceof PgError ? error.fields.code : error);
      throw error;
    } finally {
      span.end();
    }
  };
  return async (work, sql, before = '') => {
    const startedAt = performance.now();
    context.answeredBy = 'server';
    const told = (sqlState: string): void =>
      parts.onStatement(context.answeredBy, sqlState, (performance.now() - startedAt) / 1000);
    try {
      await traced(work);
      if (sql !== null) told('00000');
      return true;
    } catch (error) {
      if (error instanceof ConnectionGoneError || closing.signal.aborted) throw error;
      const shown = within(error, sql ?? '', before + (sql ?? ''));
      const { code, severity } = shown.fields;
      told(code);
      if (code === 'XX000') logger.error({ err: error }, 'a statement failed unexpectedly');
      // Whoever ends the connection says why.
      if (severity === 'FATAL') throw shown;
      output.write(shown instanceof ServerError ? shown.frame.bytes : backend.errorResponse(shown.fields));
      await context.backend.fail();
      return false;
    }
  };
}

/** @throws PgError 54000 */
export function checkLength(sql: string): void {
  if (Buffer.byteLength(sql) > STATEMENT_BYTES_MAX)
    throw new PgError({ code: '54000', message: `a statement has at most ${STATEMENT_BYTES_MAX} bytes` });
}

/** @throws PgError 25P02 where only the end of the transaction may follow */
export function checkTransaction({ backend: server }: SessionContext): void {
  if (server.status !== 'E') return;
  throw new PgError({
    code: '25P02',
    message: 'current transaction is aborted, commands ignored until end of transaction block',
  });
}
