/** Where the browser signs in; the gateway serves it. */
export const loginPageUrl = (mcpUrl: string, interactionId: string): string =>
  `${mcpUrl}/login?interaction=${encodeURIComponent(interactionId)}`;

/** The interaction that a redirect to the login page names; null for a redirect to anywhere else. */
export function interactionOf(mcpUrl: string, location: string): string | null {
  const start = `${mcpUrl}/login?interaction=`;
  return location.startsWith(start) ? decodeURIComponent(location.slice(start.length)) : null;
}
