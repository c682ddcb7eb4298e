import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect';
import type {
  SavedQuerySchema,
  SavedQueryService,
} from '@penstock/common/gen/penstock/auth/v1/saved_query_pb.js';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { ownerOf, type SavedQueries } from '../saved-queries/administer.ts';
import type { PrincipalStore } from '../store/principals.ts';
import type { SavedQuery } from '../store/saved-queries.ts';
import type { User } from '../users/user.ts';
import { consoleCallerOf } from './console-caller.ts';

function toMessage(saved: SavedQuery): MessageInitShape<typeof SavedQuerySchema> {
  const { revision, text: _text, ...query } = saved;
  return { ...query, version: revision, createdBy: ownerOf(saved) };
}

/** Queries that a tenant's people keep in the console. */
export function savedQueryService(
  queries: SavedQueries,
  users: Pick<PrincipalStore<User>, 'get'>,
): ServiceImpl<typeof SavedQueryService> {
  async function authorOf(context: HandlerContext) {
    const { tenantId, principalId, role } = consoleCallerOf(context);
    const user = await users.get(principalId);
    if (user === null) throw new PenstockError('UNAUTHORIZED', 'Unauthorized');
    return { tenantId, email: user.email, isAdmin: role === 'admin' };
  }

  return {
    async listSavedQueries({ nextToken: after }, context) {
      const { tenantId } = consoleCallerOf(context);
      const { queries: found, nextToken } = await queries.list(tenantId, after ?? null);
      return { queries: found.map(toMessage), ...(nextToken === null ? {} : { nextToken }) };
    },
    async getSavedQuery({ savedQueryId }, context) {
      return toMessage(await queries.get(consoleCallerOf(context).tenantId, savedQueryId));
    },
    async createSavedQuery({ name, sql }, context) {
      return toMessage(await queries.create(await authorOf(context), name, sql));
    },
    async updateSavedQuery({ savedQueryId, name = null, sql = null, version: revision = null }, context) {
      return toMessage(await queries.update(await authorOf(context), savedQueryId, { name, sql, revision }));
    },
    async listSavedQueryTexts({ savedQueryId }, context) {
      return { texts: await queries.texts(await authorOf(context), savedQueryId) };
    },
    async deleteSavedQuery({ savedQueryId }, context) {
      await queries.remove(await authorOf(context), savedQueryId);
      return {};
    },
  };
}
