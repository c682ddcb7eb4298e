import { expect } from 'chai';
import type { CatalogTable } from '../../src/catalog/table.ts';
import type { AskedParameter, StatementDescription, WideType } from '../../src/catalog/description.ts';
import { describeStatement } from '../../src/describe-statement.ts';
import { createPrepare, type Prepare } from '../../src/prepare.ts';
import { createPlanningTurns } from '../../src/scheduling/planning-turns.ts';
import { runInOneGo } from '../../src/scheduling/sliced-work.ts';
import { openSerializer } from '../parser/duckdb-serializer.ts';

const attribute = (name: string, types: CatalogTable['attributes'][number]['types']) => ({
  ...{ name, types, integerDigits: 3, scale: 0, nested: [], distinctValues: 10 },
});

const TABLE: CatalogTable = {
  version: '1',
  schemaName: 's',
  tableName: 't',
  access: { roleArn: '', externalId: '', region: 'eu-west-1', tableAllowlist: [] },
  key: { partitionKey: { name: 'id', type: 'S' }, sortKey: { name: 'at', type: 'N' } },
  indexes: [],
  itemCount: 10,
  sizeBytes: 1_000,
  attributes: [
    attribute('id', { S: 10 }),
    attribute('at', { N: 10 }),
    attribute('n', { N: 9, NULL: 1 }),
    attribute('flag', { BOOL: 10 }),
    attribute('doc', { M: 10 }),
    attribute('tags', { SS: 10 }),
    attribute('raw', { B: 10 }),
    attribute('mixed', { S: 5, N: 5 }),
  ],
  sampledItems: 10,
};

describe('describing a statement', () => {
  let close: () => void;
  let prepare: Prepare;
  before(async () => {
    const opened = await openSerializer();
    close = opened.close;
    prepare = createPrepare({
      turns: createPlanningTurns(),
      catalog: { resolve: async (_, references) => references.map(() => TABLE), report: () => undefined },
      serialize: opened.serialize,
      onDisagreement: () => undefined,
      pushdown: true,
    });
  });
  after(() => close());

  const described = (
    sql: string,
    parameters: readonly AskedParameter[] = [],
  ): Promise<StatementDescription> => {
    const call = { tenantId: 'tenant', token: '', requestId: '', signal: new AbortController().signal };
    return describeStatement(prepare, { sql, parameters }, call, { runSpaced: runInOneGo });
  };
  const typesOf = async (sql: string): Promise<readonly WideType[]> =>
    (await described(sql)).columns.map(({ type }) => type);
  const unknown = (count: number): readonly AskedParameter[] =>
    Array.from({ length: count }, () => ({ type: null, isList: false }));
  const parametersOf = async (sql: string, count: number): Promise<readonly string[]> =>
    (await described(sql, unknown(count))).parameters.map(({ type, isList }) =>
      isList ? `${type} list` : type,
    );

  it('takes every number of an attribute for one of any digits, whole as its sample may be', async () => {
    expect(await typesOf('SELECT n, at, n + 1, n * n, SUM(n), -n FROM s.t GROUP BY n, at')).to.deep.equal(
      Array.from({ length: 6 }, () => 'numeric'),
    );
  });

  it('keeps the types that do not depend on values', async () => {
    expect(
      await typesOf(
        "SELECT COUNT(*), CAST(MAX(n) AS INTEGER), SQRT(MAX(n)), CAST('2024-01-01' AS DATE), MAX(n) > 1, MAX(id) FROM s.t",
      ),
    ).to.deep.equal(['int8', 'int4', 'float8', 'date', 'boolean', 'text']);
  });

  it('takes documents, lists and sets for JSON, an attribute of several types for text', async () => {
    expect(await typesOf('SELECT doc, tags, raw, flag, mixed FROM s.t')).to.deep.equal([
      ...['json', 'json', 'binary', 'boolean', 'text'],
    ]);
  });

  it('names the same types where nothing can be found', async () => {
    expect(await typesOf('SELECT n, id, doc FROM s.t WHERE 1 = 0')).to.deep.equal([
      'numeric',
      'text',
      'json',
    ]);
    expect(await typesOf('SELECT n, id, doc FROM s.t LIMIT 0')).to.deep.equal(['numeric', 'text', 'json']);
  });

  it('says which attribute a column is, and whether that is a key', async () => {
    const { columns } = await described(
      'SELECT id AS x, n, n + 1 AS more, doc.city AS city FROM (SELECT * FROM s.t) AS u',
    );
    expect(columns.map(({ name, attribute: is, isKey }) => [name, is, isKey])).to.deep.equal([
      ['x', 'id', true],
      ['n', 'n', false],
      ['more', '', false],
      ['city', 'doc.city', false],
    ]);
  });

  it('infers a parameter from what it is compared with', async () => {
    expect(
      await parametersOf(
        'SELECT * FROM s.t WHERE id = $1 AND at BETWEEN $2 AND $3 AND n IN ($4, 7) AND flag = $5',
        5,
      ),
    ).to.deep.equal(['text', 'numeric', 'numeric', 'numeric', 'boolean']);
  });

  it('infers a parameter from where it stands', async () => {
    expect(
      await parametersOf('SELECT n + $1, CAST($2 AS DATE) FROM s.t WHERE id LIKE $3 LIMIT $4 OFFSET $5', 5),
    ).to.deep.equal(['numeric', 'date', 'text', 'int8', 'int8']);
  });

  it('infers a document where one is looked for in a document', async () => {
    expect(await parametersOf('SELECT n FROM s.t WHERE doc @> $1 AND $2 <@ doc', 2)).to.deep.equal([
      'json',
      'json',
    ]);
  });

  it('knows a parameter that is the character after ESCAPE', async () => {
    const sql = 'SELECT n FROM s.t WHERE id LIKE $1 ESCAPE $2';
    expect(await parametersOf(sql, 2)).to.deep.equal(['text', 'text']);
    const text = { type: 'text', isList: false } as const;
    expect((await described(sql, [text, text])).columns.map(({ type }) => type)).to.deep.equal(['numeric']);
  });

  it('infers through a derived table', async () => {
    const sql = 'SELECT * FROM (SELECT n * 2 AS twice, id FROM s.t) AS u WHERE twice > $1 AND id = $2';
    expect(await parametersOf(sql, 2)).to.deep.equal(['numeric', 'text']);
  });

  it('knows a parameter that stands for a list', async () => {
    expect(await parametersOf('SELECT * FROM s.t WHERE n = ANY ($1) AND id <> ALL ($2)', 2)).to.deep.equal([
      ...['numeric list', 'text list'],
    ]);
    expect(
      await parametersOf('SELECT * FROM s.t WHERE n = ANY ($1::int[]) AND id = ANY ($2::text[])', 2),
    ).to.deep.equal(['numeric list', 'text list']);
  });

  it('believes what a parameter is declared as', async () => {
    const { parameters, columns } = await described('SELECT $1 AS a, n FROM s.t WHERE id = $2', [
      { type: 'date', isList: false },
      { type: null, isList: false },
    ]);
    expect(parameters.map(({ type }) => type)).to.deep.equal(['date', 'text']);
    expect(columns.map(({ type }) => type)).to.deep.equal(['text', 'numeric']);
  });

  it('takes a number that is given for one of any digits, but where only a whole one may stand', async () => {
    const numeric = { type: 'numeric', isList: false } as const;
    expect(
      (await described('SELECT $1 AS v, COUNT(*) * $2 AS w FROM s.t', [numeric, numeric])).columns.map(
        ({ type }) => type,
      ),
    ).to.deep.equal(['numeric', 'numeric']);
    expect((await described('SELECT id FROM s.t LIMIT $1', [numeric])).columns).to.have.length(1);
  });
});
