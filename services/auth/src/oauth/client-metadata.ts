/** What a public client may say of itself, at registration and in a metadata document. */
import { z } from 'zod';
import { CLIENT_METADATA } from '../limits.ts';
import { redirectUriProblem } from './redirect-uris.ts';

const displayUri = z
  .string()
  .max(CLIENT_METADATA.uriCharsMax)
  .refine((uri) => URL.canParse(uri) && new URL(uri).protocol === 'https:', 'must be an https URL')
  .optional();

/** Control characters and those that turn the direction of text could make a name pass for another. */
const misleading = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const common = {
  client_name: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(CLIENT_METADATA.nameCharsMax)
    .refine((name) => !misleading.test(name), 'must not have control characters'),
  redirect_uris: z
    .array(
      z.string().superRefine((uri, context) => {
        const problem = redirectUriProblem(uri);
        if (problem !== null) context.addIssue({ code: 'custom', message: problem });
      }),
    )
    .min(1, 'must have at least one')
    .max(CLIENT_METADATA.redirectUrisMax),
  client_uri: displayUri,
  logo_uri: displayUri,
  tos_uri: displayUri,
  policy_uri: displayUri,
};

const among = (allowed: readonly string[], required: string) =>
  z
    .array(z.string())
    .refine((given) => given.includes(required), `must include ${required}`)
    .refine(
      (given) => given.every((each) => allowed.includes(each)),
      `may only have ${allowed.join(' and ')}: registered clients are public`,
    );

/** Fields that are not here are left out, as RFC 7591, section 2, wants it; so none of them causes an outbound call. */
const registrationSchema = z.object({
  ...common,
  grant_types: among(['authorization_code', 'refresh_token'], 'authorization_code'),
  response_types: among(['code'], 'code'),
  token_endpoint_auth_method: z.literal('none', {
    error: 'must be none: registered clients are public, they get no secret',
  }),
});

/** A document may name grants for other servers too; those are left out. */
const documentSchema = z.object({
  ...common,
  client_id: z.string(),
  grant_types: z
    .array(z.string())
    .refine((given) => given.includes('authorization_code'))
    .optional(),
  response_types: z
    .array(z.string())
    .refine((given) => given.includes('code'))
    .optional(),
  token_endpoint_auth_method: z.literal('none').optional(),
});

/** The fields in which our clients can differ. Everything else is set here. */
type PublicClientMetadata = Readonly<Record<string, unknown>>;

function completed(given: object): PublicClientMetadata {
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    // Interactive flows always give a refresh token.
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  };
}

function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  return path === ''
    ? 'The client metadata must be a JSON object'
    : `${path}: ${issue?.message ?? 'invalid'}`;
}

/** The client that a registration describes, or what is wrong with it. */
export function readRegistration(
  body: unknown,
): { readonly metadata: PublicClientMetadata } | { readonly problem: string } {
  const read = registrationSchema.safeParse(body);
  return read.success ? { metadata: completed(read.data) } : { problem: describe(read.error) };
}

/** The client that a metadata document describes. Throws where it describes none. */
export function readDocument(body: unknown): PublicClientMetadata {
  return completed(documentSchema.parse(body));
}
