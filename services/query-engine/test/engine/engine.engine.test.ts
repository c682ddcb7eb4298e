import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { customers, numbers, orders } from './shop.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

describe('the engine', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([customers(), orders(), numbers()]);
  });
  after(() => engine.close());
  afterEach(() => expect(engine.disagreements).to.deep.equal([]));

  const rows = async (sql: string): Promise<readonly unknown[]> => (await engine.run(sql)).rows;

  describe('answers', () => {
    for (const [what, sql, expected] of [
      ['a SELECT without FROM', `SELECT 1 + 1 AS two, 'a' || 'b', 5 / 2, 5 ^ 1`, [[2, 'ab', 2.5, 4]]],
      ['a key lookup', `SELECT name FROM shop.customers WHERE id = 'c1'`, [['bob']]],
      ['a key that no item has', `SELECT name FROM shop.customers WHERE id = 'zz'`, []],
      ['names whatever their case', `SELECT NAME FROM Shop.Customers WHERE ID = 'c1'`, [['bob']]],
      [
        'paths into documents',
        `SELECT address.street, address.geo[1] FROM shop.customers WHERE id = 'c2'`,
        [['Street 2', 2.5]],
      ],
      ['sets as sorted lists', `SELECT tags FROM shop.customers WHERE id = 'c0'`, [[['t0', 'x']]]],
      ['booleans', `SELECT id FROM shop.customers WHERE vip`, [['c0']]],
      ['missing attributes as NULL', `SELECT id FROM shop.customers WHERE city IS NULL`, [['c3']]],
      ['DynamoDB NULL as NULL', `SELECT count(*) FROM shop.orders WHERE note IS NOT NULL`, [[6]]],
      [
        'an inner join',
        `SELECT c.name, o.total FROM shop.customers c JOIN shop.orders o ON o.customer = c.id WHERE o.number = 7`,
        [['dee', 8.75]],
      ],
      [
        'a left join',
        `SELECT c.name, count(o.number) AS orders FROM shop.customers c LEFT JOIN shop.orders o ON o.customer = c.id GROUP BY c.name ORDER BY c.name`,
        [
          ['ann', 15],
          ['bob', 15],
          ['cem', 15],
          ['dee', 15],
          ['eve', 0],
        ],
      ],
      [
        'a right join',
        `SELECT c.name FROM shop.orders o RIGHT JOIN shop.customers c ON o.customer = c.id WHERE o.number IS NULL`,
        [['eve']],
      ],
      [
        'a full join',
        `SELECT a.id, b.id FROM (SELECT id FROM shop.customers WHERE id < 'c2') a FULL OUTER JOIN (SELECT id FROM shop.customers WHERE id = 'c1' OR id = 'c4') b ON a.id = b.id ORDER BY 1, 2`,
        [
          [null, 'c4'],
          ['c0', null],
          ['c1', 'c1'],
        ],
      ],
      [
        'aggregates',
        `SELECT count(*), sum(total), min(total), max(number), avg(number) FROM shop.orders`,
        [[60, 2212.5, 0, 59, 29.5]],
      ],
      [
        'GROUP BY and HAVING',
        `SELECT status, count(*) FROM shop.orders GROUP BY status HAVING count(*) > 1 ORDER BY status`,
        [
          ['open', 20],
          ['paid', 20],
          ['sent', 20],
        ],
      ],
      [
        'a scalar subquery',
        `SELECT name FROM shop.customers WHERE id = (SELECT min(customer) FROM shop.orders)`,
        [['ann']],
      ],
      [
        'a correlated subquery',
        `SELECT c.id, (SELECT max(o.number) FROM shop.orders o WHERE o.customer = c.id) AS last FROM shop.customers c ORDER BY c.id`,
        [
          ['c0', 56],
          ['c1', 57],
          ['c2', 58],
          ['c3', 59],
          ['c4', null],
        ],
      ],
      [
        'ORDER BY the name of a function that has no alias',
        `SELECT customer, count(*) FROM shop.orders WHERE number < 7 GROUP BY customer ORDER BY count, customer`,
        [
          ['c3', 1],
          ['c0', 2],
          ['c1', 2],
          ['c2', 2],
        ],
      ],
      [
        'the same of one row',
        `SELECT upper(name) FROM shop.customers ORDER BY "upper" DESC LIMIT 1`,
        [['EVE']],
      ],
      [
        'ORDER BY an attribute that has the name of a function',
        `SELECT length(name) FROM (SELECT 'aa' AS name, 2 AS length UNION ALL SELECT 'b', 9) t ORDER BY length`,
        [[2], [1]],
      ],
      [
        'EXISTS about a relation of the outer query, although an inner column has its name',
        `SELECT customer.id FROM shop.customers customer WHERE NOT EXISTS (SELECT 1 FROM shop.orders WHERE orders.customer = customer.id)`,
        [['c4']],
      ],
      [
        'the same in lists, scalars and derived tables',
        `SELECT customer.id, (SELECT min(number) FROM shop.orders WHERE customer.id = orders.customer AND number IN (SELECT o.number FROM shop.orders o WHERE o.customer = customer.id)) AS first FROM shop.customers customer WHERE customer.id IN (SELECT o.customer FROM shop.orders o WHERE o.customer = customer.id) ORDER BY 1 LIMIT 2`,
        [
          ['c0', 0],
          ['c1', 1],
        ],
      ],
      [
        'EXISTS',
        `SELECT id FROM shop.customers c WHERE NOT EXISTS (SELECT 1 FROM shop.orders o WHERE o.customer = c.id)`,
        [['c4']],
      ],
      [
        'IN with a subquery',
        `SELECT id FROM shop.customers WHERE id NOT IN (SELECT customer FROM shop.orders)`,
        [['c4']],
      ],
      [
        'common table expressions',
        `WITH big AS (SELECT customer, total FROM shop.orders WHERE total > 70), names AS (SELECT id, name FROM shop.customers) SELECT n.name, b.total FROM big b JOIN names n ON n.id = b.customer ORDER BY b.total`,
        [
          ['bob', 71.25],
          ['cem', 72.5],
          ['dee', 73.75],
        ],
      ],
      [
        'UNION',
        `SELECT city FROM shop.customers UNION SELECT 'Rome' ORDER BY 1`,
        [[null], ['Bern'], ['Oslo'], ['Rome']],
      ],
      ['UNION ALL', `SELECT 1 AS x UNION ALL SELECT 1`, [[1], [1]]],
      ['DISTINCT', `SELECT DISTINCT status FROM shop.orders ORDER BY status`, [['open'], ['paid'], ['sent']]],
      [
        'OFFSET and FETCH',
        `SELECT number FROM shop.orders ORDER BY number OFFSET 2 ROWS FETCH FIRST 2 ROWS ONLY`,
        [[2], [3]],
      ],
      [
        'CASE, COALESCE, NULLIF',
        `SELECT CASE WHEN number < 1 THEN 'none' ELSE 'some' END, COALESCE(quantity, -1), NULLIF(status, 'open') FROM shop.orders WHERE customer = 'c0' AND number = 0`,
        [['none', -1, null]],
      ],
      ['bitwise operators', `SELECT 6 & 3, 6 | 3, 6 ^ 3, 1 << 4, 16 >> 2`, [[2, 7, 5, 16, 4]]],
      [
        'text functions',
        `SELECT UPPER(name), LENGTH(name), SUBSTRING(name FROM 2 FOR 1) FROM shop.customers WHERE id = 'c1'`,
        [['BOB', 3, 'o']],
      ],
      [
        'LIKE and BETWEEN',
        `SELECT count(*) FROM shop.orders WHERE placed LIKE '2024-01%' AND number BETWEEN 0 AND 20`,
        [[3]],
      ],
      ['a mixed column against a number', `SELECT number FROM shop.orders WHERE code = 7`, [[7]]],
      ['a mixed column against text', `SELECT number FROM shop.orders WHERE code = '8'`, [[8]]],
      [
        'dates in text',
        `SELECT count(*) FROM shop.orders WHERE CAST(placed AS TIMESTAMP) >= TIMESTAMP '2024-09-01 00:00:00'`,
        [[6]],
      ],
      [
        'windows',
        `SELECT number, ROW_NUMBER() OVER (PARTITION BY customer ORDER BY number DESC) AS r FROM shop.orders WHERE customer = 'c1' ORDER BY r LIMIT 2`,
        [
          [57, 1],
          [53, 2],
        ],
      ],
      ['an empty IN-range of keys', `SELECT name FROM shop.customers WHERE id = 'c1' AND id = 'c2'`, []],
    ] as const) {
      // oxfmt-ignore
      it(what, async () => expect(await rows(sql)).to.deep.equal(expected));
    }

    it('numbers of 38 digits with all of them', async () => {
      const { json } = await engine.run(`SELECT id, value, whole + 1 FROM shop.numbers ORDER BY value`);
      expect(json).to.equal(
        '[["fraction",0.00000000000000000000000000000000000001,null],["small",7,8],' +
          '["digits",12345678901234567890123456789012345678,12345678901234567890123456789012345679],' +
          `["max",${'9'.repeat(38)}${'0'.repeat(88)},null]]`,
      );
    });

    it('rows as objects, with names of their own', async () => {
      const { json } = await engine.run(`SELECT id, name, id FROM shop.customers WHERE id = 'c0'`, {
        rowFormat: 'object',
      });
      expect(json).to.equal('[{"id":"c0","name":"ann","id_2":"c0"}]');
    });

    it('with the types of its columns', async () => {
      const { types, columns } = await engine.run(`SELECT id, address, vip, tags FROM shop.customers`);
      expect(columns).to.deep.equal(['id', 'address', 'vip', 'tags']);
      expect(types).to.deep.equal(['VARCHAR', 'JSON', 'BOOLEAN', 'JSON']);
      const mixed = await engine.run(`SELECT number, total, code, avg(total) OVER () FROM shop.orders`);
      expect(mixed.types).to.deep.equal(['BIGINT', 'DECIMAL(18,2)', 'MIXED', 'DECIMAL(25,23)']);
    });

    it('parameters of all kinds', async () => {
      const byPlace = await engine.run('SELECT name FROM shop.customers WHERE id = ? OR name = ?', {
        parameters: ['c0', 'eve'],
      });
      expect(byPlace.rows).to.deep.equal([['ann'], ['eve']]);
      const byName = await engine.run('SELECT number FROM shop.orders WHERE customer = :c AND number = :n', {
        parameters: { c: 'c1', n: 5 },
      });
      expect(byName.rows).to.deep.equal([[5]]);
    });

    it('attributes that no sample has seen, in quotes, and reports them', async () => {
      const { rows: seen } = await engine.run(
        `SELECT "unseen", "nowhere" FROM shop.customers WHERE id = 'c2'`,
      );
      expect(seen).to.deep.equal([[2, null]]);
      expect(engine.reported.at(-1)?.tableName).to.equal('customers');
      expect(engine.reported.at(-1)?.attributes).to.deep.equal([{ name: 'unseen', types: [['N', 1]] }]);
      const { warnings } = await engine.run(`SELECT "unseen" FROM shop.customers WHERE id = 'c2'`);
      expect(warnings.filter((one) => one.startsWith('*'))).to.deep.equal([]);
      const failure = await engine.failure('SELECT unseen FROM shop.customers');
      expect(failure.code).to.equal('COLUMN_NOT_FOUND');
    });
  });

  it('shows attributes that a star has read and that the catalog has no column for', async () => {
    for (const sql of [
      `SELECT * FROM shop.customers WHERE id = 'c2'`,
      'SELECT * FROM shop.customers',
      'SELECT c.*, o.number FROM shop.customers c JOIN shop.orders o ON o.customer = c.id',
      'SELECT name FROM (SELECT * FROM shop.customers) q ORDER BY 1',
    ]) {
      const { columns, warnings } = await engine.run(sql);
      expect(columns.includes('unseen'), sql).to.equal(!sql.includes('ORDER BY 1'));
      expect(warnings.filter((one) => one.startsWith('*'))).to.deep.equal([]);
    }
    const { warnings } = await engine.run(`SELECT * FROM shop.orders WHERE customer = 'c1'`);
    expect(warnings.filter((one) => one.startsWith('*'))).to.deep.equal([]);
  });

  describe('reads as little as it can', () => {
    const requests = async (sql: string, options = {}) => {
      await engine.aws.clear();
      const { readUnits } = await engine.run(sql, options);
      return { readUnits, operations: (await engine.aws.requests()).map(({ operation }) => operation) };
    };

    it('by key: one item', async () => {
      const { readUnits, operations } = await requests(`SELECT name FROM shop.customers WHERE id = 'c1'`);
      expect([readUnits, operations]).to.deep.equal([0.5, ['GetItem']]);
    });

    it('of a partition in the order of its sort key: only the rows that are wanted', async () => {
      const { operations } = await requests(
        `SELECT number FROM shop.orders WHERE customer = 'c1' ORDER BY number DESC LIMIT 3`,
      );
      expect(operations).to.deep.equal(['Query']);
      const [request] = await engine.aws.requests();
      expect(request?.limit).to.equal(3);
    });

    it('of a table that is named twice: once', async () => {
      const { operations } = await requests(
        `SELECT count(*) FROM shop.customers a JOIN shop.customers b ON a.city = b.city`,
      );
      expect(operations).to.deep.equal(['Scan']);
    });

    it('of a contradiction, LIMIT 0 and plan mode: nothing', async () => {
      await engine.aws.clear();
      await engine.run(`SELECT id FROM shop.customers WHERE id = 'a' AND id = 'b'`);
      await engine.run(`SELECT id FROM shop.customers LIMIT 0`);
      await engine.plan(`SELECT * FROM shop.customers c JOIN shop.orders o ON o.customer = c.id`);
      expect(await engine.aws.requests()).to.deep.equal([]);
    });
  });

  describe('pages', () => {
    for (const sql of [
      'SELECT customer, number FROM shop.orders',
      'SELECT number, total * 2 FROM shop.orders WHERE total > 10',
      'SELECT status, code, count(*) FROM shop.orders GROUP BY status, code',
      'SELECT c.name, o.number FROM shop.customers c, shop.orders o WHERE o.quantity > 3',
      'SELECT number FROM shop.orders ORDER BY status LIMIT 35 OFFSET 3',
    ]) {
      it(`of ${sql} hold every row once`, async () => {
        const whole = await engine.run(sql);
        const paged: unknown[] = [];
        let resumeIdx: number | null = 0;
        for (let page = 0; resumeIdx !== null && page < 100; page++) {
          const part: Awaited<ReturnType<TestEngine['run']>> = await engine.run(sql, {
            maxRows: 7,
            resumeIdx,
          });
          expect(part.resumeIdx).to.equal(part.rows.length === 7 ? resumeIdx + 7 : null);
          paged.push(...part.rows);
          ({ resumeIdx } = part);
        }
        expect(paged).to.deep.equal(whole.rows);
      });
    }
  });

  describe('refuses', () => {
    for (const [sql, code, message] of [
      ['SELEC 1', 'PARSE_ERROR', 'Parse error'],
      ['SELECT 1; SELECT 2', 'UNSUPPORTED_SQL', ''],
      ['DELETE FROM shop.orders', 'UNSUPPORTED_SQL', 'Unsupported SQL'],
      ['SELECT * FROM shop.nothing', 'TABLE_NOT_FOUND', 'Table not found: shop.nothing'],
      ['SELECT nothing FROM shop.orders', 'COLUMN_NOT_FOUND', 'Column not found: nothing'],
      ['SELECT read_csv(1)', 'FUNCTION_NOT_FOUND', ''],
      [`SELECT ps_trim('1')`, 'FUNCTION_NOT_FOUND', ''],
      [
        `SELECT * FROM shop.customers WHERE id = (SELECT customer FROM shop.orders)`,
        'EXECUTION_ERROR',
        'A scalar subquery returned more than one row',
      ],
      [
        `SELECT CAST(name AS BIGINT) FROM shop.customers WHERE id = 'c0'`,
        'EXECUTION_ERROR',
        "Conversion failed: Could not convert string 'ann' to BIGINT",
      ],
      [`SELECT sum(address) FROM shop.customers`, 'TYPE_ERROR', 'Type error'],
    ] as const) {
      // oxfmt-ignore
      it(sql, async () => {
        const failure = await engine.failure(sql);
        expect(failure.code).to.equal(code);
        expect(failure.message).to.include(message);
        expect(`${failure.message} ${failure.detail}`).to.not.match(/\b[ctrq]\d+\b.*SELECT|STRUCT|duckdb/i);
      });
    }

    it('type errors in plan mode too, and says where a table is not found', async () => {
      const type = await engine.plan('SELECT sum(address) FROM shop.customers').catch((e: unknown) => e);
      expect(type).to.be.instanceOf(PenstockError).with.property('code', 'TYPE_ERROR');
      const table = await engine.failure('SELECT *\nFROM shop.nothing');
      expect(table.detail).to.match(/line 2, column 6/);
    });

    it('to read more units than the caller allows', async () => {
      const failure = await engine.failure('SELECT count(*) FROM shop.orders', { maxReadUnits: 0.5 });
      expect(failure.code).to.equal('READ_UNIT_LIMIT');
    });

    it('to go on when its caller is gone', async () => {
      const gone = new PenstockError('CANCELLED', 'gone');
      const ending = new AbortController();
      await engine.aws.faults([{ operation: 'Scan', latencyMs: 5000 }]);
      setTimeout(() => ending.abort(gone), 100);
      const started = Date.now();
      try {
        const failure = await engine.failure('SELECT count(*) FROM shop.orders', { signal: ending.signal });
        expect(failure.code).to.equal('CANCELLED');
        expect(Date.now() - started).to.be.below(4_500);
      } finally {
        await engine.aws.faults([]);
      }
    });
  });

  it('plans in words of the statement', async () => {
    const plan = await engine.plan(
      `SELECT c.name, count(*) FROM shop.customers c JOIN shop.orders o ON o.customer = c.id WHERE o.status = 'paid' GROUP BY c.name ORDER BY 2 LIMIT 3`,
    );
    for (const word of ['Limit', 'Sort', 'Aggregate', 'HashJoin', 'Scan shop.orders', 'read units']) {
      expect(plan.text).to.include(word);
    }
    expect(plan.weight).to.be.above(0);
    expect(plan.normalizedSql).to.match(/^SELECT/);
  });
});
