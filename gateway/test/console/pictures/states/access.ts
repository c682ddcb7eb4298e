import type { ApiClient } from '../../../../src/console/api/clients.ts';
import type { Person } from '../../../../src/console/api/people.ts';
import type { States } from '../state.ts';
import { TABLES } from './catalog.ts';
import { before, HOSTILE, signedIn } from './session.ts';

const clientOf = (name: string, change: Partial<ApiClient> = {}): ApiClient => ({
  clientId: `cli_0193b2f07c1d7e3a9f102b6c8d4e5f6${name.length % 10}`,
  name,
  scopes: ['query', 'schemas:read'],
  status: 'active',
  createdAt: before(24 * 40),
  lastUsedAt: before(5),
  ...change,
});

const personOf = (email: string, change: Partial<Person> = {}): Person => ({
  userId: `usr_${email.length}`,
  email,
  role: 'member',
  status: 'active',
  createdAt: before(24 * 90),
  enrolled: true,
  lastSignedInAt: before(26),
  self: false,
  ...change,
});

const clients = [
  clientOf('nightly-report'),
  clientOf('provisioning', {
    scopes: ['query', 'schemas:read', 'schemas:write', 'usage:read'],
    lastUsedAt: null,
  }),
  clientOf('old-exporter-of-the-finance-department', { status: 'disabled' }),
];

const people = [
  personOf('ada.lovelace@analytical-engines.example.com', { role: 'admin', self: true }),
  personOf('charles@example.com'),
  personOf('mary.somerville@example.com', { enrolled: false, lastSignedInAt: null }),
  personOf('john@example.com', { status: 'disabled' }),
];

const all = {
  'GET /console/api/clients': { data: { items: clients } },
  'GET /console/api/people': { data: { items: people } },
  'GET /console/api/catalog': { data: { tables: TABLES } },
  'GET /console/api/budgets': {
    data: {
      used: { today: 1_720.5, thisMonth: 60_000 },
      items: [
        {
          clientId: null,
          clientName: null,
          unitsPerDay: 2_000,
          unitsPerMonth: 100_000,
          byOperator: { unitsPerDay: 1_500, unitsPerMonth: null },
          used: { today: 1_720.5, thisMonth: 60_000 },
        },
        {
          clientId: clients[0]?.clientId,
          clientName: 'nightly-report',
          unitsPerDay: 500,
          unitsPerMonth: null,
          byOperator: null,
          used: { today: 12, thisMonth: 9_000 },
        },
      ],
    },
  },
};

const INVITED = {
  data: {
    person: people[2],
    enrollUrl:
      'https://penstock.example.com/enroll?token=0193b2f07c1d7e3a9f102b6c8d4e5f60-7c1d7e3a9f102b6c8d4e5f60',
    expiresAt: before(-168),
  },
};

export const accessStates: States = {
  access: { path: 'access', answers: all, shows: 'nightly-report' },
  'access-no-client': {
    path: 'access/clients',
    answers: { ...all, 'GET /console/api/clients': { data: { items: [] } } },
    shows: 'No API client yet',
  },
  'access-new-client': {
    path: 'access/clients',
    answers: all,
    shows: 'nightly-report',
    act: async (page) => {
      await page.getByRole('button', { name: 'New API client' }).click();
      await page.getByRole('button', { name: 'Make it' }).click();
      await page.getByText('Say what it is for').waitFor();
    },
  },
  'access-secret': {
    path: 'access/clients',
    answers: {
      ...all,
      'POST /console/api/clients': {
        data: {
          client: clientOf('weekly-report'),
          clientSecret: 'pss_Zk3r9v0Q1mXc7uYw2bTn5sLd8hJf4gKe6aPo0iVx',
        },
      },
    },
    shows: 'nightly-report',
    act: async (page) => {
      await page.getByRole('button', { name: 'New API client' }).click();
      await page.getByLabel('Name').fill('weekly-report');
      await page.getByRole('button', { name: 'Make it' }).click();
      await page.getByText('/v1/query').waitFor();
    },
  },
  'access-rotate': {
    path: 'access/clients',
    answers: all,
    shows: 'nightly-report',
    act: (page) => page.getByRole('button', { name: 'New secret for nightly-report' }).click(),
  },
  'access-hostile': {
    path: 'access/clients',
    answers: {
      ...all,
      'GET /console/api/clients': { data: { items: [clientOf(HOSTILE), clientOf('x'.repeat(200))] } },
    },
    shows: /onerror/,
  },
  'access-people': { path: 'access/people', answers: all, shows: 'charles@example.com' },
  'access-invite': {
    path: 'access/people',
    answers: all,
    shows: 'charles@example.com',
    act: async (page) => {
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await page.getByLabel('E-mail address').fill('not an address');
      await page.getByRole('button', { name: 'Make the link' }).click();
    },
  },
  'access-invited': {
    path: 'access/people',
    answers: { ...all, 'POST /console/api/people': INVITED },
    shows: 'charles@example.com',
    act: async (page) => {
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await page.getByLabel('E-mail address').fill('mary.somerville@example.com');
      await page.getByRole('button', { name: 'Make the link' }).click();
      await page.getByText('A link for').waitFor();
    },
  },
  'access-disable-person': {
    path: 'access/people',
    answers: all,
    shows: 'charles@example.com',
    act: (page) => page.getByRole('button', { name: 'Disable charles@example.com' }).click(),
  },
  'access-budgets': { path: 'access/budgets', answers: all, shows: 'Everybody together' },
  'access-budget': {
    path: 'access/budgets',
    answers: all,
    shows: 'Everybody together',
    act: async (page) => {
      await page.getByRole('button', { name: 'Set a budget for an API client' }).click();
      await page.getByLabel('Read units a day').fill('lots');
      await page.getByRole('button', { name: 'Save' }).click();
    },
  },
  'access-member': { path: 'access', answers: signedIn('member'), shows: 'This page is for admins' },
};
