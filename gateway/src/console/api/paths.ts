/** Every path of the console's server. Parameters are percent-encoded here. */
import { CONSOLE_PATH } from './protocol.ts';

const API = `${CONSOLE_PATH}/api`;
const part = encodeURIComponent;

/**
 * Where the browser goes (a navigation, not a fetch) to sign in. It comes back to `returnTo`, a path of the console
 * with its query; a fragment does not get there, so keep it in sessionStorage. `fresh` asks for a sign-in even where
 * the browser is signed in.
 */
export function signInPath(returnTo: string, options: { readonly fresh?: boolean } = {}): string {
  const query = new URLSearchParams({ return: returnTo, ...(options.fresh === true ? { fresh: '1' } : {}) });
  return `${CONSOLE_PATH}/sign-in?${query.toString()}`;
}

/** Where the hosted login sends the browser back. */
export const CALLBACK_PATH = `${CONSOLE_PATH}/callback`;

export const PATHS = Object.freeze({
  /** GET → ConsoleSession. */
  session: `${API}/session`,
  /** POST, no body → SignedOut. */
  signOut: `${API}/sign-out`,
  /** POST, no body → SignedOut: all sessions of the user end, this one too. */
  signOutEverywhere: `${API}/sign-out-everywhere`,
  /** GET `?nextToken=` → CatalogPage. */
  catalog: `${API}/catalog`,
  /** GET → SqlReference; the same for all, until the page is loaded again. */
  sqlReference: `${API}/sql-reference`,
  /** GET → ConnectGuide; admins. */
  connect: `${API}/connect`,
  /** GET → Page<ApiClient>. POST NewClient → ClientCredentials. Admins. */
  clients: `${API}/clients`,
  /** GET → Page<Person>. POST NewPerson → Invitation. Admins. */
  people: `${API}/people`,
  /** GET → BudgetList; admins. */
  budgets: `${API}/budgets`,
  /** GET → Page<SavedQuery>. POST NewSavedQuery → SavedQuery. */
  savedQueries: `${API}/saved-queries`,
  /** GET → Page<Agent>: those that this user allowed. */
  agents: `${API}/agents`,
  /** GET → Account: the user's own. */
  account: `${API}/account`,
  /** POST, no body → EnrollmentLink: to add a passkey or a new one-time code of one's own. Needs a fresh sign-in. */
  enrollmentLink: `${API}/account/enrollment-link`,
  /** GET `?startDate=&endDate=`, as of /v1/usage/summary → UsageByPrincipal; admins. */
  usageByPrincipal: `${API}/usage/by-principal`,
});

/** GET → CatalogTable: described and sampled now where it never was, which takes seconds. */
export const catalogTablePath = (schemaName: string, tableName: string): string =>
  `${PATHS.catalog}/${part(schemaName)}/${part(tableName)}`;

/** POST, no body. → ClientCredentials for `rotate-secret`, else ApiClient. Admins. */
export const clientActionPath = (clientId: string, action: 'rotate-secret' | 'disable' | 'enable'): string =>
  `${PATHS.clients}/${part(clientId)}/${action}`;

/** POST, no body → Person; admins. `enroll-again` → Invitation: for somebody who has lost their device. */
export const personActionPath = (userId: string, action: 'disable' | 'enable' | 'enroll-again'): string =>
  `${PATHS.people}/${part(userId)}/${action}`;

/** PATCH PersonChange → Person; admins. */
export const personPath = (userId: string): string => `${PATHS.people}/${part(userId)}`;

/** PUT BudgetAmounts → Budget. DELETE → Deleted. Without a client: the tenant's own. Admins. */
export const budgetPath = (clientId: string | null): string =>
  clientId === null ? `${PATHS.budgets}/tenant` : `${PATHS.budgets}/clients/${part(clientId)}`;

/** GET → SavedQuery. PATCH SavedQueryChange → SavedQuery. DELETE → Deleted. */
export const savedQueryPath = (savedQueryId: string): string => `${PATHS.savedQueries}/${part(savedQueryId)}`;

/** GET → SavedQueryTexts. 403 `TENANT_ADMIN_REQUIRED` where it is another's. */
export const savedQueryTextsPath = (savedQueryId: string): string => `${savedQueryPath(savedQueryId)}/texts`;

/** DELETE → Deleted: all that the agent was given by this user ends. */
export const agentPath = (agentId: string): string => `${PATHS.agents}/${part(agentId)}`;

/** DELETE → Deleted: the session is out within seconds. */
export const sessionPath = (sessionId: string): string => `${PATHS.account}/sessions/${part(sessionId)}`;

/** DELETE → Deleted. Needs a fresh sign-in; the last way to sign in can't be removed. */
export const passkeyPath = (passkeyId: string): string => `${PATHS.account}/passkeys/${part(passkeyId)}`;
