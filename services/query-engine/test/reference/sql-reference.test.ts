import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { format, resolveConfig } from 'prettier';
import { FUNCTIONS } from '../../src/logical/functions/list.ts';
import { exampleCall } from '../../src/reference/function-tables.ts';
import { REFUSED } from '../../src/reference/refused.ts';
import { sqlReference } from '../../src/reference/sql-reference.ts';
import { customers, orders } from '../engine/shop.ts';
import { startTestEngine, type TestEngine } from '../engine/test-engine.ts';

const FILE = new URL('../../SQL.md', import.meta.url);

describe('the SQL reference', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([customers(), orders()]);
  });
  after(() => engine.close());

  it('is SQL.md as generated (UPDATE_GOLDEN=1 writes it anew)', async () => {
    const options = await resolveConfig(FILE);
    const formatted = await format(sqlReference(), { ...options, parser: 'markdown' });
    if (process.env['UPDATE_GOLDEN'] === '1') await writeFile(FILE, formatted);
    expect(await readFile(FILE, 'utf8')).to.equal(formatted);
  });

  it('names every function and its other names', () => {
    const text = sqlReference();
    const names = FUNCTIONS.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(names.filter((name) => !text.includes(`\`${name}\``))).to.deep.equal([]);
  });

  it('has only statements that run', async () => {
    const blocks = [...sqlReference().matchAll(/```sql\n([^]*?)```/g)].map(([, block = '']) => block);
    const statements = blocks.flatMap((block) => block.split(';\n')).filter((sql) => sql.trim() !== '');
    expect(statements.length).to.be.above(8);
    for (const sql of statements) expect((await engine.run(sql)).rows, sql).to.not.deep.equal([]);
  });

  it('gives examples of functions that run as they are written, with the value that is shown', async () => {
    for (const definition of FUNCTIONS) {
      const { name, kind, example } = definition;
      if (kind !== 'scalar' || example.value === null) continue;
      const call = exampleCall(definition);
      expect(sqlReference()).to.include(`\`${call.replaceAll('|', '\\|')}\``);
      const { rows } = await engine.run(`SELECT CAST(${call} AS VARCHAR)`).catch((error: Error) => {
        throw new Error(`${call}: ${error.message}`);
      });
      const value = (rows[0] as readonly unknown[])[0];
      // Doubles to the digits that they are sure of, instants without the zone that a TIMESTAMPTZ shows.
      const plain = (text: unknown): string =>
        /^-?\d+\.\d+$/.test(String(text))
          ? String(Number(Number(text).toPrecision(14)))
          : String(text).replace(/\+00$/, '');
      expect(plain(value), name).to.equal(plain(example.value));
    }
  });

  for (const { sql, instead } of REFUSED) {
    it(`says what to write instead of ${sql}`, async () => {
      const { code } = await engine.failure(sql);
      expect(code).to.be.oneOf(['PARSE_ERROR', 'UNSUPPORTED_SQL', 'FUNCTION_NOT_FOUND', 'INVALID_QUERY']);
      if ('sql' in instead) expect((await engine.run(instead.sql)).rows).to.not.deep.equal([]);
      else expect(instead.words).to.not.equal('');
    });
  }
});
