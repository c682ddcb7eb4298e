/** What was filled in, kept in this browser until the schema is made: AWS's console is another tab, and takes time. */
import { keep, keptJson } from '../../app/kept.ts';
import { ROLE_NAME, roleArnOf, type RoleDraft, type TableChoice } from './role/draft.ts';
import type { SchemaRecord } from '../common/schemas.ts';
import { newExternalId } from './role/external-id.ts';
import { tableNames } from './field-problems.ts';

/** The wizard's fields, as they were typed. */
export type WizardValues = {
  readonly schemaName: string;
  readonly region: string;
  readonly accountId: string;
  readonly penstockAccountId: string;
  readonly choice: string;
  readonly tables: string;
  readonly externalId: string;
  /** Empty: as the commands and the template make it. */
  readonly roleArn: string;
};

const NAME = 'connect';

const isValues = (value: unknown): value is WizardValues & { readonly tenantId: string } =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(emptyValues('')).every((name) => typeof (value as Record<string, unknown>)[name] === 'string');

export const emptyValues = (tenantId: string): WizardValues => ({
  schemaName: '',
  region: '',
  accountId: '',
  penstockAccountId: '',
  choice: 'named',
  tables: '',
  externalId: newExternalId(tenantId),
  roleArn: '',
});

/** Where the browser keeps nothing, it is kept until the page is left. */
let inMemory: (WizardValues & { readonly tenantId: string }) | null = null;

/** What this tenant left unfinished, or a new start with an external ID of its own. */
export function keptValues(tenantId: string): WizardValues {
  const values = inMemory ?? keptJson(NAME, isValues);
  return values !== null && values.tenantId === tenantId ? values : emptyValues(tenantId);
}

export function keepValues(tenantId: string, values: WizardValues): void {
  inMemory = { ...values, tenantId };
  keep(NAME, JSON.stringify(inMemory));
}

export function forgetValues(): void {
  inMemory = null;
  keep(NAME, null);
}

const choiceOf = ({ choice, tables }: WizardValues): TableChoice =>
  choice === 'tagged' ? { kind: 'tagged' } : { kind: 'named', names: tableNames(tables) };

/** The role that the fields ask for. */
export function draftOf(values: WizardValues, penstockAccountId: string): RoleDraft {
  const { region, accountId, externalId } = values;
  return { region, accountId, penstockAccountId, externalId, roleName: ROLE_NAME, tables: choiceOf(values) };
}

/** The ARN to register: what was pasted, else the one that the role will have. */
export const arnOf = (values: WizardValues): string =>
  values.roleArn === '' ? roleArnOf(draftOf(values, '')) : values.roleArn.trim();

/** The allowlist of the schema. */
export const allowlistOf = (values: WizardValues): readonly string[] =>
  values.choice === 'tagged' ? ['*'] : tableNames(values.tables);

/** The role of a schema that is there, for texts that mend it. */
export function draftOfSchema(schema: SchemaRecord, penstockAccountId: string): RoleDraft {
  const { region, accountId, externalId, roleArn, tableAllowlist } = schema;
  return {
    region,
    accountId,
    penstockAccountId,
    externalId,
    roleName: roleArn.slice(roleArn.lastIndexOf('/') + 1),
    tables: tableAllowlist.includes('*') ? { kind: 'tagged' } : { kind: 'named', names: tableAllowlist },
  };
}
