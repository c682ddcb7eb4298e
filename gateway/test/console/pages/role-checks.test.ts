import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { assumeRoleError } from '@penstock/common/aws/errors.ts';
import { toPenstockError } from '@penstock/common/dynamodb/errors.ts';
import { expect } from 'chai';
import type { FreshTables } from '../../../../services/schema-registry/src/dynamodb/fresh-tables.ts';
import { whyUnreadable } from '../../../../services/schema-registry/src/dynamodb/table-status.ts';
import type { TenantTables } from '../../../../services/schema-registry/src/dynamodb/tenant-tables.ts';
import type { SchemaRecord } from '../../../../services/schema-registry/src/schemas/schema-record.ts';
import { createValidateRole } from '../../../../services/schema-registry/src/roles/validate-role.ts';
import { mendingOf } from '../../../src/console/web/pages/connect/checks/mending.ts';
import { stepsOf, type Step } from '../../../src/console/web/pages/connect/checks/steps.ts';
import type { RoleDraft } from '../../../src/console/web/pages/connect/role/draft.ts';

const RECORD: SchemaRecord = Object.freeze({
  kind: 'schema',
  incarnation: 'i',
  revision: 1,
  readLimits: null,
  tenantId: 'tnt_0192f0c1d2e37f4a8b9c0d1e2f3a4b5c',
  schemaName: 'shop',
  region: 'eu-west-1',
  accountId: '111122223333',
  roleArn: 'arn:aws:iam::111122223333:role/penstock-access',
  externalId: 'penstock-x',
  tableAllowlist: ['orders', 'customers', 'a.b-c', 'four', 'five', 'six'],
  status: 'active',
  createdAt: '2026-11-26T00:00:00.000Z',
  updatedAt: '2026-11-26T00:00:00.000Z',
});

const DRAFT: RoleDraft = {
  ...RECORD,
  penstockAccountId: '000000000000',
  roleName: 'penstock-access',
  tables: { kind: 'named', names: RECORD.tableAllowlist },
};

/** What AWS would throw. */
const thrown = (name: string, message: string): Error => Object.assign(new Error(message), { name });

const denied = (action: string): PenstockError =>
  toPenstockError(
    thrown('AccessDeniedException', `User: x is not authorized to perform: ${action} on resource: y`),
    { schemaName: 'shop', tableName: 't' },
  );

interface Situation {
  readonly record?: Partial<SchemaRecord>;
  readonly isOwn?: boolean;
  readonly assume?: Error;
  readonly assumableWithout?: boolean | PenstockError;
  /** By table: what describing it throws. */
  readonly tables?: Readonly<Record<string, Error | null>>;
  readonly deniedIndexes?: readonly string[];
  readonly list?: Error;
}

/** The registry's own check of a role, in a situation. */
async function stepsIn(situation: Situation): Promise<readonly Step[]> {
  const record = { ...RECORD, ...situation.record };
  const tables = {
    describe: async (name: string) => {
      const error = situation.tables?.[name];
      if (error instanceof Error) throw error;
      return { indexes: (situation.deniedIndexes ?? []).map((index) => ({ name: index })) };
    },
    scan: async () => ({ items: [], readUnits: 0.5, ended: true }),
    probeIndex: async (_table: string, _index: unknown, action: string) => {
      throw denied(action);
    },
    list: async () => {
      if (situation.list !== undefined) throw situation.list;
      return ['orders'];
    },
  } as unknown as TenantTables;
  const fresh: FreshTables = { tables, close: () => undefined };
  const validate = createValidateRole(
    async () => {
      if (situation.assume !== undefined) throw situation.assume;
      return fresh;
    },
    async () => situation.isOwn ?? false,
    async () => {
      const answer = situation.assumableWithout ?? false;
      if (answer instanceof PenstockError) throw answer;
      return answer;
    },
  );
  return stepsOf(record, await validate(record, { requestId: 'r' }));
}

const states = (steps: readonly Step[]): string => steps.map(({ state }) => state).join(' ');
const mends = (steps: readonly Step[]): readonly string[] =>
  steps.flatMap(({ problems }) =>
    problems.map(({ mend, tables }) => (tables.length === 0 ? mend : `${tables.join(', ')}: ${mend}`)),
  );

describe('The steps of a role’s validation, from the words of the registry', () => {
  it('have all passed where the role is right; tables are not tried where none is named', async () => {
    expect(states(await stepsIn({}))).to.equal('passed passed passed');
    expect(states(await stepsIn({ record: { tableAllowlist: [] } }))).to.equal('passed passed skipped');
  });

  it('stop at a role that cannot be assumed, and say what to compare', async () => {
    const steps = await stepsIn({ assume: assumeRoleError(thrown('AccessDenied', 'no')) });
    expect(states(steps)).to.equal('failed skipped skipped');
    const [problem] = steps[0]!.problems;
    expect(problem!.mend).to.equal('trust');
    const { causes = [], commands } = mendingOf(DRAFT, problem!);
    for (const compared of [RECORD.roleArn, 'penstock-x', '000000000000'])
      expect(causes.join('\n')).to.include(compared);
    expect(commands).to.include('update-assume-role-policy').and.to.include('penstock-x');
  });

  it('tell a role of the service’s own account, and an STS that does not answer, apart from it', async () => {
    expect(mends(await stepsIn({ isOwn: true }))).to.deep.equal(['own-account']);
    expect(mends(await stepsIn({ assume: assumeRoleError(thrown('Throttling', 'slow')) }))).to.deep.equal([
      'again',
    ]);
  });

  it('show that the external ID is not asked for, beside what is wrong with tables', async () => {
    const open = await stepsIn({ assumableWithout: true });
    expect(states(open)).to.equal('passed failed passed');
    expect(mends(open)).to.deep.equal(['external-id-condition']);
    const both = await stepsIn({ assumableWithout: true, tables: { orders: denied('dynamodb:Scan') } });
    expect(states(both)).to.equal('passed failed failed');
    expect(mends(both)).to.deep.equal(['external-id-condition', 'orders: permissions']);
    const unknown = await stepsIn({
      assumableWithout: new PenstockError('UNAVAILABLE', 'Not available; try again'),
      tables: { orders: denied('dynamodb:Scan') },
    });
    expect(mends(unknown)).to.deep.equal(['again', 'orders: permissions']);
  });

  it('name each table with what it needs, and say that there are more', async () => {
    const steps = await stepsIn({
      tables: {
        orders: denied('dynamodb:DescribeTable'),
        'a.b-c': toPenstockError(thrown('ResourceNotFoundException', 'none'), {
          schemaName: 'shop',
          tableName: 't',
        }),
        customers: toPenstockError(thrown('KMSAccessDeniedException', 'key'), {
          schemaName: 'shop',
          tableName: 't',
        }),
        four: whyUnreadable('shop.four', 'ARCHIVED'),
        five: denied('dynamodb:Scan'),
      },
    });
    expect(states(steps)).to.equal('passed passed failed');
    expect(mends(steps)).to.deep.equal([
      'orders: permissions',
      'customers: kms',
      'a.b-c: missing-table',
      'four: archived',
      'again',
    ]);
    expect(steps[2]!.problems.at(-1)!.text).to.equal('and 1 more');
  });

  it('gather tables that failed alike into one problem, which counts and lists them', async () => {
    const none = toPenstockError(thrown('ResourceNotFoundException', 'none'), {
      schemaName: 'shop',
      tableName: 't',
    });
    const names = Array.from({ length: 50 }, (_, i) => `table-${i}`);
    const tables = Object.fromEntries(names.map((name) => [name, none]));
    const [, , all] = await stepsIn({ record: { tableAllowlist: names }, tables });
    expect(all!.problems).to.deep.equal([
      {
        text: 'there is no such table in eu-west-1',
        mend: 'missing-table',
        tables: names,
        tableCount: 50,
      },
    ]);
    const draft: RoleDraft = { ...DRAFT, tables: { kind: 'named', names } };
    expect(mendingOf(draft, all!.problems[0]!).words).to.match(/^None of the 50 is there.*region.*eu-west-1/);

    const some = { ...tables, 'table-0': null, 'table-9': denied('dynamodb:Scan') };
    const [, , mixed] = await stepsIn({ record: { tableAllowlist: names }, tables: some });
    expect(mixed!.problems.map(({ tableCount, tables: named }) => [tableCount, named])).to.deep.equal([
      [48, ['table-1', 'table-2', 'table-3']],
      [1, ['table-9']],
    ]);
    expect(mendingOf(draft, mixed!.problems[0]!).words).to.match(/^Check the spelling \(/);
  });

  it('tell denied indexes from denied tables', async () => {
    const steps = await stepsIn({ record: { tableAllowlist: ['orders'] }, deniedIndexes: ['a', 'b'] });
    expect(mends(steps)).to.deep.equal(['orders: index-permissions']);
  });

  it('know an account whose tables cannot be listed, and a region that is not there', async () => {
    const record = { tableAllowlist: ['*'] };
    expect(mends(await stepsIn({ record, list: denied('dynamodb:ListTables') }))).to.deep.equal([
      'list-tables',
    ]);
    const away = new PenstockError('UNAVAILABLE', 'away');
    expect(mends(await stepsIn({ tables: { orders: away, customers: away } }))).to.deep.equal(['region']);
  });

  it('say something to do about each problem that there can be', async () => {
    for (const mend of [
      'trust',
      'own-account',
      'kms',
      'archived',
      'missing-table',
      'region',
      'again',
    ] as const) {
      expect(mendingOf(DRAFT, { text: 't', mend, tables: [], tableCount: 0 }).words, mend).to.match(/\.$/);
    }
  });

  it('show words that they do not know as they came', () => {
    const steps = stepsOf(RECORD, { ok: false, message: 'Something new happened: see below. Twice' });
    expect(states(steps)).to.equal('passed passed failed');
    expect(steps[2]!.problems).to.deep.equal([
      { text: 'Something new happened: see below. Twice', mend: 'again', tables: [], tableCount: 0 },
    ]);
  });
});
