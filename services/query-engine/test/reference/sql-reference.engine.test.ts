import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { format, type FormatConfig } from 'oxfmt';
import { FUNCTIONS } from '../../src/logical/functions/list.ts';
import { exampleCall, shownValue } from '../../src/reference/function-tables.ts';
import { OTHER_DIALECT_EXAMPLES } from '../../src/reference/other-dialects.ts';
import { REFUSED } from '../../src/reference/refused.ts';
import { SHOWN_VALUES } from '../../src/reference/shown-values.ts';
import { sqlReference } from '../../src/reference/sql-reference.ts';
import { customers, orders } from '../engine/shop.ts';
import { startTestEngine, type TestEngine } from '../engine/test-engine.ts';

const FILE = new URL('../../SQL.md', import.meta.url);
const STYLE = new URL('../../../../.oxfmtrc.json', import.meta.url);

describe('the SQL reference', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine([customers(), orders()]);
  });
  after(() => engine.close());

  it('is SQL.md as generated (UPDATE_GOLDEN=1 writes it anew)', async () => {
    const style = JSON.parse(await readFile(STYLE, 'utf8')) as FormatConfig;
    const { code: formatted, errors } = await format('SQL.md', sqlReference(), style);
    expect(errors).to.deep.equal([]);
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
      const { json, types } = await engine.run(`SELECT ${call}`).catch((error: Error) => {
        throw new Error(`${call}: ${error.message}`);
      });
      const shown = json.slice(2, -2);
      const parsed = JSON.parse(shown) as unknown;
      const value = types[0] === 'JSON' || typeof parsed !== 'string' ? shown : parsed;
      // Doubles to the digits that they are sure of.
      const plain = (text: string): string =>
        /^-?\d+\.\d+$/.test(text) ? String(Number(Number(text).toPrecision(14))) : text;
      expect(plain(value), name).to.equal(plain(shownValue(definition) ?? ''));
    }
  });

  for (const [expression, shown, type] of SHOWN_VALUES) {
    it(`shows ${expression} as the page says: ${shown}`, async () => {
      const { json, types } = await engine.run(`SELECT ${expression}`);
      expect([json, types]).to.deep.equal([`[[${shown}]]`, [type]]);
      expect(sqlReference()).to.include(`\`${expression.replaceAll('|', '\\|')}\``);
    });
  }

  for (const [dialect, theirs, ours] of OTHER_DIALECT_EXAMPLES) {
    it(`offers what it says for a statement of ${dialect}`, async () => {
      const { detail = '' } = await engine.failure(theirs);
      const line = detail.split('\n').find((each) => each.endsWith(`; here: ${ours}`));
      expect(line).to.include(dialect);
      expect((await engine.run(ours)).rows).to.be.an('array');
    });
  }

  for (const { sql, instead } of REFUSED) {
    it(`says what to write instead of ${sql}`, async () => {
      const { code } = await engine.failure(sql);
      expect(code).to.be.oneOf(['PARSE_ERROR', 'UNSUPPORTED_SQL', 'FUNCTION_NOT_FOUND', 'INVALID_QUERY']);
      if ('sql' in instead) expect((await engine.run(instead.sql)).rows).to.not.deep.equal([]);
      else expect(instead.words).to.not.equal('');
    });
  }
});
