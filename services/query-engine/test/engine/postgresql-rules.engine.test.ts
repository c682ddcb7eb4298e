/** Statements by PostgreSQL's rules: what it gives for them, each beside what they mean to us. */
import { expect } from 'chai';
import { engineTable } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

const ITEMS = [
  { pk: { S: 'a' }, sk: { S: 'VALUE_1' }, n: { N: '1' } },
  { pk: { S: 'a' }, sk: { S: 'VALUE_2' } },
  { pk: { S: 'a' }, sk: { S: 'VALUEx3' }, n: { N: '3' } },
  { pk: { S: 'a' }, sk: { S: 'a\\b' }, n: { N: '2' } },
];
const KEY = { partitionKey: { name: 'pk', type: 'S' }, sortKey: { name: 'sk', type: 'S' } } as const;

describe('statements by the rules of PostgreSQL', () => {
  let engine: TestEngine;
  before(async function () {
    this.timeout(60_000);
    engine = await startTestEngine([engineTable('values', KEY, ITEMS)]);
  });
  after(() => engine.close());

  const rowsBy = async (sql: string, rules?: 'postgresql'): Promise<unknown> => {
    const { rows } = await engine.run(sql.replace('$T', 'shop."values"'), {
      ...(rules !== undefined && { rules }),
    });
    return rows;
  };
  /** What a statement gives by PostgreSQL's rules, and by ours. */
  const expectRows = async (sql: string, theirs: unknown, ours: unknown): Promise<void> => {
    expect(await rowsBy(sql, 'postgresql'), sql).to.deep.equal(theirs);
    // By ours again: what is kept of the one does not answer the other.
    expect(await rowsBy(sql), sql).to.deep.equal(ours);
  };

  it('escape by the backslash in LIKE', async () => {
    const sql = "SELECT sk FROM $T WHERE pk = 'a' AND sk LIKE 'VALUE\\_%' ORDER BY sk";
    await expectRows(sql, [['VALUE_1'], ['VALUE_2']], []);
    await expectRows("SELECT sk FROM $T WHERE pk = 'a' AND sk LIKE 'a\\b'", [], [['a\\b']]);
    await expectRows("SELECT 'a%' LIKE 'a\\%', 'a_c' NOT LIKE 'a\\_c', 'A_C' ILIKE 'a\\_c'", [[true, false, true]], [[false, true, false]]); // prettier-ignore
    await expectRows("SELECT 'a%' LIKE 'a!%' ESCAPE '!'", [[true]], [[true]]);
    await expectRows("SELECT 'a_c' ~~ 'a\\_c'", [[true]], [[false]]);
    const failure = await engine.failure("SELECT 'a' LIKE 'a\\'", { rules: 'postgresql' });
    expect(failure.message).to.equal('A pattern of LIKE cannot end in its escape character');
  });

  it('find the beginning of a key by LIKE, with a backslash or not', async () => {
    await engine.aws.clear();
    for (const pattern of ['VALUE\\_%', 'VALUE%'])
      await rowsBy(`SELECT sk FROM $T WHERE pk = 'a' AND sk LIKE '${pattern}'`, 'postgresql');
    for (const { operation, keyCondition } of await engine.aws.requests()) {
      expect(operation).to.equal('Query');
      expect(keyCondition).to.contain('begins_with');
    }
  });

  it('have NULL above all values', async () => {
    await expectRows("SELECT n FROM $T WHERE pk = 'a' ORDER BY n", [[1], [2], [3], [null]], [[null], [1], [2], [3]]); // prettier-ignore
    await expectRows("SELECT n FROM $T WHERE pk = 'a' ORDER BY n DESC LIMIT 2", [[null], [3]], [[3], [2]]);
    await expectRows("SELECT n FROM $T WHERE pk = 'a' ORDER BY n NULLS FIRST LIMIT 1", [[null]], [[null]]);
    await expectRows(
      "SELECT sk, rank() OVER (ORDER BY n) FROM $T WHERE pk = 'a' ORDER BY sk LIMIT 2",
      [['VALUE_1', 1], ['VALUE_2', 4]],
      [['VALUE_1', 2], ['VALUE_2', 1]],
    ); // prettier-ignore
    await expectRows("SELECT string_agg(sk, ' ' ORDER BY n DESC) FROM $T WHERE pk = 'a'", [['VALUE_2 VALUEx3 a\\b VALUE_1']], [['VALUEx3 a\\b VALUE_1 VALUE_2']]); // prettier-ignore
  });

  it('read a partition in the order of its sort key, whatever is above what', async () => {
    for (const order of ['ASC', 'DESC']) {
      await engine.aws.clear();
      await rowsBy(`SELECT sk FROM $T WHERE pk = 'a' ORDER BY sk ${order} LIMIT 1`, 'postgresql');
      const [request, ...others] = await engine.aws.requests();
      expect(others).to.deep.equal([]);
      expect(request).to.include({ operation: 'Query', limit: 1 });
    }
  });

  it('name columns that have no name', async () => {
    const sql =
      'SELECT count(*), sum(n), max(sk)::text, 1, n.count FROM shop."values" v, (SELECT count(*) FROM shop."values") n GROUP BY n.count ORDER BY sum';
    const { columns } = await engine.run(sql, { rules: 'postgresql' });
    expect(columns).to.deep.equal(['count', 'sum', 'max', '?column?', 'count']);
    expect((await engine.run('SELECT count(*) FROM shop."values"')).columns).to.deep.equal(['count(*)']);
  });
});
