import type { ConnectGuide } from '../../../../src/console/api/connect.ts';
import type { Act, State, States } from '../state.ts';
import { ORDERS, schemaOf, TABLES } from './catalog.ts';
import { TENANT } from './session.ts';

const guide = (change: Partial<ConnectGuide> = {}): ConnectGuide => ({
  serviceAccountId: '444455556666',
  externalId: `penstock-${TENANT}-0d2c7a52-1f0e-4f5f-9a52-3f8a3a1f4b52`,
  templateUrl: 'https://penstock-templates.s3.eu-west-1.amazonaws.com/penstock-access.yaml',
  template: 'AWSTemplateFormatVersion: 2010-09-09\n',
  ...change,
});

const list = {
  'GET /v1/schemas': {
    data: { items: [schemaOf(), schemaOf({ schemaName: 'old', status: 'disabled', tableAllowlist: ['*'] })] },
  },
  'GET /v1/schemas/shop': { data: schemaOf() },
  'GET /console/api/connect': { data: guide() },
  'GET /console/api/catalog': { data: { tables: TABLES } },
};

const none = { ...list, 'GET /v1/schemas': { data: { items: [] } } };

const fill: Act = async (page) => {
  await page.getByLabel('Schema name').fill('stock');
  await page.getByLabel('Region').fill('eu-west-1');
  await page.getByLabel('AWS account ID').fill('1111-2222-3333');
  await page.getByLabel('Table names').fill('customers\norders');
};

const toRole: Act = async (page) => {
  await fill(page);
  await page.getByRole('button', { name: 'Next: the role' }).click();
  await page.getByRole('heading', { name: 'Make the role' }).waitFor();
};

const onTab =
  (name: string): Act =>
  async (page) => {
    await toRole(page);
    await page.getByRole('tab', { name }).click();
  };

const checkedWith = (message: string, ok = false): State => ({
  path: 'connect/schemas/shop?check=1',
  answers: { ...list, 'POST /v1/schemas/shop/validate-role': { data: { ok, message } } },
  shows: ok ? 'The role works' : 'The role needs mending',
});

const wrongId = checkedWith(
  'The role arn:aws:iam::111122223333:role/penstock-access could not be assumed: check that the role exists, that its ' +
    'trust policy trusts the service and requires this external ID',
);

export const connectStates: States = {
  connect: { path: 'connect', answers: list, shows: 'Connect an account' },
  'connect-first': { path: 'connect', answers: none, shows: 'Connect your first account' },
  'connect-wrong-fields': {
    path: 'connect/new',
    answers: list,
    shows: 'Where are your tables?',
    act: async (page) => {
      await page.getByLabel('Region').fill('Europe');
      await page.getByLabel('AWS account ID').fill('1234');
      await page.getByRole('button', { name: 'Next: the role' }).click();
      await page.getByText('Must have 12 digits').waitFor();
    },
  },
  'connect-no-operator': {
    path: 'connect/new',
    answers: {
      ...list,
      'GET /console/api/connect': { data: guide({ serviceAccountId: null, templateUrl: null }) },
    },
    shows: 'Account that Penstock runs in',
  },
  'connect-role-cloudformation': {
    path: 'connect/new',
    answers: list,
    shows: 'Where are your tables?',
    act: toRole,
  },
  'connect-role-upload': {
    path: 'connect/new',
    answers: { ...list, 'GET /console/api/connect': { data: guide({ templateUrl: null }) } },
    shows: 'Where are your tables?',
    act: toRole,
  },
  'connect-role-terraform': {
    path: 'connect/new',
    answers: list,
    shows: 'Where are your tables?',
    act: onTab('Terraform'),
  },
  'connect-role-cli': {
    path: 'connect/new',
    answers: list,
    shows: 'Where are your tables?',
    act: onTab('AWS CLI'),
  },
  'connect-role-policies': {
    path: 'connect/new',
    answers: list,
    shows: 'Where are your tables?',
    act: onTab('Policies'),
  },
  'connect-role-tagged': {
    path: 'connect/new',
    answers: list,
    shows: 'Where are your tables?',
    act: async (page) => {
      await fill(page);
      await page.getByLabel('Those that I tag').check();
      await page.getByRole('button', { name: 'Next: the role' }).click();
      await page.getByRole('heading', { name: 'Tag the tables' }).waitFor();
    },
  },
  'connect-checking': {
    path: 'connect/schemas/shop?check=1',
    answers: { ...list, 'POST /v1/schemas/shop/validate-role': null },
    shows: 'Checking the role',
  },
  'connect-works': checkedWith('The role can be assumed and may read all 3 tables of the allowlist', true),
  'connect-wrong-external-id': wrongId,
  'connect-wrong-external-id-commands': {
    ...wrongId,
    act: (page) => page.getByText('Commands that mend it').click(),
  },
  'connect-wrong-tables': checkedWith(
    'The role can be assumed without an external ID, so whoever learns its ARN could have it read through this service: add ' +
      'the condition {"StringEquals": {"sts:ExternalId": "<the schema\'s externalId>"}} to its trust policy. ' +
      'customers: the role may not perform dynamodb:Scan; orders: there is no such table in eu-west-1; order_events: the KMS ' +
      'key that encrypts it may not be used: allow the role kms:Decrypt on it, and see that it is enabled',
  ),
  'connect-schema': { path: 'connect/schemas/shop', answers: list, shows: 'What it is' },
  'connect-schema-edit': {
    path: 'connect/schemas/shop',
    answers: list,
    shows: 'What it is',
    act: (page) => page.getByRole('button', { name: 'Edit' }).click(),
  },
  'connect-schema-delete': {
    path: 'connect/schemas/shop',
    answers: list,
    shows: 'What it is',
    act: (page) => page.getByRole('button', { name: 'Delete' }).click(),
  },
  'connect-schema-disabled': {
    path: 'connect/schemas/shop',
    answers: {
      ...list,
      'GET /v1/schemas/shop': {
        data: schemaOf({ status: 'disabled', readLimits: { unitsPerQuery: 1_000 } }),
      },
    },
    shows: 'This schema is disabled',
  },
  'connect-schema-no-tables': {
    path: 'connect/schemas/shop',
    answers: { ...list, 'GET /console/api/catalog': { data: { tables: [] } } },
    shows: 'None is known yet',
  },
  'connect-schema-one-table': {
    path: 'connect/schemas/shop',
    answers: { ...list, 'GET /console/api/catalog': { data: { tables: [ORDERS] } } },
    shows: 'Write a first query',
  },
};
