import type { SchemaAccess } from '../../catalog/table.ts';
import { pacersMax } from './limits.ts';
import { createPacer, type Pacer } from './pacer.ts';

/** The pacers of this process: one for each tenant and table, for all that reads it at the time. */
export interface Pacers {
  /** Of the table in the account and region that the access leads to. */
  of(tenantId: string, access: Pick<SchemaAccess, 'roleArn' | 'region'>, tableName: string): Pacer;
}

export function createPacers(): Pacers {
  const pacers = new Map<string, Pacer>();
  return {
    of(tenantId, { roleArn, region }, tableName) {
      // The account is the fifth part of a role's ARN: two schemas may lead to one table.
      const key = JSON.stringify([tenantId, roleArn.split(':')[4] ?? '', region, tableName]);
      const pacer = pacers.get(key) ?? createPacer();
      // Those that were asked for last are kept.
      pacers.delete(key);
      pacers.set(key, pacer);
      const oldest = pacers.keys().next().value;
      if (pacers.size > pacersMax && oldest !== undefined) pacers.delete(oldest);
      return pacer;
    },
  };
}
