import { z } from 'zod';
import type {
  SavedQuery as SavedQueryMessage,
  SavedQueryText as SavedQueryTextMessage,
} from '../../clients/console-messages.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import { answered } from '../../clients/service-call.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pathParameter } from '../../http/path-parameter.ts';
import { SAVED_QUERY_NAME_CHARS_MAX, SQL_BYTES_MAX } from '../../limits.ts';
import { validQueryParameters } from '../../validation/query-parameters.ts';
import { PATHS } from '../api/paths.ts';
import type { Page } from '../api/protocol.ts';
import type { SavedQuery, SavedQueryText, SavedQueryTexts } from '../api/saved-queries.ts';
import type { Deleted } from '../api/session.ts';
import { bodyOf } from './body.ts';
import { nextOf, pageParameters } from './parameters.ts';
import { consoleRoute, type ConsoleRoutes } from './route.ts';

const name = z.string().trim().min(1).max(SAVED_QUERY_NAME_CHARS_MAX);
const sql = z
  .string()
  .min(1)
  .refine((text) => Buffer.byteLength(text) <= SQL_BYTES_MAX, {
    error: `must be at most ${SQL_BYTES_MAX} bytes in UTF-8`,
  });
const newQuery = z.strictObject({ name, sql });
const queryChange = z
  .strictObject({ name: name.optional(), sql: sql.optional(), version: z.int().min(1).optional() })
  .refine((change) => change.name !== undefined || change.sql !== undefined, {
    error: 'must have a name or sql',
  });

function shown({
  savedQueryId,
  name: shownName,
  sql: text,
  version,
  createdAt,
  updatedAt,
  updatedBy,
  createdBy,
}: SavedQueryMessage): SavedQuery {
  return { savedQueryId, name: shownName, sql: text, version, createdAt, updatedAt, updatedBy, createdBy };
}

function shownText({ number, sql: text, savedAt, savedBy }: SavedQueryTextMessage): SavedQueryText {
  return { number, sql: text, savedAt, savedBy };
}

/** Queries that the tenant's people keep. */
export function savedQueryEndpoints(
  options: ConsoleRoutes & { readonly savedQueries: GatewayClients['savedQueries'] },
): readonly Endpoint[] {
  const { savedQueries } = options;
  const one = `${PATHS.savedQueries}/:savedQueryId`;
  const idIn = (exchange: Parameters<typeof pathParameter>[0]): { savedQueryId: string } => ({
    savedQueryId: pathParameter(exchange, 'savedQueryId'),
  });
  return [
    consoleRoute(options, 'get', PATHS.savedQueries, async ({ exchange, rpc }) => {
      const page = await answered(
        savedQueries.listSavedQueries(validQueryParameters(exchange, pageParameters), rpc),
      );
      return { items: page.queries.map(shown), ...nextOf(page) } satisfies Page<SavedQuery>;
    }),
    consoleRoute(
      options,
      'post',
      PATHS.savedQueries,
      async ({ exchange, rpc }) =>
        shown(await answered(savedQueries.createSavedQuery(await bodyOf(exchange, newQuery), rpc))),
      { status: 201 },
    ),
    consoleRoute(options, 'get', one, async ({ exchange, rpc }) =>
      shown(await answered(savedQueries.getSavedQuery(idIn(exchange), rpc))),
    ),
    consoleRoute(options, 'patch', one, async ({ exchange, rpc }) => {
      const change = await bodyOf(exchange, queryChange);
      const asked = {
        ...idIn(exchange),
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.sql === undefined ? {} : { sql: change.sql }),
        ...(change.version === undefined ? {} : { version: change.version }),
      };
      return shown(await answered(savedQueries.updateSavedQuery(asked, rpc)));
    }),
    consoleRoute(options, 'get', `${one}/texts`, async ({ exchange, rpc }) => {
      const { texts } = await answered(savedQueries.listSavedQueryTexts(idIn(exchange), rpc));
      return { texts: texts.map(shownText) } satisfies SavedQueryTexts;
    }),
    consoleRoute(options, 'delete', one, async ({ exchange, rpc }) => {
      await answered(savedQueries.deleteSavedQuery(idIn(exchange), rpc));
      return { deleted: true } satisfies Deleted;
    }),
  ];
}
