import type { ConsoleSession, Role } from '../../../../src/console/api/session.ts';
import type { Answers } from '../answers.ts';

export const TENANT = 'tnt_0192f0c1d2e37f4a8b9c0d1e2f3a4b5c';

/** So long ago, from when the picture is taken. */
export const before = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

export function sessionOf(role: Role): ConsoleSession {
  return {
    sessionId: 'ses_1',
    user: { userId: 'usr_1', email: 'ada.lovelace@analytical-engines.example.com', role },
    tenant: { tenantId: TENANT, name: 'Analytical Engines' },
    scopes:
      role === 'admin' ? ['query', 'schemas:read', 'schemas:write', 'usage:read'] : ['query', 'schemas:read'],
    signedInAt: before(2),
    expiresAt: before(-10),
    urls: { base: 'https://penstock.example.com', mcp: 'https://mcp.example.com/mcp' },
    limits: {
      sqlBytesMax: 65_536,
      rowsPerPageMax: 10_000,
      timeoutMsMax: 300_000,
      allowlistTablesMax: 500,
      usageRangeDaysMax: 366,
      nameCharsMax: 200,
      clientsMax: 200,
      peopleMax: 500,
      savedQueriesMax: 1_000,
      savedQueryNameCharsMax: 120,
      unitsOfBudgetMax: 1e12,
    },
  };
}

export const signedIn = (role: Role = 'admin'): Answers => ({
  'GET /console/api/session': { data: sessionOf(role) },
});

/** What a gateway that is away answers. */
export const AWAY = {
  status: 503,
  code: 'UNAVAILABLE',
  message: 'Penstock is not available now; try again',
} as const;

/** Text that is meant to do harm: markup, another direction, what is not seen. */
export const HOSTILE = '<img src=x onerror=alert(1)>\u202Egnp.exe\u200B';
