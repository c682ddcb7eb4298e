/** Whose a statement is, by the plan of the tenant's own server. */
import { expect } from 'chai';
import { createClassifier, type Asked } from '../../../src/postgres/backend/classify.ts';
import { PgError } from '../../../src/postgres/errors/pg-error.ts';

const scan = (schema: string, name: string, more: object = {}) => ({
  ...{ 'Node Type': 'Seq Scan', 'Relation Name': name, Schema: schema },
  ...more,
});
const planOf = (plan: object): string => JSON.stringify([{ Plan: plan }]);
const asked = (sql: string, searchPath = 'public'): Asked => ({ sql, parameterOids: [], searchPath });

describe('a statement of a PostgreSQL client', () => {
  const of = (plan: object | PgError) =>
    createClassifier(async () => {
      if (plan instanceof PgError) throw plan;
      return { plan: planOf(plan), columns: [] };
    }).of(asked('SELECT 1'), async () => undefined);

  it('is the engine’s where its plan reads a table, the server’s where it reads catalogs or nothing', async () => {
    expect(await of({ 'Node Type': 'Limit', Plans: [scan('shop', 'orders')] })).to.deep.equal({
      ...{ by: 'engine', columns: [] },
    });
    expect(await of(scan('pg_catalog', 'pg_class'))).to.deep.equal({
      ...{ by: 'server', columns: [], readsCatalogs: true, isPlain: true },
    });
    expect(
      await of({ 'Node Type': 'Result', Output: ["set_config('a.b'::text, 'c'::text, false)"] }),
    ).to.deep.equal({
      ...{ by: 'server', columns: [], readsCatalogs: false, isPlain: false },
    });
  });

  it('is nobody’s where it reads both', async () => {
    const both = {
      'Node Type': 'Hash Join',
      Plans: [scan('pg_catalog', 'pg_class'), scan('shop', 'orders')],
    };
    expect(await of(both)).to.deep.equal({ by: 'neither', catalog: 'pg_class', table: 'shop.orders' });
  });

  it('that PostgreSQL cannot read is not known, and where the server is away nobody says so', async () => {
    const error = new PgError({ code: '42601', message: 'syntax error' });
    expect(await of(error)).to.deep.equal({ by: 'unknown', error });
    const fatal = new PgError({ code: '57P01', message: 'away', severity: 'FATAL' });
    expect(await of(fatal).catch((thrown: unknown) => thrown)).to.equal(fatal);
  });

  it('deeper than the stack is refused by name', async () => {
    let json = '';
    // JSON.stringify would be as deep.
    for (let i = 0; i < 20_000; i++) json += '{"Node Type":"Limit","Plans":[';
    json = `[{"Plan":${json}{"Node Type":"Result"}${']}'.repeat(20_000)}}]`;
    const found = await createClassifier(async () => ({ plan: json, columns: [] })).of(
      asked('SELECT 1'),
      async () => undefined,
    );
    expect(found.by === 'unknown' ? found.error.fields.code : found.by).to.equal('54001');
  });

  it('with more types of parameters than are worth it is asked about again', async () => {
    let planned = 0;
    const classifier = createClassifier(async () => {
      planned++;
      return { plan: planOf(scan('shop', 'orders')), columns: [] };
    });
    const many = { ...asked('SELECT 1'), parameterOids: new Array<number>(60_000).fill(25) };
    for (let i = 0; i < 2; i++) await classifier.of(many, async () => undefined);
    expect(planned).to.equal(2);
  });

  it('is asked about once for each path, and again after tables have changed', async () => {
    let planned = 0;
    let paced = 0;
    const classifier = createClassifier(async () => {
      planned++;
      return { plan: planOf(scan('shop', 'orders')), columns: [] };
    });
    const pace = async (): Promise<void> => void paced++;
    for (const path of ['public', 'public', 'shop']) await classifier.of(asked('SELECT 1', path), pace);
    expect([planned, paced]).to.deep.equal([2, 2]);
    classifier.tablesAre('2');
    await classifier.of(asked('SELECT 1'), pace);
    expect([planned, paced]).to.deep.equal([3, 3]);
  });
});
