/** What depends on no row is known before reads are planned: a condition with it costs what one with a literal does. */
import { expect } from 'chai';
import { startFoldingEngine, type Asked, type FoldingEngine } from './folding-engine.ts';
import { foldingTables } from './folding-tables.ts';

interface Case {
  readonly sql: string;
  readonly like: string;
  readonly parameters?: readonly unknown[];
  readonly rows: number;
}

/** `like`: the same with literals. */
const CASES: readonly Case[] = [
  {
    sql: 'SELECT v FROM people WHERE id = CAST(? AS VARCHAR)',
    parameters: ['e7'],
    like: `SELECT v FROM people WHERE id = 'e7'`,
    rows: 1,
  },
  {
    sql: 'SELECT v FROM people WHERE id = ?::text AND v = 7',
    parameters: ['e7'],
    like: `SELECT v FROM people WHERE id = 'e7' AND v = 7`,
    rows: 1,
  },
  {
    sql: `SELECT v FROM people WHERE 'e' || CAST(3 + 4 AS VARCHAR) = id`,
    like: `SELECT v FROM people WHERE id = 'e7'`,
    rows: 1,
  },
  {
    sql: `SELECT v FROM people WHERE id = (SELECT 'e' || '7')`,
    like: `SELECT v FROM people WHERE id = 'e7'`,
    rows: 1,
  },
  {
    sql: `SELECT sk FROM entries WHERE pk = 'CUSTOMER#c1' AND sk >= (SELECT 'ORDER#010') AND sk < (SELECT concat('ORDER#', (SELECT '020')))`,
    like: `SELECT sk FROM entries WHERE pk = 'CUSTOMER#c1' AND sk >= 'ORDER#010' AND sk < 'ORDER#020'`,
    rows: 4,
  },
  {
    sql: `SELECT v FROM people WHERE id IN (lower('E1'), concat('e', '2'), CAST('e3' AS VARCHAR))`,
    like: `SELECT v FROM people WHERE id IN ('e1', 'e2', 'e3')`,
    rows: 3,
  },
  {
    sql: `SELECT sk FROM entries WHERE pk = 'CUSTOMER#' || ?`,
    parameters: ['c1'],
    like: `SELECT sk FROM entries WHERE pk = 'CUSTOMER#c1'`,
    rows: 30,
  },
  {
    sql: `SELECT sk FROM entries WHERE pk = 'CUSTOMER#' || ? AND sk BETWEEN concat('ORDER#', '010') AND 'ORDER#' || '020'`,
    parameters: ['c1'],
    like: `SELECT sk FROM entries WHERE pk = 'CUSTOMER#c1' AND sk BETWEEN 'ORDER#010' AND 'ORDER#020'`,
    rows: 4,
  },
  {
    sql: `SELECT sk FROM entries WHERE pk = upper('customer#') || 'c1' AND sk LIKE 'ORDER#' || '01' || '%'`,
    like: `SELECT sk FROM entries WHERE pk = 'CUSTOMER#c1' AND sk LIKE 'ORDER#01%'`,
    rows: 4,
  },
  {
    sql: `SELECT ts FROM ticks WHERE device = CAST('d' AS VARCHAR) AND ts >= 1000 + 80 AND ts < CAST('1085' AS INT)`,
    like: `SELECT ts FROM ticks WHERE device = 'd' AND ts >= 1080 AND ts < 1085`,
    rows: 5,
  },
  {
    sql: `SELECT v FROM people WHERE id = CASE WHEN 1 < 2 THEN 'e7' ELSE 'e8' END`,
    like: `SELECT v FROM people WHERE id = 'e7'`,
    rows: 1,
  },
  {
    sql: `SELECT a.v FROM entries e JOIN people a ON a.id = CAST('e7' AS VARCHAR) WHERE e.pk = concat('CUSTOMER#', 'c1') AND e.sk = 'ORDER#001'`,
    like: `SELECT a.v FROM entries e JOIN people a ON a.id = 'e7' WHERE e.pk = 'CUSTOMER#c1' AND e.sk = 'ORDER#001'`,
    rows: 1,
  },
  {
    // A constant is carried over to what equals the column.
    sql: `SELECT a.v FROM people a JOIN people b ON a.id = b.id WHERE b.id = concat('e', '7')`,
    like: `SELECT a.v FROM people a JOIN people b ON a.id = b.id WHERE b.id = 'e7'`,
    rows: 1,
  },
  {
    sql: `WITH c AS (SELECT v FROM people WHERE id = concat('e', '7')) SELECT v FROM c WHERE v IN (SELECT v FROM people WHERE id = lower('E7'))`,
    like: `WITH c AS (SELECT v FROM people WHERE id = 'e7') SELECT v FROM c WHERE v IN (SELECT v FROM people WHERE id = 'e7')`,
    rows: 1,
  },
  {
    sql: `SELECT v FROM people WHERE id = 'e7' AND 1 + 1 = 2`,
    like: `SELECT v FROM people WHERE id = 'e7'`,
    rows: 1,
  },
  {
    sql: `SELECT v FROM people WHERE id = CAST('e7' AS VARCHAR) OR length('abc') = 4`,
    like: `SELECT v FROM people WHERE id = 'e7'`,
    rows: 1,
  },
  { sql: 'SELECT v FROM people WHERE 1 + 1 = 3', like: 'SELECT v FROM people WHERE FALSE', rows: 0 },
  {
    sql: 'SELECT v FROM people WHERE id = CAST(NULL AS text)',
    like: 'SELECT v FROM people WHERE FALSE',
    rows: 0,
  },
  {
    sql: `SELECT v FROM people WHERE id = NULLIF('e7', 'e7')`,
    like: 'SELECT v FROM people WHERE FALSE',
    rows: 0,
  },
  {
    // LIMIT and OFFSET of expressions are what they were.
    sql: `SELECT sk FROM entries WHERE pk = concat('CUSTOMER#', 'c1') ORDER BY sk LIMIT 2 OFFSET 1`,
    like: `SELECT sk FROM entries WHERE pk = 'CUSTOMER#c1' ORDER BY sk LIMIT 2 OFFSET 1`,
    rows: 2,
  },
  {
    sql: `SELECT count(*) AS n FROM entries WHERE pk = concat('CUSTOMER#', 'c1') HAVING count(*) > 1 + 1`,
    like: `SELECT count(*) AS n FROM entries WHERE pk = 'CUSTOMER#c1' HAVING count(*) > 2`,
    rows: 1,
  },
  {
    sql: `SELECT sk FROM entries WHERE pk = 'CUSTOMER#c1' QUALIFY row_number() OVER (ORDER BY sk) <= 1 + 1`,
    like: `SELECT sk FROM entries WHERE pk = 'CUSTOMER#c1' QUALIFY row_number() OVER (ORDER BY sk) <= 2`,
    rows: 2,
  },
];

describe('constants that are no literals', function () {
  this.timeout(60_000);
  let engine: FoldingEngine;
  before(async () => {
    engine = await startFoldingEngine(foldingTables());
  });
  after(() => engine.close());

  for (const { sql, like, rows, parameters } of CASES) {
    const asked: Asked = parameters === undefined ? {} : { parameters };
    it(`cost what literals do: ${sql}`, async () => {
      const literal = await engine.run(like);
      const first = await engine.run(sql, asked);
      const again = await engine.run(sql, asked);
      for (const answer of [first, again]) {
        expect(answer.rows).to.deep.equal(literal.rows);
        expect(answer.units).to.equal(literal.units);
        expect(answer.operations).to.deep.equal(literal.operations);
      }
      expect(first.rows.length).to.equal(rows);
    });
  }

  it('are known in plan mode, which shows the value that is read by', async () => {
    const { text, estimatedReadUnits } = await engine.plan(
      `SELECT sk FROM entries WHERE pk = 'CUSTOMER#' || 'c1' AND sk >= concat('ORDER#', '080')`,
    );
    expect(text).to.contain("'CUSTOMER#c1'").and.to.contain("'ORDER#080'");
    expect(estimatedReadUnits.high).to.be.below(20);
  });

  describe('that fail', () => {
    it('fail where they did, and let others be', async () => {
      const failing = `SELECT v FROM people WHERE id = concat('e', '7') AND v = CAST('x' AS INT)`;
      const error = await engine.run(failing).catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: 'EXECUTION_ERROR' });
      const { units, rows } = await engine.run(
        `SELECT v FROM people WHERE id = concat('e', '7') AND (v = 7 OR v = CASE WHEN v < 0 THEN CAST('x' AS INT) ELSE 7 END)`,
      );
      expect(units).to.equal(0.5);
      expect(rows).to.deep.equal([[7]]);
    });

    it('do not keep others from their values, however many there are', async () => {
      const failing = Array.from({ length: 8 }, (_, i) => `WHEN ${-i - 1} THEN CAST('x${i}' AS INT)`).join(
        ' ',
      );
      const { units, rows } = await engine.run(
        `SELECT v FROM people WHERE id = concat('e', '7') AND v = CASE v ${failing} ELSE 7 END`,
      );
      expect(units).to.equal(0.5);
      expect(rows).to.deep.equal([[7]]);
    });
  });
});
