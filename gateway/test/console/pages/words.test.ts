import { readFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { CatalogTable, Column, TableDetails } from '../../../src/console/api/catalog.ts';
import { percent } from '../../../src/console/web/pages/common/percent.ts';
import { curlText } from '../../../src/console/web/pages/access/curl-text.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../../src/console/web/pages/access/rights.ts';
import { agentClients, isLocal } from '../../../src/console/web/pages/agents/clients.ts';
import { byKey, columnNames, firstQuery } from '../../../src/console/web/pages/tables/first-query.ts';
import { searched, treeOf } from '../../../src/console/web/pages/tables/tree.ts';
import { scanUnits, sizeInWords } from '../../../src/console/web/pages/tables/words.ts';

const details = (change: Partial<TableDetails> = {}): TableDetails => ({
  key: { partitionKeys: [{ name: 'id', type: 'S' }], sortKeys: [] },
  indexes: [],
  itemCount: 3,
  sizeBytes: 300,
  describedAt: '2026-11-26T02:00:00.000Z',
  sampledItems: 3,
  columns: [],
  ...change,
});

const table = (
  schemaName: string,
  tableName: string,
  known: TableDetails | null = details(),
): CatalogTable => ({
  schemaName,
  tableName,
  sqlName: `${schemaName}.${tableName}`,
  details: known,
});

describe('Figures in words', () => {
  it('are rounded to all or nothing only where it is so', () => {
    expect(percent(999, 1_000)).to.equal('99 %');
    expect(percent(1, 1_000)).to.equal('under 1 %');
    expect(percent(0, 0)).to.equal('0 %');
    expect(percent(5, 5)).to.equal('100 %');
  });

  it('say how large a table is, and what reading all of it costs', () => {
    expect(sizeInWords({ itemCount: 1, sizeBytes: 100 })).to.equal('1 item, 100 bytes');
    expect(scanUnits(4_097)).to.equal(1);
    expect(scanUnits(0)).to.equal(0);
  });
});

describe('The tree of tables', () => {
  const tables = [table('shop', 'orders'), table('shop', 'customers'), table('crm', 'orders_old')];
  const tree = treeOf(['crm', 'empty', 'shop'], tables);
  const found = (search: string): readonly string[] =>
    searched(tree, search).flatMap(({ schemaName, tables: some }) =>
      some.length === 0 ? [schemaName] : some.map(({ table: each }) => `${schemaName}.${each.tableName}`),
    );

  it('keeps schemas without tables, where nothing is searched for', () => {
    expect(found('')).to.deep.equal(['crm.orders_old', 'empty', 'shop.orders', 'shop.customers']);
  });

  it('finds by schema, by table and by both, whatever the case', () => {
    expect(found('ORD')).to.deep.equal(['crm.orders_old', 'shop.orders']);
    expect(found('shop.ord')).to.deep.equal(['shop.orders']);
    expect(found('shop')).to.deep.equal(['shop.orders', 'shop.customers']);
    expect(found('nothing')).to.deep.equal([]);
  });

  it('finds the tables that have an attribute, with it, also below another', () => {
    const column = (name: string, nested: readonly Column[] = []): Column => ({
      ...{ name, sqlName: name, sqlType: 'VARCHAR', types: [], distinctValues: 0 },
      nested,
    });
    const columns = [column('id'), column('profile', [column('loyalty_tier')]), column('loyalty_since')];
    const withColumns = treeOf(['shop'], [...tables, table('shop', 'people', details({ columns }))]);
    const names = (search: string): unknown =>
      searched(withColumns, search).flatMap(({ tables: some }) =>
        some.map(({ table: each, attributes }) => [each.tableName, attributes.map(({ name }) => name)]),
      );
    expect(names('Loyalty')).to.deep.equal([['people', ['loyalty_tier', 'loyalty_since']]]);
    expect(names('shop people tier')).to.deep.equal([['people', ['loyalty_tier']]]);
    expect(names('people')).to.deep.equal([['people', []]]);
    expect(names('loyalty nothing')).to.deep.equal([]);
  });
});

describe('A query that is offered', () => {
  it('is a few items of the smallest table that has any', () => {
    const big = table('shop', 'orders', details({ sizeBytes: 10 ** 9, itemCount: 10 ** 6 }));
    const empty = table('shop', 'empty', details({ sizeBytes: 0, itemCount: 0, sampledItems: 0 }));
    expect(firstQuery([big, empty, table('shop', 'small')])).to.equal('SELECT * FROM shop.small LIMIT 10');
    expect(firstQuery([table('shop', 'unknown', null)])).to.equal('SELECT * FROM shop.unknown LIMIT 10');
    expect(firstQuery([])).to.equal(null);
  });

  it('binds the whole partition key of an index, and quotes as the statement needs it', () => {
    const key = {
      partitionKeys: [
        { name: 'a"b', type: 'S' },
        { name: 'n', type: 'N' },
      ],
      sortKeys: [
        { name: 'at', type: 'B' },
        { name: 'never', type: 'S' },
      ],
    } as const;
    expect(byKey('s.t.i', key, columnNames(table('s', 't')))).to.equal(
      `SELECT * FROM s.t.i WHERE "a""b" = 'value' AND "n" = 1 AND "at" >= 'AAEC' LIMIT 10`,
    );
  });
});

describe('The commands for a new API client', () => {
  it('are taken by a shell as they stand, whatever the secret and the query hold', async () => {
    const text = curlText(
      { baseUrl: 'http://localhost:8080', clientId: 'c', clientSecret: `s'"$(exit 9)`, scopes: ['query'] },
      `SELECT "a""b" FROM s.t WHERE x = 'it''s'`,
    );
    const script = `curl() { printf '%s\\n' "$@" >&2; printf '{"accessToken":"tok.en"}'; }\n${text}`;
    const { stderr } = await promisify(execFile)('bash', ['-euc', script]);
    expect(stderr).to.include(JSON.stringify({ clientId: 'c', clientSecret: `s'"$(exit 9)` }));
    expect(stderr).to.include(JSON.stringify({ sql: `SELECT "a""b" FROM s.t WHERE x = 'it''s'` }));
    expect(stderr).to.include('Authorization: Bearer tok.en');
  });

  it('ask for what the scopes allow', () => {
    const shown = { baseUrl: 'https://x', clientId: 'c', clientSecret: 's' };
    expect(curlText({ ...shown, scopes: ['usage:read'] }, '')).to.include('/v1/usage/summary');
    expect(curlText({ ...shown, scopes: ['schemas:read'] }, '')).to.include('$BASE/v1/schemas');
  });

  it('have the scopes that a new client has first', () => {
    expect(SCOPES.slice(0, 2).map(({ name }) => name)).to.deep.equal(DEFAULT_SCOPES);
  });
});

describe('The Agents page', () => {
  it('says the same as the page of the documentation', async () => {
    const page = (await readFile(new URL('../../../agents.md', import.meta.url), 'utf8')).replaceAll(
      /\s+/g,
      ' ',
    );
    for (const { name, snippet } of agentClients('https://mcp.example.com/mcp')) {
      expect(page, name).to.include(name);
      for (const line of snippet.text.split(/\s*\n\s*/)) expect(page, name).to.include(line);
    }
  });

  it('knows a URL that no service on the internet can reach', () => {
    for (const url of [
      'http://localhost:8080/mcp',
      'http://127.0.0.1/mcp',
      'https://10.1.2.3/mcp',
      'http://[::1]:1/mcp',
    ])
      expect(isLocal(url), url).to.equal(true);
    for (const url of [
      'https://mcp.example.com/mcp',
      'https://127.example.com/mcp',
      'https://172.32.0.1/mcp',
    ])
      expect(isLocal(url), url).to.equal(false);
  });
});
