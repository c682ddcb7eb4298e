import { expect } from 'chai';
import { binaries, binarySorted, mixed } from './odd-tables.ts';
import { startTestEngine, type TestEngine } from './test-engine.ts';

describe('binary values', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([binaries(), binarySorted(), mixed()]);
  });
  after(() => engine.close());

  const rows = async (sql: string, parameters?: unknown): Promise<readonly unknown[]> =>
    (await engine.run(sql, { parameters })).rows;

  for (const [sql, expected] of [
    [`SELECT X'1F', x'', X'00ff', TYPEOF(X'1F'), X'1F' IS NOT NULL`, [['Hw==', '', 'AP8=', 'BLOB', true]]],
    [`SELECT X'1F' = 'Hw==', X'01' < X'0102', X'f8' > X'02', X'1f' = X'1F', X'1F' = 31`, [[true, true, true, true, false]]],
    [`SELECT LENGTH(X'0102'), OCTET_LENGTH(X'0102'), HEX(X'0aff'), X'01' || X'02', X'01' || 'a'`, [[2, 2, '0AFF', 'AQI=', 'AQ==a']]],
    [`SELECT CAST('hi' AS BLOB) = X'6869', COALESCE(NULL, X'01'), CASE WHEN TRUE THEN X'02' END`, [[true, 'AQ==', 'Ag==']]],
    [`SELECT '\\x6869'::bytea = X'6869', '\\x'::BYTEA = X'', CAST('\\x68' AS BLOB) = X'68', '\\xg0'::bytea = X'5c786730'`, [[true, true, false, true]]],
    [`SELECT v FROM shop.binaries WHERE data = '\\x010203'::bytea`, [[1]]],
    [`SELECT v FROM shop.binaries WHERE data = X'010203'`, [[1]]],
    [`SELECT v FROM shop.binaries WHERE data = X''`, [[2]]],
    [`SELECT v FROM shop.binaries WHERE data <> X'010203'`, [[2]]],
    [`SELECT v FROM shop.binaries WHERE "any" = X'1F' ORDER BY v`, [[1]]],
    [`SELECT v FROM shop.binaries WHERE "any" IN (X'1F', 5) ORDER BY v`, [[1], [3]]],
    [`SELECT id FROM shop.mixed WHERE v = X'6869'`, [['binary']]],
    [`SELECT v FROM shop.binaries WHERE id > X'1F'`, [[2]]],
    [`SELECT v FROM shop.binaries ORDER BY id`, [[3], [1], [2]]],
    [`SELECT MAX(id), MIN(id), COUNT(DISTINCT id) FROM shop.binaries`, [['/wA=', 'AQID', 3]]],
    [`SELECT id, COUNT(*) FROM shop.binaries GROUP BY id HAVING id <> X'1F' ORDER BY id`, [['AQID', 1], ['/wA=', 1]]],
  ] as const) {
    it(`answer ${sql}`, async () => {
      expect(await rows(sql)).to.deep.equal(expected);
      expect((await engine.runScanning(sql)).rows).to.deep.equal(expected);
    });
  } // oxfmt-ignore

  describe('as keys', () => {
    const read = async (sql: string, parameters?: unknown) => {
      await engine.aws.clear();
      const found = await rows(sql, parameters);
      return [(await engine.aws.requests()).map(({ operation }) => operation), found];
    };

    for (const [sql, operations, expected] of [
      [`SELECT v FROM shop.binaries WHERE id = X'1f'`, ['GetItem'], [[1]]],
      [`SELECT v FROM shop.binaries WHERE id = 'Hw=='`, ['GetItem'], [[1]]],
      [`SELECT v FROM shop.binaries WHERE id IN (X'1F', X'010203', X'AA') ORDER BY v`, ['BatchGetItem'], [[1], [3]]],
      [`SELECT v FROM shop.binaries WHERE id = 'Hw='`, [], []],
      [`SELECT v FROM shop.binaries WHERE id = X''`, [], []],
      [`SELECT v FROM shop."binary-sorted" WHERE p = 'p' AND s = X'02'`, ['GetItem'], [[2]]],
      [`SELECT v FROM shop."binary-sorted" WHERE (p, s) IN (('p', X'01'), ('p', X'0201'))`, ['BatchGetItem'], [[1], [3]]],
      [`SELECT v FROM shop."binary-sorted" WHERE p = 'p' AND s >= X'02'`, ['Query'], [[2], [3], [4]]],
      [`SELECT v FROM shop."binary-sorted" WHERE p = 'p' AND s > X'02' AND s < X'F8'`, ['Query'], [[3]]],
      [`SELECT v FROM shop."binary-sorted" WHERE p = 'p' ORDER BY s DESC LIMIT 2`, ['Query'], [[4], [3]]],
      // As text, which is not in the order of the bytes.
      [`SELECT v FROM shop."binary-sorted" WHERE p = 'p' AND s >= 'Ag=='`, ['Query'], [[2], [3]]],
    ] as const) {
      it(`read ${sql} by ${operations.join()}`, async () => {
        expect(await read(sql)).to.deep.equal([operations, expected]);
      });
    } // oxfmt-ignore

    it('come as base64 parameters', async () => {
      const one = 'SELECT v FROM shop.binaries WHERE id = ?';
      expect(await read(one, ['Hw=='])).to.deep.equal([['GetItem'], [[1]]]);
      const several = 'SELECT v FROM shop.binaries WHERE id IN (:a, :b) ORDER BY v';
      expect(await read(several, { a: 'Hw==', b: 'AQID' })).to.deep.equal([['BatchGetItem'], [[1], [3]]]);
    });

    it('come as parameters that drivers of PostgreSQL cast', async () => {
      const cast = 'SELECT v FROM shop.binaries WHERE id = $1::bytea';
      for (const [base64, expected] of [
        ['Hw==', [[1]]],
        ['AQID', [[3]]],
        ['AAAA', []],
      ] as const)
        expect(await read(cast, [base64])).to.deep.equal([['GetItem'], expected]);
      const list = 'SELECT v FROM shop.binaries WHERE id = ANY ($1::bytea[]) ORDER BY v';
      expect(await read(list, [['Hw==', 'AQID']])).to.deep.equal([['BatchGetItem'], [[1], [3]]]);
      expect(await read(list, [['AQID']])).to.deep.equal([['GetItem'], [[3]]]);
      expect(engine.disagreements).to.deep.equal([]);
    });

    it('are planned in the words of the statement', async () => {
      const { text, normalizedSql } = await engine.plan(`SELECT v FROM shop.binaries WHERE id = x'1f'`);
      expect(text).to.include(`X'1F'`);
      expect(normalizedSql).to.include(`X'1f'`);
    });
  });

  for (const [sql, says] of [
    [`SELECT X'1'`, 'each byte is two hexadecimal digits'],
    [`SELECT X'1G'`, 'each byte is two hexadecimal digits'],
    [`SELECT X'1F`, 'its closing quote is missing'],
    [`SELECT B'101'`, `bytes as X'1F'`],
  ] as const) {
    it(`refuse ${sql} and say why`, async () => {
      const failure = await engine.failure(sql);
      expect(failure.detail).to.include('line 1, column 8').and.to.include(says);
    });
  }
});
