import { expect } from 'chai';
import { createTable } from '../../../../deploy/local/src/seed/customer-account.ts';
import { refusal, resolvedTable } from '../support/registry.ts';
import { useTestStack } from '../support/suite.ts';
import { schemaOf, simpleTable } from '../support/tables.ts';

const ACCOUNT = '131313131313';

describe('read limits of a schema', function () {
  this.timeout(60_000);
  const stack = useTestStack();

  let calls: ReturnType<typeof stack.as>;
  const opened = (schemaName: string, tables?: string[]) =>
    calls.create(schemaOf(stack.account(ACCOUNT), schemaName, tables === undefined ? {} : { tables }));
  /** A table of 20 units a second with an index of 8, and one on demand. */
  before(async () => {
    calls = stack.as('t-limits');
    const account = stack.account(ACCOUNT);
    await stack.role(account);
    const capacity = (ReadCapacityUnits: number) => ({ ReadCapacityUnits, WriteCapacityUnits: 5 });
    await createTable(account, {
      TableName: 'provisioned',
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: capacity(20),
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'S' },
        { AttributeName: 'kind', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byKind',
          KeySchema: [{ AttributeName: 'kind', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'ALL' },
          ProvisionedThroughput: capacity(8),
        },
      ],
    });
    await simpleTable(account, 'ondemand');
  });

  it('are stored, changed as a whole, and removed', async () => {
    await opened('Stored');
    expect((await calls.get('Stored')).readLimits).to.equal(undefined);
    const set = async (readLimits: object) =>
      (await calls.update({ schemaName: 'STORED', readLimits })).readLimits;
    expect(await set({ unitsPerSecond: 12.5, tableUnitsPerSecond: { ondemand: 300 } })).to.deep.include({
      unitsPerSecond: 12.5,
      tableUnitsPerSecond: { ondemand: 300 },
    });
    const later = await set({ unitsPerQuery: 100 });
    expect(later).to.deep.include({ unitsPerQuery: 100, tableUnitsPerSecond: {} });
    expect(later).to.not.have.property('unitsPerSecond', 12.5);
    expect((await calls.list({ limit: 5 })).items[0]?.readLimits?.unitsPerQuery).to.equal(100);
    expect(await set({})).to.equal(undefined);
  });

  it('come with the table, with what it and its indexes are provisioned for; a change counts at once', async () => {
    await opened('Resolved');
    const resolve = (table: string) => resolvedTable(calls, { schema: 'Resolved', table });
    const before = await resolve('provisioned');
    expect(before.metadata.readCapacity).to.equal(20n);
    expect(before.metadata.indexes[0]?.readCapacity).to.equal(8n);
    expect(before.readLimits).to.equal(undefined);
    expect((await resolve('ondemand')).metadata.readCapacity).to.equal(undefined);
    await calls.update({
      schemaName: 'Resolved',
      readLimits: { unitsPerSecond: 10, unitsPerQuery: 9, tableUnitsPerSecond: { ondemand: 300 } },
    });
    const after = await resolve('provisioned');
    expect(after.version).to.not.equal(before.version);
    expect(after.readLimits).to.deep.include({ unitsPerSecond: 10, unitsPerQuery: 9 });
    expect((await resolve('ondemand')).readLimits).to.deep.include({ unitsPerSecond: 300, unitsPerQuery: 9 });
  });

  it('are refused by name: too low, too high, of tables that are not there', async () => {
    await opened('Refused');
    await resolvedTable(calls, { schema: 'Refused', table: 'provisioned' });
    const wrong: readonly [object, RegExp][] = [
      [{ unitsPerSecond: -1 }, /units_per_second/],
      [{ unitsPerSecond: 0 }, /units_per_second/],
      [{ unitsPerQuery: -5 }, /units_per_query/],
      [{ unitsPerSecond: 1e9 }, /units_per_second/],
      [{ tableUnitsPerSecond: { ondemand: -1 } }, /table_units_per_second/],
      [
        { unitsPerSecond: 21 },
        /readLimits\.unitsPerSecond must be at most 20, the read capacity of table provisioned/,
      ],
      [{ tableUnitsPerSecond: { provisioned: 20.5 } }, /tableUnitsPerSecond\.provisioned must be at most 20/],
      [{ tableUnitsPerSecond: { nowhere: 5 } }, /tableUnitsPerSecond\.nowhere: there is no such table/],
    ];
    for (const [readLimits, message] of wrong) {
      const error = await refusal(calls.update({ schemaName: 'Refused', readLimits }));
      expect(error.code).to.equal('VALIDATION_ERROR');
      expect(error.message).to.match(message);
    }
    expect((await calls.get('Refused')).readLimits).to.equal(undefined);
    // The table that has less is set apart.
    const apart = { unitsPerSecond: 500, tableUnitsPerSecond: { provisioned: 20 } };
    expect(
      (await calls.update({ schemaName: 'Refused', readLimits: apart })).readLimits?.unitsPerSecond,
    ).to.equal(500);
  });

  it('name no table that the allowlist leaves out', async () => {
    await opened('Allowed', ['ondemand']);
    const readLimits = { tableUnitsPerSecond: { provisioned: 5 } };
    const error = await refusal(calls.update({ schemaName: 'Allowed', readLimits }));
    expect(error).to.include({ code: 'VALIDATION_ERROR' });
    expect(error.message).to.match(/provisioned must be a limit of a table that tableAllowlist names/);
  });
});
