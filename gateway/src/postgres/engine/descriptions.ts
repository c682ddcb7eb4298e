/**
 * Descriptions of statements, kept for a few seconds, since drivers ask again and again. Those of a tenant take a bounded part of the
 * memory, however long its statements are and however many columns they have, and none once they are old.
 */
import { createHash } from 'node:crypto';
import { boundedCache, type BoundedCache } from '@penstock/common/caching/bounded-cache.ts';
import {
  describeStatement,
  type DescribedParameter,
  type Description,
  type PostgresClients,
} from '../../clients/postgres-clients.ts';
import {
  DESCRIBE_TIMEOUT_MS,
  DESCRIPTION_AGE_MS,
  DESCRIPTION_BYTES_MAX,
  DESCRIPTION_TENANTS_MAX,
  DESCRIPTIONS_MAX,
} from '../limits.ts';

export interface Asked {
  readonly sql: string;
  readonly parameters: readonly DescribedParameter[];
  readonly searchPath: readonly string[];
  /** The session's. */
  readonly database: string;
}

/** A session's call of a service, in its user's name. */
export interface SessionCall {
  readonly token: string;
  readonly tenantId: string;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

export interface DescriptionCall extends SessionCall {
  /** Resolves once the tenant may have another statement described. */
  readonly pace: () => Promise<void>;
}

export interface Descriptions {
  /** Rejects with ConnectError. */
  of(asked: Asked, call: DescriptionCall): Promise<Description>;
}

type TenantDescriptions = BoundedCache<Description>;

/** Bytes of a column or a parameter beside its name, about. */
const COLUMN_BYTES = 200;

/** Bytes of memory that a description takes, about. */
const bytesOf = (key: string, { columns, parameters }: Description): number =>
  columns.reduce(
    (sum, { name }) => sum + COLUMN_BYTES + 2 * name.length,
    key.length + COLUMN_BYTES * (1 + parameters.length),
  );

const keyOf = ({ sql, parameters, searchPath, database }: Asked): string =>
  createHash('sha256')
    .update(JSON.stringify([sql, parameters, searchPath, database]))
    .digest('base64url');

export function createDescriptions(client: PostgresClients['descriptions']): Descriptions {
  const byTenant = boundedCache<TenantDescriptions>(DESCRIPTION_TENANTS_MAX);
  const keptOf = (tenantId: string): TenantDescriptions => {
    const known = byTenant.get(tenantId);
    if (known !== undefined) return known;
    const kept = boundedCache<Description>(DESCRIPTIONS_MAX, {
      weightMax: DESCRIPTION_BYTES_MAX,
      weightOf: bytesOf,
    });
    byTenant.set(tenantId, kept);
    return kept;
  };
  return {
    async of(asked, call) {
      const key = keyOf(asked);
      const kept = keptOf(call.tenantId);
      const known = kept.get(key);
      if (known !== undefined) return known;
      await call.pace();
      const description = await describeStatement(client, { ...asked, timeoutMs: DESCRIBE_TIMEOUT_MS }, call);
      kept.set(key, description);
      setTimeout(() => kept.delete(key), DESCRIPTION_AGE_MS).unref();
      return description;
    },
  };
}
