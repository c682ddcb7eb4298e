import { expect } from 'chai';
import { isAgreedShape } from '../../src/parser/judge-shape.ts';
import { judge, type SerializeSql } from '../../src/parser/judge.ts';
import { parse } from '../../src/parser/parse.ts';
import { print } from '../../src/parser/print.ts';
import { shapeOf } from '../../src/parser/statement-shape.ts';
import { openSerializer } from './duckdb-serializer.ts';
import { randomFrom, SqlGenerator } from './sql-generator.ts';
import { statements, unsupportedStatements } from './statements.ts';

/** Values that a careless reader of the text around them would trip over. */
const ODD_STRINGS = [
  ...["''", "' '", "'--'", "'/*'", "'*/ x'", "'$$'", "';'", "'\"'", "'?'", "':p'", "'%_'", "'NULL'", "'1'"],
  ...["'DATE 1'", "'änderung'", "'日本'", "'0x1F'", "'AND'", "'(a, b)'", "'2024-01-01'", '\'{"a": 1}\''],
];
const ODD_NUMBERS = ['1', '7', '10', '999999999', '2147483', '100000000'];

describe('the judge of shapes', () => {
  let serialize: SerializeSql;
  let close: () => void;
  before(async () => ({ serialize, close } = await openSerializer()));
  after(() => close());

  const agreed = (sql: string, known = new Map<string, string | null>(), ask = serialize): Promise<boolean> =>
    isAgreedShape(sql, print(parse(sql)), ask, known);

  it('asks DuckDB once for statements that differ in what they compare with', async () => {
    const known = new Map<string, string | null>();
    let asked = 0;
    const counting: SerializeSql = (sql) => {
      asked++;
      return serialize(sql);
    };
    expect(await agreed("SELECT a FROM s.t WHERE id = 'x' AND n IN (1, 2)", known, counting)).to.equal(true);
    const first = asked;
    expect(first).to.be.greaterThan(0);
    expect(await agreed("SELECT a FROM s.t WHERE id = '-- 1' AND n IN (3, 40)", known, counting)).to.equal(
      true,
    );
    expect(asked).to.equal(first);
  });

  it('takes out plain values that are compared, and nothing else', () => {
    for (const [sql, values] of [
      ["SELECT a FROM t WHERE a = 'x' AND b >= 12 OR c < 3", ["'x'", '12', '3']],
      ["SELECT a FROM t WHERE a BETWEEN 'a' AND 'b' AND c IN ('x', 2)", ["'a'", "'b'", "'x'", '2']],
      ["SELECT a = 'x', 5, 'y', f('z', 1) FROM t LIMIT 7", ["'x'"]],
    ] as const) {
      expect(shapeOf(sql)?.values, sql).to.deep.equal(values);
    }
    for (const sql of [
      'SELECT 1 FROM t LIMIT 5',
      "SELECT a FROM t WHERE a = E'x'",
      "SELECT a FROM t WHERE a = 'it''s'",
      "SELECT a FROM t WHERE a = 'back\\slash'",
      "SELECT a FROM t WHERE a = 'x'::BLOB",
      "SELECT a FROM t WHERE a = 'x' ::BLOB",
      "SELECT a FROM t WHERE a = 'x' || 'y'",
      "SELECT a FROM t WHERE a = 'x' COLLATE nocase",
      'SELECT a FROM t WHERE a = 1.5 OR a = 007 OR a = 0 OR a = 1e3 OR a = -5',
      'SELECT a FROM t WHERE a = 2147483648',
      'SELECT CAST(a AS DECIMAL(10, 2)) FROM t',
      "SELECT a FROM t WHERE a = DATE '2024-01-01' AND b > INTERVAL '1' DAY",
      "SELECT a FROM t WHERE f(a, 'x', 1)",
      "SELECT a FROM t WHERE a = 'no\u00a0space' OR a = 'zero\u200bwidth'",
    ]) {
      expect(shapeOf(sql), sql).to.equal(null);
    }
  });

  it('keeps apart what differs in anything but these values', () => {
    const keys = [
      "SELECT a FROM t WHERE a = 'x'",
      'SELECT a FROM t WHERE a = 1',
      "SELECT a FROM t WHERE a <> 'x'",
      "SELECT b FROM t WHERE a = 'x'",
      "SELECT a FROM t WHERE a = 'x' LIMIT 1",
      "SELECT a FROM t WHERE a = 'x' LIMIT 2",
      "SELECT a FROM t WHERE a = 'x' -- note",
      "SELECT 'y' FROM t WHERE a = 'x'",
    ].map((sql) => shapeOf(sql)?.key);
    expect(new Set(keys)).to.have.length(8);
  });

  it('says nothing where our reading is not that of the example', async () => {
    const sql = "SELECT a FROM t WHERE a = 'x' AND b = 'y'";
    const known = new Map<string, string | null>();
    expect(await agreed(sql, known)).to.equal(true);
    const swapped = print(parse("SELECT a FROM t WHERE a = 'y' AND b = 'x'"));
    expect(await isAgreedShape(sql, swapped, serialize, known)).to.equal(false);
  });

  it('says nothing where DuckDB does not read the example as we do, and remembers it', async () => {
    const known = new Map<string, string | null>();
    let asked = 0;
    const unreadable: SerializeSql = () => {
      asked++;
      return Promise.resolve('{"error": true}');
    };
    expect(await agreed("SELECT a FROM t WHERE a = 'x'", known, unreadable)).to.equal(false);
    const first = asked;
    expect(await agreed("SELECT a FROM t WHERE a = 'y'", known, unreadable)).to.equal(false);
    expect(asked).to.equal(first);
  });

  it('agrees with the judge about statements of the same shape, whatever their values', async () => {
    const random = randomFrom(20261121);
    const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
    const generator = new SqlGenerator(7);
    const texts = [
      ...statements
        .filter(({ sql, reject }) => reject !== true && !unsupportedStatements.has(sql))
        .map(({ sql }) => sql),
      ...Array.from(
        { length: 300 },
        () => `SELECT 1 FROM t WHERE a = 'x' AND (${generator.expression(3)}) AND b = 3`,
      ),
    ];
    let compared = 0;
    for (const sql of texts) {
      let shape;
      try {
        parse(sql);
        shape = shapeOf(sql);
      } catch {
        continue;
      }
      if (shape === null) continue;
      const known = new Map<string, string | null>();
      for (let round = 0; round < 3; round++) {
        // The key is the statement's text with marks where the values were.
        const pieces = shape.key.split('\0');
        const other = pieces
          .map((piece, i) => {
            if (i % 2 === 0) return piece;
            return pick(piece === 'string' ? ODD_STRINGS : ODD_NUMBERS);
          })
          .join('');
        expect(shapeOf(other)?.key, other).to.equal(shape.key);
        const query = parse(other);
        if (!(await isAgreedShape(other, print(query), serialize, known))) continue;
        compared++;
        expect((await judge(other, query, serialize)).kind, other).to.equal('Agreed');
      }
    }
    expect(compared).to.be.greaterThan(300);
  }).timeout(60_000);
});
