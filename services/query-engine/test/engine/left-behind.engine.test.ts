/** What a point read leaves behind in the process that runs it: it would be copied twice, and make V8 collect all its heap. */
import { expect } from 'chai';
import { leftBehind } from '../../../common/test/process/left-behind.ts';
import { attribute, catalogTable } from '../dynamodb/fixtures.ts';
import { startTestAws, type TestAws } from '../dynamodb/aws.ts';
import { testDatabase } from '../execution/tables.ts';
import { createTable } from './create-table.ts';
import { plainEngine } from './plain-engine.ts';

const READS = 300;
/** Far more than tables of Maps, and parts of a kept-alive connection, come to. */
const BYTES_MAX = 4_096;

describe('a point read', function () {
  this.timeout(60_000);
  let aws: TestAws;
  const database = testDatabase();
  const table = catalogTable('id:S', {
    sampledItems: 10,
    attributes: [attribute('id', { S: 10 }), attribute('note', { S: 10 })],
  });

  before(async () => {
    aws = await startTestAws();
    await createTable(aws.client, table, [{ id: { S: 'i1' }, note: { S: 'there' } }]);
  });
  after(async () => {
    await database.close();
    await aws.close();
  });

  it('leaves next to nothing behind that only a collection of the whole heap takes', async () => {
    const run = plainEngine(database, aws.client, async (_, references) =>
      references.map(() => ({ kind: 'table', table })),
    );
    let number = 0;
    const read = () => run(`SELECT id, note FROM shop.orders WHERE id = 'i${number++}'`);
    await read();
    expect(await read()).to.equal('["i1","there"]');
    expect(await leftBehind(read, READS)).to.be.lessThan(BYTES_MAX);
  });
});
