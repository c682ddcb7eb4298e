/** An error as OAuth has it: a value of the response, never an exception. */
export interface OAuthFailure {
  readonly error: string;
  readonly errorDescription: string;
  readonly httpStatus: number;
  readonly retryAfterS?: number;
  readonly wwwAuthenticate?: string;
}

export const oauthFailure = (error: string, errorDescription: string, httpStatus = 400): OAuthFailure =>
  Object.freeze({ error, errorDescription, httpStatus });

/** The contract's 429. */
export const tooManyTries = (retryAfterS: number): OAuthFailure =>
  Object.freeze({
    ...oauthFailure('temporarily_unavailable', `Too many tries; try again in ${retryAfterS} s`, 429),
    retryAfterS,
  });

/** Codes of oidc-provider that the contract does not have, and the contract's codes for them. */
const contractCodes: Readonly<Record<string, string>> = {
  invalid_redirect_uri: 'invalid_client_metadata',
  invalid_target: 'invalid_request',
};

/** The contract's word for an error code of oidc-provider's. */
export const contractCode = (code: string): string => contractCodes[code] ?? code;

/** A client ID that names a metadata document, or tries to. */
export const isDocumentUrl = (clientId: string | undefined): boolean => /^https?:/i.test(clientId ?? '');

const documentProblem =
  'The client metadata document cannot be used: it must be a JSON object of at most 5 KB that a public https address ' +
  'answers with 200 within 3 s, with client_id equal to its URL, client_name, redirect_uris that are https or http on ' +
  '127.0.0.1 or localhost, and no client authentication';

/** What oidc-provider answered, in the contract's words. `clientId` as the request had it. */
export function failureOf(
  response: { status: number; body: unknown; wwwAuthenticate?: string },
  clientId: string | undefined,
): OAuthFailure {
  const { status, body, wwwAuthenticate } = response;
  const answer = typeof body === 'object' && body !== null ? body : {};
  const code = 'error' in answer && typeof answer.error === 'string' ? answer.error : 'server_error';
  if (status >= 500 || code === 'server_error') {
    return oauthFailure('server_error', 'Internal error; try again', 500);
  }
  const description =
    'error_description' in answer && typeof answer.error_description === 'string'
      ? answer.error_description
      : code;
  // 400 `invalid_client` is oidc-provider's word for a document that it could not fetch (401 is wrong credentials).
  const documentCodes = ['invalid_client', 'invalid_client_metadata'];
  if (isDocumentUrl(clientId) && status === 400 && documentCodes.includes(code)) {
    return oauthFailure('invalid_client_metadata', documentProblem);
  }
  const failure = oauthFailure(contractCode(code), description, status);
  return wwwAuthenticate === undefined ? failure : { ...failure, wwwAuthenticate };
}
