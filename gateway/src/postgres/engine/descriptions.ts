/** What statements look like, kept for a few seconds: drivers ask again and again. */
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import {
  describeStatement,
  type DescribedParameter,
  type Description,
  type PostgresClients,
} from '../../clients/postgres-clients.ts';
import { DESCRIBE_TIMEOUT_MS, DESCRIPTION_AGE_MS, DESCRIPTIONS_MAX } from '../limits.ts';

export interface Asked {
  readonly sql: string;
  readonly parameters: readonly DescribedParameter[];
  readonly searchPath: readonly string[];
}

export interface DescriptionCall {
  readonly token: string;
  readonly tenantId: string;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

export interface Descriptions {
  /** Rejects with ConnectError. */
  of(asked: Asked, call: DescriptionCall): Promise<Description>;
}

export function createDescriptions(client: PostgresClients['descriptions']): Descriptions {
  const kept = boundedCache<{ readonly description: Description; readonly untilMs: number }>(
    DESCRIPTIONS_MAX,
  );
  return {
    async of(asked, call) {
      const key = JSON.stringify([call.tenantId, asked.sql, asked.parameters, asked.searchPath]);
      const known = kept.get(key);
      if (known !== undefined && performance.now() < known.untilMs) return known.description;
      const description = await describeStatement(client, { ...asked, timeoutMs: DESCRIBE_TIMEOUT_MS }, call);
      kept.set(key, { description, untilMs: performance.now() + DESCRIPTION_AGE_MS });
      return description;
    },
  };
}
