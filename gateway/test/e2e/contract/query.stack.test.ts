import { expect } from 'chai';
import type { CustomerAccount } from '../../../../deploy/local/src/seed/customer-account.ts';
import { createTable, putItems } from '../../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { clearRequests, requestsOf, setFaults } from '../support/request-log.ts';
import { newShop, seedWide } from '../support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { newTenant, registerSchema, type TestTenant } from '../support/tenant.ts';

describe('contract: query', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;
  const rows = async (sql: string, options?: Record<string, unknown>) => {
    const answer = await tenant.query(sql, options);
    expect(answer.body.success, `${sql}: ${answer.text}`).to.equal(true);
    return answer.body.data!.data;
  };

  before(async () => {
    stack = await sharedStack();
    ({ tenant, account } = await newShop(stack));
  });
  after(() => account.close());

  it('answers execute in the contract’s shape', async () => {
    const answer = await tenant.query("SELECT id, name FROM shop.customers WHERE id = 'c1'");
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('x-request-id')).to.be.a('string');
    expect(Object.keys(answer.body)).to.deep.equal(['success', 'data']);
    const data = answer.body.data!;
    expect(data).to.deep.include({
      data: [['c1', 'Ada m']],
      columns: ['id', 'name'],
      firstRowIdx: 0,
      readUnits: 0.5,
    });
    expect(data).to.not.have.any.keys('resumeIdx', 'warnings');
    expect(data.columnTypes).to.deep.equal(['VARCHAR', 'VARCHAR']);
    for (const time of [data.planTime, data.execTime]) expect(time).to.satisfy(Number.isInteger);
    expect(data.execTime).to.be.at.least(data.planTime);
  });

  it('answers plan without reading an item', async () => {
    await rows('SELECT * FROM shop.orders');
    await clearRequests(stack, account);
    const answer = await tenant.query("SELECT name FROM shop.customers WHERE id = 'c1'", undefined, 'plan');
    expect(answer.status).to.equal(200);
    const data = answer.body.data!;
    expect(data).to.have.all.keys('plan', 'weight', 'estimatedReadUnits', 'normalizedSql', 'planTime');
    expect(data.estimatedReadUnits).to.deep.equal({ low: 0.5, high: 0.5 });
    expect(data.plan).to.match(/GetItem.*customers/s);
    expect(data.weight).to.be.greaterThan(0);
    const scan = await tenant.query('SELECT COUNT(*) FROM shop.customers', undefined, 'plan');
    expect(scan.body.data!.plan).to.match(/Scan.*customers/s);
    const operations = (await requestsOf(stack, account)).map((r) => r.operation);
    expect(operations.filter((o) => o !== 'DescribeTable')).to.deep.equal([]);
  });

  it('reads an index by its name, within an allowlist, and says how it is named', async () => {
    const own = await newTenant(stack);
    await registerSchema(stack, own, account, { schemaName: 'shop', tableAllowlist: ['customers'] });
    const listed = await own.query('SELECT id FROM shop.customers.by_city ORDER BY id');
    expect(listed.body.data!.data, listed.text).to.deep.equal([['c1'], ['c2']]);
    const found = await own.query("SELECT name FROM shop.customers.by_city WHERE city = 'Lyon'");
    expect(found.body.data!.data).to.deep.equal([['Ada m']]);
    const unqualified = await own.query('SELECT id FROM customers.by_city');
    expect(unqualified.body).to.include({ success: false, error: 'Schema not found: customers' });
    expect(unqualified.body.detailedError).to.include('shop.customers.by_city');
    const outside = await own.query('SELECT * FROM shop.orders.by_city');
    expect(outside.body.error).to.equal('Table not found: shop.orders');
  });

  it('joins, groups, filters and sorts over several tables', async () => {
    const sql = `SELECT c.name, COUNT(o.no) AS n, SUM(o.total) AS spent FROM shop.customers c
      LEFT JOIN shop.orders o ON o.customer_id = c.id GROUP BY c.name HAVING COUNT(*) >= 1 ORDER BY c.name`;
    const answer = await tenant.query(sql);
    expect(answer.body.data!.columns).to.deep.equal(['name', 'n', 'spent']);
    expect(answer.text).to.include('["Ada m",2,30.5],["Bob m",1,12345678901234567890.5],["Cyd m",0,null]');
  });

  it('knows the statements of the contract’s list', async () => {
    const cases: readonly [string, unknown][] = [
      ['SELECT DISTINCT status FROM shop.orders ORDER BY status', [['NEW'], ['PAID']]],
      ['SELECT o.* FROM shop.orders o WHERE o.customer_id = \'c9\'', [['c9', 1, 'NEW', 7]]],
      ['SELECT id FROM shop.customers ORDER BY id LIMIT 1 OFFSET 1', [['c2']]],
      ['SELECT id FROM shop.customers ORDER BY id FETCH FIRST 2 ROWS ONLY', [['c1'], ['c2']]],
      ['SELECT c.id, o.no FROM shop.orders o RIGHT OUTER JOIN shop.customers c ON c.id = o.customer_id AND o.no = 2 ORDER BY c.id', [['c1', 2], ['c2', null], ['c3', null]]],
      ["SELECT c.id, o.customer_id FROM shop.customers c FULL OUTER JOIN (SELECT DISTINCT customer_id FROM shop.orders) o ON o.customer_id = c.id ORDER BY 1, 2", [[null, 'c9'], ['c1', 'c1'], ['c2', 'c2'], ['c3', null]]],
      ["SELECT id FROM shop.customers WHERE name LIKE 'A%' OR id IN ('c3') ORDER BY id", [['c1'], ['c3']]],
      ['SELECT no FROM shop.orders WHERE no BETWEEN 2 AND 3', [[2]]],
      ['SELECT id FROM shop.customers WHERE city IS NULL', [['c3']]],
      ['SELECT id FROM shop.customers c WHERE EXISTS (SELECT 1 FROM shop.orders o WHERE o.customer_id = c.id AND o.status = \'PAID\') ORDER BY id', [['c1'], ['c2']]],
      ['SELECT (SELECT MAX(no) FROM shop.orders o WHERE o.customer_id = c.id) AS m FROM shop.customers c ORDER BY c.id', [[2], [1], [null]]],
      ['WITH a AS (SELECT id FROM shop.customers), b AS (SELECT customer_id FROM shop.orders) SELECT COUNT(*) FROM a JOIN b ON a.id = b.customer_id', [[3]]],
      ['SELECT x FROM (SELECT id AS x FROM shop.customers) t ORDER BY x', [['c1'], ['c2'], ['c3']]],
      ['SELECT id FROM shop.customers UNION SELECT customer_id FROM shop.orders ORDER BY 1', [['c1'], ['c2'], ['c3'], ['c9']]],
      ['SELECT 1 AS a UNION ALL SELECT 1', [[1], [1]]],
      ['SELECT 5 / 2, 7 % 4, 5 & 3, 5 | 3, 5 ^ 3, 1 << 3, \'a\' || \'b\'', [[2.5, 3, 1, 7, 6, 8, 'ab']]],
      ["SELECT CASE WHEN 1 < 2 THEN 'y' ELSE 'n' END, COALESCE(NULL, 3), NULLIF(1, 1)", [['y', 3, null]]],
      ['SELECT COUNT(*), SUM(no), AVG(no), MIN(no), MAX(no), STDDEV(no) FROM shop.orders WHERE customer_id = \'c1\'', [[2, 3, 1.5, 1, 2, 0.7071067811865476]]],
      ['SELECT address.zip FROM shop.customers WHERE id = \'c3\'', [['1000']]],
    ]; // oxfmt-ignore
    for (const [sql, expected] of cases) expect(await rows(sql), sql).to.deep.equal(expected);
  });

  it('keeps every digit of a number and every type', async () => {
    const answer = await tenant.query("SELECT total FROM shop.orders WHERE customer_id = 'c2' AND no = 1");
    expect(answer.text).to.include('[[12345678901234567890.5]]');
    await createTable(account, {
      TableName: 'types',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    });
    await putItems(account, 'types', [
      { id: { S: '1' }, b: { B: new Uint8Array([1, 2, 255]) }, t: { BOOL: false }, m: { M: { a: { N: '1.10' }, l: { L: [{ NULL: true }, { S: 'x' }] } } }, s: { SS: ['b', 'a'] }, n: { NS: ['10', '9'] }, z: { NULL: true }, mix: { N: '7' } },
      { id: { S: '2' }, mix: { S: 'seven' } },
    ]); // oxfmt-ignore
    const all = await tenant.query('SELECT id, b, t, m, s, n, z, mix, "never" FROM shop.types ORDER BY id');
    expect(all.text).to.include('["1","AQL/",false,{"a":1.1,"l":[null,"x"]},["a","b"],[9,10],null,7,null]');
    expect(all.text).to.include('["2",null,null,null,null,null,null,"seven",null]');
    expect(
      await rows("SELECT id FROM shop.types WHERE mix = '7' OR mix = 'seven' ORDER BY id"),
    ).to.deep.equal([['1'], ['2']]);
  });

  it('gives rows as objects when asked, with duplicate names told apart', async () => {
    const answer = await tenant.query('SELECT id, id, name AS id FROM shop.customers ORDER BY 1', {
      responseType: 'object',
      maxRows: 1,
    });
    expect(answer.body.data!.data).to.deep.equal([{ id: 'c1', id_2: 'c1', id_3: 'Ada m' }]);
  });

  it('pages by offset, with resumeIdx after an exactly full page and none after the last', async () => {
    await seedWide(account, 'wide', 25, 20);
    const seen: unknown[] = [];
    let resumeIdx: number | undefined = 0;
    const sizes: number[] = [];
    while (resumeIdx !== undefined) {
      const answer = await tenant.query('SELECT id FROM shop.wide', { maxRows: 10, resumeIdx });
      const data = answer.body.data!;
      expect(data.firstRowIdx).to.equal(resumeIdx);
      seen.push(...data.data.map((row) => row[0]));
      sizes.push(data.data.length);
      if ('resumeIdx' in data) expect(data.resumeIdx).to.equal(resumeIdx + 10);
      resumeIdx = data.resumeIdx;
    }
    expect(sizes).to.deep.equal([10, 10, 5]);
    expect(new Set(seen).size).to.equal(25);
    const full = await tenant.query('SELECT id FROM shop.wide', { maxRows: 25 });
    expect(full.body.data!.resumeIdx).to.equal(25);
    const empty = await tenant.query('SELECT id FROM shop.wide', { maxRows: 25, resumeIdx: 25 });
    expect(empty.body.data!.data).to.deep.equal([]);
    expect(empty.body.data!).to.not.have.property('resumeIdx');
    expect((await tenant.query('SELECT id FROM shop.wide')).body.data!.data).to.have.length(25);
  });

  it('reads the fewest units that keys and limits allow', async () => {
    const units = async (sql: string, options?: Record<string, unknown>) => {
      await rows(sql, options);
      await clearRequests(stack, account);
      const answer = await tenant.query(sql, options);
      const log = await requestsOf(stack, account);
      const consumed = log.reduce((sum, request) => sum + (request.consumedUnits ?? 0), 0);
      expect(answer.body.data!.readUnits, sql).to.equal(consumed);
      return [answer.body.data!.readUnits, log.map((request) => request.operation)] as const;
    };
    expect(await units("SELECT name FROM shop.customers WHERE id = 'c1'")).to.deep.equal([0.5, ['GetItem']]);
    expect(await units("SELECT name FROM shop.customers WHERE id = 'none'")).to.deep.equal([
      0.5,
      ['GetItem'],
    ]);
    expect(await units("SELECT name FROM shop.customers WHERE id IN ('c1', 'c2', 'c1')")).to.deep.equal([
      1,
      ['BatchGetItem'],
    ]);
    expect(await units("SELECT no FROM shop.orders WHERE customer_id = 'c1' AND no > 1")).to.deep.equal([
      0.5,
      ['Query'],
    ]);
    expect(await units("SELECT id FROM shop.customers WHERE city = 'Lyon'")).to.deep.equal([0.5, ['Query']]);
    expect(await units("SELECT id FROM shop.customers WHERE id = 'c1' AND id = 'c2'")).to.deep.equal([0, []]);
    expect(
      await units("SELECT name FROM shop.customers WHERE id = 'c1'", { consistentRead: true }),
    ).to.deep.equal([1, ['GetItem']]);
    expect((await units('SELECT name FROM shop.customers LIMIT 0'))[0]).to.equal(0);
  });

  it('refuses malformed bodies with 400 in the query envelope', async () => {
    const cases: readonly [unknown, string][] = [
      ['{"sql": ', 'JSON'],
      ['[]', 'object'],
      ['{}', 'sql'],
      [{ sql: 7 }, 'sql'],
      [{ sql: '' }, 'sql'],
      [{ sql: 'SELECT 1', mode: 'explain' }, 'mode'],
      [{ sql: 'SELECT 1', limit: 7 }, 'limit'],
      [{ sql: 'SELECT 1', options: { maxrows: 7 } }, 'maxrows'],
      [{ sql: 'SELECT 1', options: { maxRows: 0 } }, 'maxRows'],
      [{ sql: 'SELECT 1', options: { maxRows: 10_001 } }, 'maxRows'],
      [{ sql: 'SELECT 1', options: { maxRows: 1.5 } }, 'maxRows'],
      [{ sql: 'SELECT 1', options: { resumeIdx: -1 } }, 'resumeIdx'],
      [{ sql: 'SELECT 1', options: { responseType: 'csv' } }, 'responseType'],
      [{ sql: 'SELECT 1', options: { timeoutMs: 10 } }, 'timeoutMs'],
      [{ sql: 'SELECT 1', options: { maxReadUnits: -1 } }, 'maxReadUnits'],
      [{ sql: 'SELECT 1', options: { consistentRead: 'yes' } }, 'consistentRead'],
      [{ sql: `SELECT '${'x'.repeat(70_000)}'` }, 'sql'],
    ];
    for (const [body, named] of cases) {
      const request = typeof body === 'string' ? { raw: body } : { json: body };
      const answer = await tenant.call<{ success: boolean; error: string }>('POST', '/v1/query', request);
      expect(answer.status, `${JSON.stringify(body)?.slice(0, 80)} ${answer.text}`).to.equal(400);
      expect(answer.body.success).to.equal(false);
      expect(answer.body.error).to.be.a('string').that.includes(named);
    }
    const huge = await tenant.call<{ error: string }>('POST', '/v1/query', {
      json: { sql: 'x'.repeat(300_000) },
    });
    expect(huge.status).to.equal(413);
    expect(huge.body.error).to.be.a('string');
    expect(huge.headers.get('x-request-id')).to.be.a('string');
  });

  it('says where a statement cannot be parsed', async () => {
    const answer = await tenant.query('SELECT id\nFORM shop.customers');
    expect(answer.status).to.equal(400);
    expect(answer.body.error).to.match(
      /^Parse error: unexpected 'shop'|^Parse error: unexpected 'FORM'|^Parse error/,
    );
    expect(answer.body.detailedError)
      .to.match(/^Parse error at line 2, column \d+/)
      .and.include('^');
    for (const sql of [
      '',
      ' ',
      'SELECT',
      'SELECT (1',
      "SELECT 'x",
      'SELECT 1 2 3',
      'SELECT * FROM',
      'SELECT 1; SELECT 2',
      'SELECT /* x',
      'SELECT `a`',
    ]) {
      const broken = await tenant.query(sql);
      expect(broken.status, sql).to.equal(400);
      expect(broken.body.error).to.be.a('string');
    }
    for (const sql of [
      'INSERT INTO t VALUES (1)',
      'UPDATE t SET a = 1',
      'DELETE FROM t',
      'DROP TABLE t',
      'CREATE TABLE t (a INT)',
      'PRAGMA x',
      "ATTACH 'x'",
      "COPY t TO 'x'",
    ]) {
      const refused = await tenant.query(sql);
      expect(refused.status, sql).to.equal(400);
      expect(refused.body.error, sql).to.match(/^(Unsupported SQL|Parse error)/);
    }
  });

  it('answers statements that cannot be run with 200, success false and what to do', async () => {
    const cases: readonly [string, RegExp, RegExp?][] = [
      ['SELECT * FROM shop.ordrs', /^Table not found: shop\.ordrs$/],
      ['SELECT * FROM shp.orders', /^Schema not found: shp$/],
      ['SELECT nmae FROM shop.customers', /^Column not found: nmae/, /name/],
      ['SELECT FOO(1)', /FOO/i],
      ['SELECT read_csv(1)', /read_csv/i],
      ['SELECT name, COUNT(*) FROM shop.customers', /name/],
      ['SELECT id FROM shop.customers WHERE COUNT(*) > 1', /aggregate|COUNT/i],
      ['SELECT CAST(name AS INTEGER) FROM shop.customers', /./],
      ['SELECT (SELECT id FROM shop.customers)', /./],
      ['SELECT id FROM shop.customers UNION SELECT customer_id, no FROM shop.orders', /column/i],
    ];
    for (const [sql, error, detail] of cases) {
      const answer = await tenant.query(sql);
      expect(answer.status, `${sql} ${answer.text}`).to.equal(200);
      expect(answer.body.success, sql).to.equal(false);
      expect(answer.body.error, sql).to.match(error);
      if (detail !== undefined) expect(answer.body.detailedError, sql).to.match(detail);
      expect(answer.text).to.not.match(/arn:aws|duckdb|\bat .*\.ts:\d+|temp_|\bc\d+\b/i);
    }
  });

  it('needs the schema only where the tenant has more than one', async () => {
    expect(await rows("SELECT name FROM customers WHERE id = 'c1'")).to.deep.equal([['Ada m']]);
    const second = await newTenant(stack);
    await registerSchema(stack, second, account, { schemaName: 'one' });
    await registerSchema(stack, second, account, { schemaName: 'two' });
    expect((await second.query('SELECT * FROM customers')).body.error).to.equal(
      'Schema required for table: customers',
    );
    expect((await second.query("SELECT name FROM ONE.customers WHERE id = 'c1'")).body.success).to.equal(
      true,
    );
    const none = await newTenant(stack);
    expect((await none.query('SELECT * FROM shop.customers')).body.error).to.equal('Schema not found: shop');
  });

  it('treats a table outside the allowlist exactly as one that is not there', async () => {
    const other = await newTenant(stack);
    await registerSchema(stack, other, account, { schemaName: 'shop', tableAllowlist: ['orders'] });
    const hidden = await other.query('SELECT * FROM shop.customers');
    const absent = await other.query('SELECT * FROM shop.absent');
    expect(hidden.status).to.equal(200);
    expect(hidden.text.replaceAll('customers', 'absent')).to.equal(absent.text);
  });

  it('tells apart why a table cannot be read, without an ARN', async () => {
    const other = await newTenant(stack);
    await registerSchema(stack, other, account, { schemaName: 'noscan', actions: ['DescribeTable'] });
    await registerSchema(stack, other, account, { schemaName: 'norole' });
    await other.call('PATCH', '/v1/schemas/norole', { json: { externalId: 'wrong-one' } });
    const noscan = await other.query('SELECT * FROM noscan.orders');
    expect(noscan.body.error)
      .to.match(/^Access denied/)
      .and.match(/dynamodb:Scan/);
    const norole = await other.query('SELECT * FROM norole.orders');
    expect(norole.body.error)
      .to.match(/^Access denied/)
      .and.match(/external ID/);
    for (const answer of [noscan, norole]) {
      expect(answer.status).to.equal(200);
      expect(answer.text).to.not.include('arn:aws').and.not.include(account.accountId);
    }
  });

  it('stops at maxReadUnits and at timeoutMs with an error that says so', async () => {
    await seedWide(account, 'big', 60, 40_000);
    const limited = await tenant.query('SELECT COUNT(filler) FROM shop.big', { maxReadUnits: 20 });
    expect(limited.status).to.equal(200);
    expect(limited.body.error).to.match(/maxReadUnits|read units/i);
    await setFaults(stack, [{ accountId: account.accountId, tableName: 'big', latencyMs: 3_000 }]);
    try {
      const started = Date.now();
      const late = await tenant.query('SELECT COUNT(filler) FROM shop.big', { timeoutMs: 1_000 });
      expect(Date.now() - started).to.be.lessThan(6_000);
      expect(late.body.success).to.equal(false);
      expect(late.body.error).to.match(/took longer than 1000 ms/);
    } finally {
      await setFaults(stack, []);
    }
  });

  it('rides out throttling, and says so when it cannot', async () => {
    const error = 'ProvisionedThroughputExceededException';
    await setFaults(stack, [{ accountId: account.accountId, tableName: 'orders', error, count: 3 }]);
    try {
      expect(await rows('SELECT COUNT(*) FROM shop.orders')).to.deep.equal([[4]]);
      await setFaults(stack, [{ accountId: account.accountId, tableName: 'orders', error }]);
      const answer = await tenant.query('SELECT COUNT(*) FROM shop.orders', { timeoutMs: 2_000 });
      expect(answer.status).to.equal(200);
      expect(answer.body.error).to.match(/throttl/i);
    } finally {
      await setFaults(stack, []);
    }
  });

  it('refuses another tenant in the body with 403', async () => {
    const json = { sql: 'SELECT 1', tenantId: 'somebody' };
    const answer = await tenant.call<{ error: string }>('POST', '/v1/query', { json });
    expect(answer.status).to.equal(403);
    expect(answer.body.error).to.be.a('string');
    const own = await tenant.call('POST', '/v1/query', {
      json: { sql: 'SELECT 1', tenantId: tenant.tenantId },
    });
    expect(own.status).to.equal(200);
  });

  it('keeps a caller’s request ID and makes one where it is unusable', async () => {
    const send = async (id: string) =>
      (
        await tenant.call('POST', '/v1/query', { json: { sql: 'SELECT 1' }, headers: { 'x-request-id': id } })
      ).headers.get('x-request-id');
    expect(await send('my-request_7.a')).to.equal('my-request_7.a');
    expect(await send('has spaces')).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(await send('x'.repeat(129))).to.match(/^[0-9a-f]{8}-/);
  });
});
