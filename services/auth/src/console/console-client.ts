/**
 * The console as a client of the hosted login. It is ours: nobody consents to it, and nobody but `ConsoleSessions` redeems
 * its codes.
 */
export const CONSOLE_CLIENT_ID = 'penstock-console';

/** Where the hosted login sends a browser back, from the console's URL. */
export const callbackOf = (consoleUrl: string): string => `${consoleUrl}/callback`;

/** The console as OAuth client metadata. */
export function consoleClientMetadata(consoleUrl: string): Readonly<Record<string, unknown>> {
  return Object.freeze({
    client_id: CONSOLE_CLIENT_ID,
    client_name: 'Penstock console',
    redirect_uris: [callbackOf(consoleUrl)],
    grant_types: ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
}
