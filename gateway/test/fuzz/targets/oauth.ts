/** OAuth's endpoints. Their parameters are the fields of the messages that auth takes, by their names in the .proto. */
import type { DescMessage } from '@bufbuild/protobuf';
import {
  BeginAuthorizationRequestSchema,
  ExchangeTokenRequestSchema,
  RevokeTokenRequestSchema,
} from '@penstock/common/gen/penstock/auth/v1/oauth_pb.js';
import type { Random } from '../../chaos/random.ts';
import { redirectUri, registration } from '../../login/support/sign-in.ts';
import { nastyText } from '../support/nasty.ts';
import { spoiledValue, type Field } from '../support/shapes.ts';
import { bodyBytes } from './bodies.ts';
import { spoiledHeaders } from './headers.ts';
import type { Target } from './target.ts';

/** Long enough for every bound, short enough for a form and a URL. */
const CHARS_MAX = 9_000;

const parametersOf = (message: DescMessage): readonly string[] =>
  message.fields.flatMap((field) =>
    field.fieldKind === 'message'
      ? parametersOf(field.message)
      : field.fieldKind === 'enum'
        ? []
        : [field.name],
  );

const nasty = (random: Random): string =>
  nastyText(random, [512, 2_048, 4_096]).slice(0, CHARS_MAX).toWellFormed();

/** Each of these may come from an address of its own, so that throttles do not end the fuzz. */
const somewhere = (random: Random): string => `203.0.${random.below(256)}.${random.below(256)}`;

/** Some of the parameters good, some spoiled, some absent, one now and then twice. */
function form(
  random: Random,
  names: readonly string[],
  good: Readonly<Record<string, string>>,
): URLSearchParams {
  const given = new URLSearchParams();
  for (const name of names) {
    const value = good[name];
    if (value !== undefined && random.below(3) > 0) given.append(name, value);
    else if (random.below(4) === 0) given.append(name, nasty(random));
  }
  const spoilt = random.pick(names);
  if (random.below(12) === 0) given.append(spoilt, nasty(random));
  else given.set(spoilt, nasty(random));
  return given;
}

export function oauthTargets(clientId: string, resource: string): readonly Target[] {
  const good = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'state-1',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    resource,
    code: 'c',
    code_verifier: 'v'.repeat(43),
    refresh_token: 'r',
    token: 't',
  };
  const grants = ['authorization_code', 'refresh_token', 'client_credentials'];
  const post = (path: string, message: DescMessage, more: readonly string[] = []): Target => {
    const names = [...parametersOf(message), ...more];
    return {
      name: `POST ${path}`,
      next: (random) => ({
        method: 'POST',
        path,
        headers: spoiledHeaders(random, {
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': somewhere(random),
          ...(random.below(3) === 0
            ? { authorization: `Basic ${Buffer.from(nasty(random)).toString('base64').slice(0, 4_000)}` }
            : {}),
        }),
        body: bodyBytes(random, form(random, names, { ...good, grant_type: random.pick(grants) }).toString()),
      }),
    };
  };
  const registrationFields: readonly Field[] = [
    ...Object.keys(registration),
    ...[
      'client_uri',
      'logo_uri',
      'tos_uri',
      'policy_uri',
      'scope',
      'contacts',
      'jwks',
      'jwks_uri',
      'software_id',
    ],
    ...['sector_identifier_uri', 'default_max_age', 'application_type', 'post_logout_redirect_uris'],
  ].map((name) => ({ path: [name], bounds: [100, 2_048] }));
  const authorize = parametersOf(BeginAuthorizationRequestSchema);
  return [
    {
      name: 'GET /authorize',
      next: (random) => ({
        method: 'GET',
        path: `/authorize?${form(random, authorize, good).toString().slice(0, CHARS_MAX)}`,
        headers: spoiledHeaders(random, { 'x-forwarded-for': somewhere(random) }),
      }),
    },
    post('/token', ExchangeTokenRequestSchema, ['grant_type']),
    post('/revoke', RevokeTokenRequestSchema),
    {
      name: 'POST /register',
      next: (random) => ({
        method: 'POST',
        path: '/register',
        headers: spoiledHeaders(random, {
          'content-type': 'application/json',
          'x-forwarded-for': somewhere(random),
        }),
        body: bodyBytes(random, spoiledValue(random, registration, registrationFields)),
      }),
    },
  ];
}
