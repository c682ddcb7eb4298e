import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import type { CatalogTable } from '../../src/catalog/table.ts';
import { createPrepare, type Prepare, type PreparedStatement } from '../../src/prepare.ts';
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

  const prepared = (sql: string): Promise<PreparedStatement> =>
    prepare(
      { sql, parametersJson: '', firstRowIdx: 0, maxRows: 10, consistentRead: false, mayRead: true },
      { tenantId: 'tenant', token: '', requestId: '', signal: new AbortController().signal },
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
