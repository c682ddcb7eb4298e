import { expect } from 'chai';
import { SEED, SEED_SHOWN } from '../../../common/test/support/random-budget.ts';
import { agreedExample, type AgreedExample } from '../../src/parser/agreed-example.ts';
import { crossCheck, type SerializeSql } from '../../src/parser/cross-check.ts';
import { parse } from '../../src/parser/parse.ts';
import { print } from '../../src/parser/print.ts';
import { printedWithValues, fingerprintOf, treeWithValues } from '../../src/parser/fingerprint.ts';
import { openSerializer } from './duckdb-serializer.ts';
import { randomFrom, SqlGenerator } from './sql-generator.ts';
import { statements, unsupportedStatements } from './statements.ts';

/** Values that a careless reader of the text around them would trip over. */
const ODD_STRINGS = [
  ...["''", "' '", "'--'", "'/*'", "'*/ x'", "'$$'", "';'", "'\"'", "'?'", "':p'", "'%_'", "'NULL'", "'1'"],
  ...["'DATE 1'", "'änderung'", "'日本'", "'0x1F'", "'AND'", "'(a, b)'", "'2024-01-01'", '\'{"a": 1}\''],
];
const ODD_NUMBERS = ['1', '7', '10', '999999999', '2147483', '100000000'];

describe('fingerprints of statements', () => {
  let serialize: SerializeSql;
  let close: () => void;
  before(async () => ({ serialize, close } = await openSerializer()));
  after(() => close());

  const exampleOf = (sql: string, ask = serialize): Promise<AgreedExample | null> => {
    const fingerprint = fingerprintOf(sql);
    if (fingerprint === null) throw new Error(`nothing to take out of ${sql}`);
    return agreedExample(fingerprint, print(parse(sql)), ask);
  };

  it('takes out plain values that are compared, and nothing else', () => {
    for (const [sql, values] of [
      ["SELECT a FROM t WHERE a = 'x' AND b >= 12 OR c < 3", ["'x'", '12', '3']],
      ["SELECT a FROM t WHERE a BETWEEN 'a' AND 'b' AND c IN ('x', 2)", ["'a'", "'b'", "'x'", '2']],
      ["SELECT a = 'x', 5, 'y', f('z', 1) FROM t LIMIT 7", ["'x'"]],
    ] as const) {
      expect(
        fingerprintOf(sql)?.values.map(({ text }) => text),
        sql,
      ).to.deep.equal(values);
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
      expect(fingerprintOf(sql), sql).to.equal(null);
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
    ].map((sql) => fingerprintOf(sql)?.key);
    expect(new Set(keys)).to.have.length(8);
  });

  it('agrees to an example that DuckDB reads as we do', async () => {
    const example = await exampleOf("SELECT a FROM s.t WHERE id = 'x' AND n IN (1, 2)");
    expect(example?.printed).to.match(/^SELECT a FROM s\.t WHERE id = '.+' AND n IN \(\d+, \d+\)$/);
  });

  it('says nothing where our reading is not that of the example', async () => {
    const fingerprint = fingerprintOf("SELECT a FROM t WHERE a = 'x' AND b = 'y'");
    const swapped = print(parse("SELECT a FROM t WHERE a = 'y' AND b = 'x'"));
    expect(fingerprint === null ? undefined : await agreedExample(fingerprint, swapped, serialize)).to.equal(
      null,
    );
  });

  it('says nothing where DuckDB does not read the example as we do', async () => {
    const unreadable: SerializeSql = () => Promise.resolve('{"error": true}');
    expect(await exampleOf("SELECT a FROM t WHERE a = 'x'", unreadable)).to.equal(null);
  });

  it(`reads statements of a fingerprint as the parser and DuckDB do, whatever their values (${SEED_SHOWN})`, async () => {
    const random = randomFrom(SEED);
    const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? '';
    const generator = new SqlGenerator(SEED);
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
      let fingerprint;
      try {
        parse(sql);
        fingerprint = fingerprintOf(sql);
      } catch {
        continue;
      }
      if (fingerprint === null) continue;
      const example = await exampleOf(sql);
      if (example === null) continue;
      for (let round = 0; round < 3; round++) {
        // The key is the statement's text with marks where the values were.
        const pieces = fingerprint.key.split('\0');
        const other = pieces
          .map((piece, i) => {
            if (i % 2 === 0) return piece;
            return pick(piece === 'string' ? ODD_STRINGS : ODD_NUMBERS);
          })
          .join('');
        const otherFingerprint = fingerprintOf(other);
        expect(otherFingerprint?.key, other).to.equal(fingerprint.key);
        if (otherFingerprint === null) continue;
        const query = parse(other);
        const read = treeWithValues(example.query, other, otherFingerprint);
        expect(read, other).to.deep.equal(query);
        expect(Object.isFrozen(read)).to.equal(true);
        expect(printedWithValues(example.printed, otherFingerprint), other).to.equal(print(query));
        expect((await crossCheck(other, query, serialize)).kind, other).to.equal('Agreed');
        compared++;
      }
    }
    expect(compared).to.be.greaterThan(300);
  }).timeout(60_000);
});
