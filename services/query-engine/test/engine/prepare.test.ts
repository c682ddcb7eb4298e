import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { CatalogTable } from '../../src/catalog/table.ts';
import type { Evaluate } from '../../src/fold-statement.ts';
import { statementTime } from '../../src/logical/statement-time.ts';
import { createPrepare, type Prepare, type PreparedStatement, type PrepareHow } from '../../src/prepare.ts';
import { createPlanningTurns } from '../../src/scheduling/planning-turns.ts';
import type { SerializeSql } from '../../src/parser/cross-check.ts';
import { openSerializer } from '../parser/duckdb-serializer.ts';

const TABLE: CatalogTable = {
  version: '1',
  schemaName: 's',
  tableName: 't',
  access: { roleArn: '', externalId: '', region: 'eu-west-1', tableAllowlist: [] },
  key: { partitionKey: { name: 'id', type: 'S' }, sortKey: null },
  indexes: [],
  itemCount: 10,
  sizeBytes: 1_000,
  attributes: [
    { name: 'id', types: { S: 10 }, integerDigits: 0, scale: 0, nested: [], distinctValues: 10 },
    { name: 'n', types: { N: 10 }, integerDigits: 3, scale: 0, nested: [], distinctValues: 10 },
  ],
  sampledItems: 10,
};

describe('preparing a statement', () => {
  let serialize: SerializeSql;
  let close: () => void;
  let asked: number;
  let prepare: Prepare;
  before(async () => ({ serialize, close } = await openSerializer()));
  after(() => close());
  beforeEach(() => {
    asked = 0;
    prepare = createPrepare({
      turns: createPlanningTurns(),
      catalog: { resolve: async (_, references) => references.map(() => TABLE), report: () => undefined },
      serialize: (sql) => {
        asked++;
        return serialize(sql);
      },
      onDisagreement: () => undefined,
      pushdown: true,
    });
  });

  const prepared = (sql: string, how: PrepareHow = {}): Promise<PreparedStatement> =>
    prepare(
      { sql, parametersJson: '', firstRowIdx: 0, maxRows: 10, consistentRead: false, mayRead: true },
      { tenantId: 'tenant', token: '', requestId: '', signal: new AbortController().signal },
      how,
    );
  const keyOf = ({ plan }: PreparedStatement): unknown => {
    const path = plan.reads[0]?.path;
    return path?.kind === 'GetItem' ? path.key.partition.value : path;
  };

  it('asks DuckDB once for texts that differ in their values, and reads each by its own', async () => {
    const first = await prepared("SELECT n FROM s.t WHERE id = 'a'");
    const once = asked;
    expect(once).to.be.greaterThan(0);
    const second = await prepared("SELECT n FROM s.t WHERE id = 'longer than a'");
    expect(asked).to.equal(once);
    expect([keyOf(first), keyOf(second)]).to.deep.equal(['a', 'longer than a']);
    expect(second.normalizedSql).to.equal("SELECT n FROM s.t WHERE id = 'longer than a'");
  });

  it('evaluates constants that are no literals, once for a text, and nothing of a statement without', async () => {
    const evaluated: number[] = [];
    const evaluate: Evaluate = async (constants) => {
      evaluated.push(constants.length);
      return new Map(constants.map((constant) => [constant, { type: 'text', value: 'folded' }]));
    };
    const folded = (sql: string): Promise<PreparedStatement> => prepared(sql, { evaluate });
    for (const condition of ["id = 'a'", "id = CAST('a' AS VARCHAR) AND 1 = 1", "id = 'a' AND n + 1 > 2"])
      await folded(`SELECT n FROM s.t WHERE ${condition}`);
    expect(evaluated).to.deep.equal([]);
    const sql = "SELECT n FROM s.t WHERE id = lower('A')";
    for (let i = 0; i < 3; i++) expect(keyOf(await folded(sql))).to.equal('folded');
    expect(evaluated).to.deep.equal([1]);
  });

  it('keeps what is planned without evaluating apart', async () => {
    const evaluate: Evaluate = async (constants) =>
      new Map(constants.map((constant) => [constant, { type: 'text', value: 'folded' }]));
    const sql = "SELECT n FROM s.t WHERE id = lower('A')";
    const { plan } = await prepared(sql);
    expect(plan.reads[0]?.path.kind).to.equal('Scan');
    expect((await prepared(sql)).plan).to.equal(plan);
    expect(keyOf(await prepared(sql, { evaluate }))).to.equal('folded');
    expect(keyOf(await prepared(sql))).to.equal('folded');
  });

  it('optimizes a statement once for all times, and plans it for each', async () => {
    const planned: unknown[] = [];
    for (const [at, ms] of [
      ['one', 1],
      ['other', 2],
      ['other', 2],
    ] as const) {
      const evaluate: Evaluate = async (constants) =>
        new Map(
          constants.map((constant) => [constant, { type: 'temporal', sqlType: 'TIMESTAMP', value: at }]),
        );
      const time = async () => statementTime(ms);
      const { plan } = await prepared('SELECT n FROM s.t WHERE id >= now()', { evaluate, time });
      expect(plan.time).to.equal(statementTime(ms));
      planned.push(plan.reads);
      const filter = plan.reads.length === 1 ? JSON.stringify(plan.statement.plan) : '';
      expect(filter)
        .to.contain(`"value":"${at}"`)
        .and.to.not.contain(at === 'one' ? '"other"' : '"one"');
    }
    expect(planned[1]).to.equal(planned[2]).and.to.not.equal(planned[0]);
  });

  it('says of such a text where in it something is wrong', async () => {
    const errorOf = async (sql: string): Promise<string | undefined> => {
      const error = await prepared(sql).catch((thrown: unknown) => thrown);
      return error instanceof PenstockError ? error.detail : undefined;
    };
    const wrong = (id: string): string => `SELECT n FROM s.t WHERE id = '${id}' AND nothing = 1`;
    expect(await errorOf(wrong('a'))).to.match(/^at line 1, column 38: /);
    expect(await errorOf(wrong('longer than a'))).to.match(
      /^at line 1, column 50: [^\n]*\n[^\n]*longer than a[^\n]*\n {49}\^$/,
    );
  });
});
