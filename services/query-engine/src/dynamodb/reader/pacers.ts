import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import type { SchemaAccess } from '../../catalog/table.ts';
import type { Throttling } from '../../scheduling/throttling.ts';
import { pacersMax } from './limits.ts';
import { createPacer, type Pacer } from './pacer.ts';

/** The pacers of this process: one for each tenant and table, for all that reads it at the time. */
export interface Pacers {
  /** Of the table in the account and region that the access leads to. */
  of(tenantId: string, access: Pick<SchemaAccess, 'roleArn' | 'region'>, tableName: string): Pacer;
  /** Another process was throttled. */
  slow(throttling: Throttling): void;
}

/** `onThrottled`: told each time that this process pauses longer than before. */
export function createPacers(onThrottled: (throttling: Throttling) => void = () => undefined): Pacers {
  // Those that were asked for last are kept.
  const pacers = boundedCache<Pacer>(pacersMax);
  const named = (table: string): Pacer => {
    const known = pacers.get(table);
    if (known !== undefined) return known;
    const pacer = createPacer(undefined, undefined, (pauseMs) => onThrottled({ table, pauseMs }));
    pacers.set(table, pacer);
    return pacer;
  };
  return {
    // The account is the fifth part of a role's ARN: two schemas may lead to one table.
    of: (tenantId, { roleArn, region }, tableName) =>
      named(JSON.stringify([tenantId, roleArn.split(':')[4] ?? '', region, tableName])),
    slow: ({ table, pauseMs }) => named(table).slow(pauseMs),
  };
}
