import type { Account } from '../../../../src/console/api/account.ts';
import type { States } from '../state.ts';
import { before, HOSTILE, sessionOf } from './session.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Mobile/15E148 Safari/604.1';

const agents = {
  'GET /console/api/agents': {
    data: {
      items: [
        {
          agentId: 'a1',
          name: 'Claude Code',
          redirectHost: '127.0.0.1:53682',
          scopes: ['query', 'schemas:read'],
          allowedAt: before(3),
          expiresAt: before(-9),
        },
        {
          agentId: 'a2',
          name: HOSTILE,
          redirectHost: 'chatgpt.com',
          scopes: ['query'],
          allowedAt: before(1),
          expiresAt: before(-11),
        },
      ],
    },
  },
};

const account: Account = {
  email: 'ada.lovelace@analytical-engines.example.com',
  hasPassword: true,
  hasOneTimeCode: true,
  passkeys: [
    { passkeyId: 'p1', createdAt: before(24 * 50), transports: ['internal'] },
    { passkeyId: 'p2', createdAt: before(24 * 8), transports: ['usb', 'nfc'] },
  ],
  sessions: [
    {
      sessionId: 'ses_1',
      current: true,
      signedInAt: before(2),
      lastUsedAt: before(0.1),
      expiresAt: before(-10),
      userAgent: FIREFOX,
    },
    {
      sessionId: 'ses_2',
      current: false,
      signedInAt: before(30),
      lastUsedAt: before(8),
      expiresAt: before(-4),
      userAgent: SAFARI,
    },
    {
      sessionId: 'ses_3',
      current: false,
      signedInAt: before(30),
      lastUsedAt: before(8),
      expiresAt: before(-4),
      userAgent: HOSTILE,
    },
  ],
};

const own = { 'GET /console/api/account': { data: account } };

export const agentsStates: States = {
  agents: { path: 'agents', answers: agents, shows: 'Claude Code' },
  'agents-open': {
    path: 'agents',
    answers: agents,
    shows: 'Claude Code',
    act: (page) => page.getByText('VS Code').click(),
  },
  'agents-none': {
    path: 'agents',
    answers: {
      'GET /console/api/session': {
        data: {
          ...sessionOf('member'),
          urls: { base: 'http://localhost:8080', mcp: 'http://localhost:8080/mcp' },
        },
      },
      'GET /console/api/agents': { data: { items: [] } },
    },
    shows: 'None at present',
  },
  'agents-revoke': {
    path: 'agents',
    answers: agents,
    shows: 'Claude Code',
    act: (page) => page.getByRole('button', { name: 'Revoke Claude Code' }).click(),
  },
  account: { path: 'account', answers: own, shows: 'Firefox on Linux' },
  'account-fresh': {
    path: 'account',
    answers: {
      ...own,
      'POST /console/api/account/enrollment-link': {
        status: 403,
        code: 'SIGN_IN_AGAIN',
        message: 'Sign in again for this',
      },
    },
    shows: 'Firefox on Linux',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add or change' }).click();
      await page.getByText('Sign in again first').waitFor();
    },
  },
  'account-sign-out-everywhere': {
    path: 'account',
    answers: own,
    shows: 'Firefox on Linux',
    act: (page) => page.getByRole('button', { name: 'Sign out everywhere' }).click(),
  },
  'account-menu': {
    path: 'agents',
    answers: agents,
    shows: 'Claude Code',
    act: (page) => page.getByRole('button', { name: /^Account of/ }).click(),
  },
};
