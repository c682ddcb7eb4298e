import { z } from 'zod';
import type {
  Invitation as InvitationMessage,
  Person as PersonMessage,
} from '../../clients/console-messages.ts';
import type { GatewayClients } from '../../clients/gateway-clients.ts';
import { answered } from '../../clients/service-call.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { pathParameter } from '../../http/path-parameter.ts';
import { EMAIL_CHARS_MAX } from '../../limits.ts';
import { validQueryParameters } from '../../validation/query-parameters.ts';
import { PATHS } from '../api/paths.ts';
import type { Invitation, Person } from '../api/people.ts';
import type { Page } from '../api/protocol.ts';
import { bodyOf } from './body.ts';
import { given } from './given.ts';
import { nextOf, pageParameters } from './parameters.ts';
import { consoleRoute, type ConsoleCall, type ConsoleRoutes } from './route.ts';
import type { SignedIn } from './sessions.ts';
import { timestampOf } from './timestamp.ts';

const role = z.enum(['admin', 'member']);
const newPerson = z.strictObject({ email: z.email().max(EMAIL_CHARS_MAX), role });
const personChange = z.strictObject({ role });

function shown(message: PersonMessage | undefined, { principal }: SignedIn): Person {
  const { user, enrolled, lastSignedInAt } = given(message);
  const { userId, email, role: current, status, createdAt } = given(user);
  return {
    ...{ userId, email, createdAt, enrolled, lastSignedInAt: lastSignedInAt ?? null },
    role: current === 'admin' ? 'admin' : 'member',
    status: status === 'active' ? 'active' : 'disabled',
    self: userId === principal.principalId,
  };
}

function invitation({ person, enrollUrl, expiresAt }: InvitationMessage, signedIn: SignedIn): Invitation {
  return { person: shown(person, signedIn), enrollUrl, expiresAt: timestampOf(expiresAt) };
}

/** The tenant's users. */
export function peopleEndpoints(
  options: ConsoleRoutes & { readonly tenantAdmin: GatewayClients['tenantAdmin'] },
): readonly Endpoint[] {
  const { tenantAdmin, sessions } = options;
  const route = (
    method: Endpoint['method'],
    path: string,
    handle: (call: ConsoleCall, userId: string) => Promise<unknown>,
    status = 200,
  ): Endpoint =>
    consoleRoute(
      options,
      method,
      `${PATHS.people}${path}`,
      (call) => handle(call, path === '' ? '' : pathParameter(call.exchange, 'userId')),
      { for: 'admins', status },
    );
  const setActive = (action: string, active: boolean): Endpoint =>
    route('post', `/:userId/${action}`, async ({ rpc, signedIn }, userId) => {
      const person = await answered(tenantAdmin.setPersonStatus({ userId, active }, rpc));
      sessions.forgetUser(userId);
      return shown(person, signedIn);
    });
  return [
    route('get', '', async ({ exchange, rpc, signedIn }) => {
      const page = await answered(
        tenantAdmin.listPeople(validQueryParameters(exchange, pageParameters), rpc),
      );
      const items = page.people.map((person) => shown(person, signedIn));
      return { items, ...nextOf(page) } satisfies Page<Person>;
    }),
    route(
      'post',
      '',
      async ({ exchange, rpc, signedIn }) =>
        invitation(
          await answered(tenantAdmin.invitePerson(await bodyOf(exchange, newPerson), rpc)),
          signedIn,
        ),
      201,
    ),
    route('patch', '/:userId', async ({ exchange, rpc, signedIn }, userId) => {
      const change = await bodyOf(exchange, personChange);
      const person = await answered(tenantAdmin.setPersonRole({ userId, ...change }, rpc));
      sessions.forgetUser(userId);
      return shown(person, signedIn);
    }),
    setActive('disable', false),
    setActive('enable', true),
    route('post', '/:userId/enroll-again', async ({ rpc, signedIn }, userId) =>
      invitation(await answered(tenantAdmin.reenrollPerson({ userId }, rpc)), signedIn),
    ),
  ];
}
