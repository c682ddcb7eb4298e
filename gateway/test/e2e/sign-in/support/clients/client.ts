/** An application that wants to use Penstock for its user: what each of the libraries makes possible. */
export interface Agent {
  /**
   * From nothing to an access token. `browse` takes the user to a URL and gives the one that they come back with.
   */
  connect(browse: (url: URL) => Promise<URL>): Promise<void>;
  /** Calls a tool on /mcp with the access token it has; throws unless that succeeds. */
  callTool(): Promise<void>;
  /** Gets new tokens for its refresh token, as the library does it. */
  refresh(): Promise<void>;
  tokens(): AgentTokens;
  close(): Promise<void>;
}

export interface AgentTokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
}

/** Who the application is. */
export type Identity =
  | { readonly kind: 'registers-itself' }
  | { readonly kind: 'metadata-document'; readonly url: string }
  | { readonly kind: 'known'; readonly clientId: string };

export interface AgentOptions {
  readonly mcpUrl: string;
  readonly redirectUrl: string;
  readonly identity: Identity;
}

export const CLIENT_NAME = 'Test agent';
export const TOOL = 'list_tables';
