import { PgError } from './pg-error.ts';

/** What a session ends with whose server has ended. */
export const serverLost = (): PgError =>
  new PgError({
    code: '57P01',
    message: 'terminating connection: its PostgreSQL server has ended',
    hint: 'connect again; what was set in this session is to be set again',
    severity: 'FATAL',
  });
