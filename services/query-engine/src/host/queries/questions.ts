/** What a host answers its workers about a query: tables, credentials, a place among long queries. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { boundedCache } from '@penstock/common/caching/bounded-cache.ts';
import type { RoleSessions } from '@penstock/common/aws/assumed-role.ts';
import type { CatalogCall } from '../../clients/catalog-client.ts';
import type { CheckedTables } from '../../clients/checked-tables.ts';
import { tableAnswers, type HostTable } from '../../clients/host-tables.ts';
import { CATALOG_TABLES_KEPT, SCHEMAS_OF_ROLE_KEPT } from '../../limits.ts';
import type { AccessMessage, CredentialsAnswer, Question } from '../../pipe/messages.ts';
import type { Answer } from '../processes/run.ts';

type TablesQuestion = Extract<Question, { what: 'tables' }>;

export interface Questions {
  tables(call: CatalogCall, question: TablesQuestion): Promise<Answer>;
  credentials(call: CatalogCall, access: AccessMessage): Promise<Answer>;
  renewal(call: CatalogCall, question: Extract<Question, { what: 'renewal' }>): Promise<Answer>;
}

export interface QuestionsOptions {
  readonly tables: CheckedTables<HostTable>;
  readonly sessions: Pick<RoleSessions, 'credentials' | 'renew'>;
}

const roleOf = (tenantId: string, { roleArn, externalId, region }: AccessMessage): string =>
  JSON.stringify([tenantId, roleArn, externalId, region]);

/** No names: every table. */
const isAll = (names: readonly string[]): boolean => names.length === 0 || names.includes('*');

export function createQuestions({ tables, sessions }: QuestionsOptions): Questions {
  /**
   * The allowlists with which each tenant's tables are reached, by role and schema, each the newest that was met: a worker
   * gets credentials for nothing else. Several schemas may have one role.
   */
  const granted = boundedCache<Map<string, readonly string[]>>(CATALOG_TABLES_KEPT);
  const grant = (tenantId: string, { schemaName, access }: HostTable): void => {
    const role = roleOf(tenantId, access);
    const bySchema = granted.get(role) ?? new Map<string, readonly string[]>();
    bySchema.delete(schemaName);
    bySchema.set(schemaName, access.tableAllowlist);
    const [oldest] = bySchema.keys();
    if (bySchema.size > SCHEMAS_OF_ROLE_KEPT && oldest !== undefined) bySchema.delete(oldest);
    granted.set(role, bySchema);
  };
  const covers = (allowed: readonly string[], wanted: readonly string[]): boolean =>
    isAll(allowed) || (!isAll(wanted) && wanted.every((name) => allowed.includes(name)));
  const checkGranted = ({ tenantId }: CatalogCall, access: AccessMessage): void => {
    const allowlists = granted.get(roleOf(tenantId, access))?.values() ?? [];
    for (const allowed of allowlists) if (covers(allowed, access.tableAllowlist)) return;
    throw new PenstockError('INTERNAL', 'Internal error', {
      cause: new Error('a worker asked for credentials that its query does not need'),
    });
  };
  return {
    async tables(call, { references, maySample }) {
      const outdated = references.find((reference) => reference.outdated)?.knownVersion ?? null;
      const checked = await tables.resolve(call, references, maySample, outdated);
      for (const one of checked) {
        if (one instanceof PenstockError) continue;
        grant(call.tenantId, one.table);
      }
      const { answers, bytes } = tableAnswers(
        checked,
        references.map(({ knownVersion }) => knownVersion),
      );
      return { answer: answers, bytes };
    },
    async credentials(call, access) {
      checkGranted(call, access);
      const { accessKeyId, secretAccessKey, sessionToken, expiration } = await sessions.credentials(
        call.tenantId,
        access,
        call.requestId,
      );
      const expiresAt = expiration.getTime();
      return {
        answer: { accessKeyId, secretAccessKey, sessionToken, expiresAt } satisfies CredentialsAnswer,
      };
    },
    async renewal(call, { access, used, why }) {
      checkGranted(call, access);
      const { tenantId, requestId } = call;
      return { answer: await sessions.renew({ tenantId, access, requestId, used, why }) };
    },
  };
}
