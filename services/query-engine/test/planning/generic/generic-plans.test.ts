import { expect } from 'chai';
import type { CatalogTable } from '../../../src/catalog/table.ts';
import type { PhysicalPlan } from '../../../src/planning/physical-plan.ts';
import { createPrepare, type Prepare } from '../../../src/prepare.ts';
import { createPlanningTurns } from '../../../src/scheduling/planning-turns.ts';
import type { SerializeSql } from '../../../src/parser/cross-check.ts';
import { openSerializer } from '../../parser/duckdb-serializer.ts';

const table = (tableName: string, key: CatalogTable['key']): CatalogTable => ({
  version: '1',
  schemaName: 's',
  tableName,
  access: { roleArn: '', externalId: '', region: 'eu-west-1', tableAllowlist: [] },
  key,
  indexes: [],
  itemCount: 100_000,
  sizeBytes: 100_000_000,
  attributes: [
    { name: 'id', types: { S: 10 }, integerDigits: 0, scale: 0, nested: [], distinctValues: 10 },
    { name: 'line', types: { N: 10 }, integerDigits: 3, scale: 0, nested: [], distinctValues: 10 },
    { name: 'note', types: { S: 10 }, integerDigits: 0, scale: 0, nested: [], distinctValues: 10 },
  ],
  sampledItems: 10,
});

const TABLES: Readonly<Record<string, CatalogTable>> = {
  t: table('t', { partitionKey: { name: 'id', type: 'S' }, sortKey: null }),
  lines: table('lines', {
    partitionKey: { name: 'id', type: 'S' },
    sortKey: { name: 'line', type: 'N' },
  }),
};

interface Planned {
  readonly plan: PhysicalPlan;
  /** It was there: planned before, or made of a generic one. */
  readonly known: boolean;
}

/** Parameters; a text is JSON as a client writes it. */
type Values = readonly unknown[] | Readonly<Record<string, unknown>> | string;

/** A plan as far as it is carried out. */
const carriedOut = ({ statement, reads, bindings, execution, page }: PhysicalPlan): unknown => ({
  statement,
  page,
  execution,
  reads: reads.map(({ reason: _, ...read }) => read),
  bindings: [...bindings],
});

describe('generic plans', () => {
  let serialize: SerializeSql;
  let close: () => void;
  before(async () => ({ serialize, close } = await openSerializer()));
  after(() => close());

  /** An engine's planning, from nothing. */
  const planning = (): ((sql: string, values: Values, mayRead?: boolean) => Promise<Planned>) => {
    let known = false;
    const prepare: Prepare = createPrepare({
      turns: createPlanningTurns(),
      catalog: {
        resolve: async (_, references) => references.map((reference) => TABLES[reference.table]!),
        report: () => undefined,
      },
      serialize,
      onDisagreement: () => undefined,
      pushdown: true,
      onCacheLookup(cache, hit) {
        if (cache === 'plan') known = hit;
      },
    });
    return async (sql, values, mayRead = true) => {
      const { plan } = await prepare(
        {
          sql,
          parametersJson: typeof values === 'string' ? values : JSON.stringify(values),
          firstRowIdx: 0,
          maxRows: 10,
          consistentRead: false,
          mayRead,
        },
        { tenantId: 'tenant', token: '', requestId: '', signal: new AbortController().signal },
      );
      return { plan, known };
    };
  };

  const serving: readonly (readonly [sql: string, examples: readonly Values[], others: readonly Values[]])[] =
    [
      [
        'SELECT id, note FROM s.t WHERE id = ?',
        [['a'], ['b']],
        [['c'], ["it's"], ['id'], ['note'], ['__proto__'], ['ä\u{1F600}'], ['x'.repeat(341)]],
      ],
      ["SELECT * FROM s.t x WHERE ? = X.ID AND note <> 'a' LIMIT 3", [['a'], ['b']], [['c'], ['a']]],
      ['SELECT note, LENGTH(note) FROM s.t WHERE id = :key', [{ key: 'a' }, { key: 'b' }], [{ key: 'c' }]],
      [
        'SELECT * FROM s.lines WHERE line = ? AND id = ?',
        [
          [1, 'a'],
          [2, 'b'],
        ],
        [
          [1, 'b'],
          [-7, 'c'],
          [123_456_789_012_345, '1'],
          [0, '0'],
        ],
      ],
      [
        'SELECT note FROM s.t WHERE id = CAST(? AS VARCHAR)',
        [['a'], ['b']],
        [['c'], ["it's"], ['note'], ['x'.repeat(341)]],
      ],
      [
        'SELECT note FROM s.lines WHERE id = $1::text AND $2::bigint = line',
        [
          ['a', 1],
          ['b', 2],
        ],
        [
          ['c', 3],
          ['1', 123_456_789_012_345],
        ],
      ],
      // The partition stays the same.
      ['SELECT * FROM s.lines WHERE id = $1 AND line = $2', [['a', 1], ['a', 2]], [['a', 3]]], // oxfmt-ignore
    ];
  for (const [sql, [one, other], others] of serving)
    it(`serve other values as a plan of their own would: ${sql}`, async () => {
      const plan = planning();
      expect((await plan(sql, one!)).known).to.equal(false);
      expect((await plan(sql, other!)).known).to.equal(false);
      for (const values of others) {
        const { plan: generic, known } = await plan(sql, values);
        expect(known, JSON.stringify(values)).to.equal(true);
        expect(carriedOut(generic)).to.deep.equal(carriedOut((await planning()(sql, values)).plan));
      }
    });

  const written: readonly (readonly [
    sqlOf: (...values: string[]) => string,
    examples: string[][],
    others: string[][],
  ])[] = [
    [
      (id) => `SELECT id, note FROM s.t WHERE id = '${id}' LIMIT 7`,
      [['aa'], ['bb'], ['cc']],
      [['id'], ['1='], ['--'], ['\u{1F600}']],
    ],
    [(id) => `SELECT * FROM s.t x WHERE LENGTH(note) > 2 AND X.ID = '${id}'`, [['a'], ['b'], ['c']], [['d']]],
    [
      (line, id) => `SELECT note\n FROM s.lines\n WHERE line = ${line} AND id = '${id}' LIMIT 2`,
      [
        ['10', 'a'],
        ['11', 'b'],
        ['12', 'c'],
      ],
      [
        ['13', 'a'],
        ['99', '1'],
      ],
    ],
  ];
  for (const [sqlOf, examples, others] of written)
    it(`serve other values in the text as a plan of their own would: ${sqlOf('…', '…')}`, async () => {
      const plan = planning();
      for (const values of examples) expect((await plan(sqlOf(...values), '')).known).to.equal(false);
      for (const values of others) {
        const sql = sqlOf(...values);
        const { plan: generic, known } = await plan(sql, []);
        expect(known, sql).to.equal(true);
        expect(carriedOut(generic)).to.deep.equal(carriedOut((await planning()(sql, '')).plan));
      }
    });

  it('know values that are longer by plans of their own, since places in the text differ', async () => {
    const plan = planning();
    const sqlOf = (id: string): string => `SELECT note FROM s.t WHERE id = '${id}' AND note <> 'x' || note`;
    for (const id of ['a', 'b', 'c']) await plan(sqlOf(id), '');
    expect((await plan(sqlOf('d'), '')).known).to.equal(true);
    const longer = await plan(sqlOf('longer'), '');
    expect(longer.known).to.equal(false);
    expect(longer.plan).to.deep.equal((await planning()(sqlOf('longer'), '')).plan);
  });

  const inText: readonly ((value: string) => string)[] = [
    (value) => `SELECT note FROM s.t WHERE id = '${value}' AND note = 'n'`,
    (value) => `SELECT note FROM s.t WHERE id = '${value}' AND id > 'A'`,
    (value) => `SELECT note FROM s.t WHERE id IN ('${value}')`,
    (value) => `SELECT id = '${value}' FROM s.t WHERE id = '${value}'`,
    (value) => `SELECT note FROM s.t WHERE note = '${value}'`,
    (value) => `SELECT note FROM s.t WHERE id = '${value}' ORDER BY id`,
    (value) => `SELECT note FROM s.lines WHERE id = '${value}'`,
    (value) => `SELECT note FROM s.t WHERE id = '${value}' OR id = '${value}'`,
  ];
  for (const sqlOf of inText)
    it(`are not made of ${sqlOf('…')}`, async () => {
      const plan = planning();
      for (const value of ['a', 'b', 'c', 'd', 'e'])
        expect((await plan(sqlOf(value), '')).known, value).to.equal(false);
    });

  it('are those of the same other values', async () => {
    const plan = planning();
    const sqlOf = (id: string, least: number): string =>
      `SELECT note FROM s.t WHERE id = '${id}' AND LENGTH(note) > ${least}`;
    for (const id of ['a', 'b', 'c']) await plan(sqlOf(id, 2), '');
    expect((await plan(sqlOf('d', 2), '')).known).to.equal(true);
    const other = await plan(sqlOf('e', 3), '');
    expect(other.known).to.equal(false);
    expect(other.plan).to.deep.equal((await planning()(sqlOf('e', 3), '')).plan);
  });

  it('keep statements with parameters and those with values in the text apart', async () => {
    const plan = planning();
    for (const id of ['a', 'b', 'c', 'd']) await plan(`SELECT note FROM s.t WHERE id = '${id}'`, '');
    expect((await plan("SELECT note FROM s.t WHERE id = 'e'", '')).known).to.equal(true);
    const error: unknown = await plan("SELECT note FROM s.t WHERE id = 'e'", ['f']).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).to.have.property('code', 'INVALID_QUERY');
  });

  const odd: readonly (readonly [what: string, values: Values])[] = [
    ['NULL', [null]],
    ['empty text', ['']],
    ['half a surrogate pair', ['a\ud83d']],
    ['a number', [7]],
    ['truth', [true]],
    ['a text that may be too long', ['x'.repeat(342)]],
  ];
  for (const [what, values] of odd)
    it(`do not serve ${what} where keys are texts`, async () => {
      const plan = planning();
      const sql = 'SELECT note FROM s.t WHERE id = ?';
      for (const value of ['a', 'b', 'c']) await plan(sql, [value]);
      const found = await plan(sql, values);
      expect(found.known).to.equal(false);
      expect(found.plan).to.deep.equal((await planning()(sql, values)).plan);
      expect((await plan(sql, ['d'])).known).to.equal(true);
    });

  for (const text of ['1.0', '1e3', '-0', '1234567890123456'])
    it(`do not serve ${text}, which DynamoDB writes otherwise`, async () => {
      const plan = planning();
      const sql = 'SELECT note FROM s.lines WHERE id = ? AND line = ?';
      for (const line of [1, 2, 3]) await plan(sql, [`i${line}`, line]);
      expect((await plan(sql, ['i', 4])).known).to.equal(true);
      expect((await plan(sql, `["i", ${text}]`)).known).to.equal(false);
    });

  it('refuse too many values as ever', async () => {
    const plan = planning();
    const sql = 'SELECT note FROM s.t WHERE id = ?';
    for (const value of ['a', 'b', 'c']) await plan(sql, [value]);
    const error: unknown = await plan(sql, ['d', 'e']).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'INVALID_QUERY');
  });

  it('give way to a plan for another partition, and learn from it', async () => {
    const plan = planning();
    const sql = 'SELECT * FROM s.lines WHERE id = ? AND line = ?';
    await plan(sql, ['a', 1]);
    await plan(sql, ['a', 2]);
    expect((await plan(sql, ['b', 3])).known).to.equal(false);
    expect((await plan(sql, ['c', 4])).known).to.equal(false);
    const { plan: generic, known } = await plan(sql, ['d', 5]);
    expect(known).to.equal(true);
    expect(generic.reads[0]?.path).to.deep.equal({
      kind: 'GetItem',
      key: { partition: { type: 'S', value: 'd' }, sort: { type: 'N', value: '5' } },
    });
  });

  it('are not explained', async () => {
    const plan = planning();
    const sql = 'SELECT note FROM s.t WHERE id = ?';
    for (const value of ['a', 'b', 'c']) await plan(sql, [value]);
    const { plan: explained, known } = await plan(sql, ['d'], false);
    expect(known).to.equal(false);
    expect(explained.reads[0]?.reason).to.contain("'d'");
  });

  const planned: readonly (readonly [sql: string, values: (value: string) => Values])[] = [
    ["SELECT note FROM s.t WHERE id = ? AND id > 'b'", (value) => [value]],
    ['SELECT UPPER(id) FROM s.t WHERE id = ?', (value) => [value]],
    ['SELECT note FROM s.t WHERE id = ? AND note = ?', (value) => [value, value]],
    ['SELECT note FROM s.t WHERE id = :a AND :a = note', (value) => ({ a: value })],
    ['SELECT ? FROM s.t WHERE id = ?', (value) => [`${value}x`, value]],
    ['SELECT note FROM s.t WHERE id IN (?)', (value) => [value]],
    ['SELECT note FROM s.t WHERE id = UPPER(?)', (value) => [value]],
    ['SELECT note FROM s.t WHERE id = ? ORDER BY id', (value) => [value]],
    ['SELECT COUNT(*) FROM s.t WHERE id = ? HAVING COUNT(*) > 0', (value) => [value]],
    ['SELECT note FROM s.t WHERE id = ? AND EXISTS (SELECT 1 FROM s.lines)', (value) => [value]],
    ['SELECT a.note FROM s.t a JOIN s.t b ON a.note = b.note WHERE a.id = ?', (value) => [value]],
    ['SELECT note FROM (SELECT * FROM s.t) d WHERE id = ?', (value) => [value]],
    ['SELECT note FROM s.t WHERE note = ?', (value) => [value]],
    ['SELECT note FROM s.lines WHERE id = ?', (value) => [value]],
  ];
  for (const [sql, valuesOf] of planned)
    it(`are not made of ${sql}`, async () => {
      const plan = planning();
      for (const value of ['a', 'b', 'c', 'd'])
        expect((await plan(sql, valuesOf(value))).known, value).to.equal(false);
    });
});
