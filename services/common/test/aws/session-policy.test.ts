import { expect } from 'chai';
import { roleSessionName } from '../../src/aws/assume-role.ts';
import { accessForTable, READ_ACTIONS, sessionPolicies } from '../../src/aws/session-policy.ts';

const access = (tableAllowlist: readonly string[]) => ({
  roleArn: 'arn:aws:iam::111122223333:role/reader',
  externalId: 'x1',
  region: 'eu-west-1',
  tableAllowlist,
});

interface Policy {
  readonly Statement: readonly { readonly Action: string[]; readonly Resource: string[] }[];
}
const statement = (policy: string | undefined) => (JSON.parse(policy ?? '') as Policy).Statement[0];

describe('session policy', () => {
  it('allows reads of the listed tables and their indexes, and falls back to reads of anything', () => {
    const [narrow, wide] = sessionPolicies(access(['orders', 'items', 'orders']));
    expect(statement(narrow)?.Resource).to.deep.equal([
      'arn:aws:dynamodb:eu-west-1:111122223333:table/orders',
      'arn:aws:dynamodb:eu-west-1:111122223333:table/orders/index/*',
      'arn:aws:dynamodb:eu-west-1:111122223333:table/items',
      'arn:aws:dynamodb:eu-west-1:111122223333:table/items/index/*',
    ]);
    expect(statement(narrow)?.Action).to.not.include('dynamodb:ListTables');
    expect(statement(wide)?.Resource).to.deep.equal(['*']);
    expect(statement(wide)?.Action).to.deep.equal([...READ_ACTIONS]);
  });

  it('allows reads of any table where there is no allowlist, or a wildcard', () => {
    for (const allowlist of [[], ['*'], ['orders', '*']])
      expect(sessionPolicies(access(allowlist)).map((policy) => statement(policy)?.Resource)).to.deep.equal([
        ['*'],
      ]);
  });

  it('never writes', () => {
    for (const policy of sessionPolicies(access(['orders'])))
      expect(policy).to.not.match(/Put|Update|Delete/);
  });

  it('is within 2,048 characters whatever the tables', () => {
    const policies = sessionPolicies(access(Array.from({ length: 40 }, (_, i) => `table-number-${i}`)));
    expect(policies).to.have.length(1);
    expect(policies[0]?.length).to.be.at.most(2048);
  });
});

describe('the sessions of an allowlist that fits no session policy', () => {
  const names = (count: number, of = (i: number) => `table-number-${i}`) =>
    Array.from({ length: count }, (_, i) => of(i));
  const resourcesOf = (given: ReturnType<typeof access>, table: string): readonly string[] =>
    statement(sessionPolicies(accessForTable(given, table))[0])?.Resource ?? [];

  for (const [what, tables] of [
    ['500 tables', names(500)],
    ['500 tables of the longest names', names(500, (i) => `${'x'.repeat(250)}${10_000 + i}`)],
    ['12 tables', names(12)],
  ] as const)
    it(`never allow a table outside of the allowlist: ${what}`, () => {
      const given = access(tables);
      const legal = new Set(
        tables.flatMap((table) => {
          const arn = `arn:aws:dynamodb:eu-west-1:111122223333:table/${table}`;
          return [arn, `${arn}/index/*`];
        }),
      );
      for (const table of tables) {
        const resources = resourcesOf(given, table);
        expect(resources.some((arn) => arn.endsWith(`:table/${table}`))).to.equal(true);
        expect(resources.filter((arn) => !legal.has(arn))).to.deep.equal([]);
      }
    });

  it('are as few as the tables need, and the same for the same tables in another order', () => {
    const [given, reversed] = [access(names(500)), access(names(500).reverse())];
    const parts = new Set(names(500).map((table) => accessForTable(given, table)));
    expect(parts.size).to.be.at.most(50);
    for (const table of names(500))
      expect(accessForTable(reversed, table).tableAllowlist).to.deep.equal(
        accessForTable(given, table).tableAllowlist,
      );
  });

  it('are one where the allowlist fits, or there is none', () => {
    for (const allowlist of [[], ['*'], ['orders', 'items']]) {
      const given = access(allowlist);
      expect(accessForTable(given, 'orders')).to.equal(given);
    }
  });

  it('refuse a table outside of the allowlist', () => {
    const resources = resourcesOf(access(names(40)), 'salaries');
    expect(resources).to.not.deep.equal(['*']);
    expect(resources.filter((arn) => !arn.includes(':table/table-number-'))).to.deep.equal([]);
  });
});

describe('role session name', () => {
  it('holds tenant and request', () => {
    expect(roleSessionName('acme', 'req-1')).to.equal('acme.req-1');
  });

  it('fits two UUIDs into 64 characters and stays distinct by the request', () => {
    const tenant = '0190a1b2-0000-7000-8000-00000000000a';
    const name = roleSessionName(tenant, '0190a1b2-1111-7222-8333-444455556666');
    expect(name).to.match(/^[\w+=,.@-]{2,64}$/);
    expect(name).to.include(tenant.replaceAll('-', ''));
    expect(name).to.not.equal(roleSessionName(tenant, '0190a1b2-1111-7222-8333-444455556667'));
  });

  it('replaces what AssumeRole does not allow', () => {
    expect(roleSessionName('a b/ü', '#1')).to.equal('a_b__._1');
    expect(roleSessionName('', '')).to.match(/^[\w+=,.@-]{2,64}$/);
  });
});
