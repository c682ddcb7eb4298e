/**
 * The console's own endpoints, as an admin's page asks them: with the cookie of a session and the header. Not those that
 * end the session, without which nothing would be reached.
 */
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import type { ClientCredentials } from '../../../src/console/api/clients.ts';
import { PATHS } from '../../../src/console/api/paths.ts';
import type { Invitation } from '../../../src/console/api/people.ts';
import type { SavedQuery } from '../../../src/console/api/saved-queries.ts';
import { consoleUser, pageHeaders } from '../../console/support/console.ts';
import { nastyText } from '../support/nasty.ts';
import { spoiledValue, type Field } from '../support/shapes.ts';
import { bodyBytes } from './bodies.ts';
import { spoiledHeaders } from './headers.ts';
import type { Target } from './target.ts';

const PATH_CHARS_MAX = 3_000;

interface Described {
  readonly method: string;
  /** `*` stands for an ID. */
  readonly path: string;
  /** IDs that there are. */
  readonly known?: readonly string[];
  /** Names of the query. */
  readonly query?: readonly string[];
  /** One that is taken. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** @param tenantId of a tenant that nothing else is about: what is sent changes its budgets and clients */
export async function consoleTargets(stack: RunningStack, tenantId: string): Promise<readonly Target[]> {
  const { browser, call } = await consoleUser(stack, tenantId);
  const made = async <Data>(path: string, json: unknown): Promise<Data> =>
    (await call<{ data: Data }>('POST', path, { json })).body.data;
  const { client } = await made<ClientCredentials>(PATHS.clients, { name: 'fuzzed' });
  const saved = await made<SavedQuery>(PATHS.savedQueries, { name: 'fuzzed', sql: 'SELECT 1' });
  const clients = [client.clientId];
  const { person } = await made<Invitation>(PATHS.people, { email: 'fuzzed@example.com', role: 'member' });
  // Not the user's own: that of a new device ends all sessions.
  const people = [person.userId];
  const amounts = { unitsPerDay: 10.5, unitsPerMonth: null };
  const days = ['startDate', 'endDate'];
  const described: readonly Described[] = [
    { method: 'GET', path: PATHS.session },
    { method: 'GET', path: PATHS.catalog, query: ['nextToken'] },
    { method: 'GET', path: `${PATHS.catalog}/*/*` },
    { method: 'GET', path: PATHS.sqlReference },
    { method: 'GET', path: PATHS.connect },
    { method: 'GET', path: PATHS.clients, query: ['nextToken'] },
    { method: 'POST', path: PATHS.clients, body: { name: 'another', scopes: ['query'] } },
    { method: 'POST', path: `${PATHS.clients}/*/rotate-secret`, known: clients },
    { method: 'POST', path: `${PATHS.clients}/*/disable`, known: clients },
    { method: 'POST', path: `${PATHS.clients}/*/enable`, known: clients },
    { method: 'GET', path: PATHS.people, query: ['nextToken'] },
    { method: 'POST', path: PATHS.people, body: { email: 'somebody@example.com', role: 'member' } },
    { method: 'PATCH', path: `${PATHS.people}/*`, known: people, body: { role: 'admin' } },
    { method: 'POST', path: `${PATHS.people}/*/disable`, known: people },
    { method: 'POST', path: `${PATHS.people}/*/enroll-again`, known: people },
    { method: 'GET', path: PATHS.budgets },
    { method: 'PUT', path: `${PATHS.budgets}/tenant`, body: amounts },
    { method: 'PUT', path: `${PATHS.budgets}/clients/*`, known: clients, body: amounts },
    { method: 'DELETE', path: `${PATHS.budgets}/clients/*`, known: clients },
    { method: 'GET', path: PATHS.savedQueries, query: ['nextToken'] },
    { method: 'POST', path: PATHS.savedQueries, body: { name: 'another', sql: 'SELECT 2' } },
    {
      method: 'PATCH',
      path: `${PATHS.savedQueries}/*`,
      known: [saved.savedQueryId],
      body: { sql: 'SELECT 3' },
    },
    { method: 'GET', path: `${PATHS.savedQueries}/*/texts`, known: [saved.savedQueryId] },
    { method: 'DELETE', path: `${PATHS.savedQueries}/*` },
    { method: 'GET', path: PATHS.agents },
    { method: 'DELETE', path: `${PATHS.agents}/*` },
    { method: 'GET', path: PATHS.account },
    { method: 'POST', path: PATHS.enrollmentLink },
    { method: 'DELETE', path: `${PATHS.account}/sessions/*` },
    { method: 'DELETE', path: `${PATHS.account}/passkeys/*` },
    { method: 'GET', path: PATHS.usageByPrincipal, query: days },
  ];
  const headers = pageHeaders(stack.consoleUrl, browser);
  return described.map(({ method, path, known = [], query = [], body }): Target => {
    const fields: readonly Field[] = [[], ...Object.keys(body ?? {}).map((name) => [name])].map((each) => ({
      path: each,
      bounds: [],
    }));
    return {
      name: `${method} ${path}`,
      next: (random) => {
        const spoiled = (): string =>
          encodeURIComponent(nastyText(random).toWellFormed()).slice(0, PATH_CHARS_MAX).replace(/%.?$/, '');
        const isKnown = known.length > 0 && random.below(2) === 0;
        const filled = path.replaceAll('*', () => (isKnown ? random.pick(known) : spoiled() || 'x'));
        const asked = query.filter(() => random.below(2) === 0).map((name) => `${name}=${spoiled()}`);
        return {
          method,
          path: asked.length === 0 ? filled : `${filled}?${asked.join('&')}`,
          headers: spoiledHeaders(random, {
            ...headers,
            // Wrong cookies are counted by where they come from.
            'x-forwarded-for': `203.0.113.${random.below(256)}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          }),
          ...(body === undefined ? {} : { body: bodyBytes(random, spoiledValue(random, body, fields)) }),
        };
      },
    };
  });
}
