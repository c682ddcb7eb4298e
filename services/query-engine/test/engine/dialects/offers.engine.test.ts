/** Statements of other systems against the whole engine: the error says what to send instead, and that is what was meant. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../../../../common/test/support/until.ts';
import { DIALECTS } from '../../../src/parser/dialects/dialect.ts';
import { NoOfferError } from '../../../src/parser/dialects/no-offer.ts';
import { translate } from '../../../src/parser/dialects/translate.ts';
import { startTestEngine, type TestEngine } from '../test-engine.ts';
import { NOT_OFFERED, NOT_READ, OF_NO_DIALECT, OFFERED } from './statements.ts';
import { shopTables } from './tables.ts';

/** What an error offers, by dialect. */
function offersIn(detail: string | undefined): ReadonlyMap<string, string> {
  const readings = [...(detail ?? '').matchAll(/^(?:this is|or) ([^;]+); here: (.*)$/gm)];
  return new Map(
    readings.flatMap(([, names = '', sql = '']) =>
      names.split(/, | or /).map((name) => [name, sql] as const),
    ),
  );
}

describe('statements of other dialects', () => {
  let engine: TestEngine;
  before(async () => {
    engine = await startTestEngine(shopTables());
    // The thread that translates may take long to start, and nobody waits for it: what fails until then has no offer.
    let asked = 0;
    await until(async () => {
      const { detail } = await engine.failure(`SELECT \`name\` FROM shop.customers LIMIT 0, ${(asked += 1)}`);
      return offersIn(detail).size > 0;
    });
  });
  after(() => engine.close());

  for (const { dialect, sql, offer, rows, parameters } of OFFERED) {
    it(`of ${dialect} come back in ours: ${sql}`, async () => {
      const { detail } = await engine.failure(sql, { parameters });
      expect(offersIn(detail).get(dialect)).to.equal(offer);
      expect((await engine.run(offer, { parameters })).rows).to.deep.equal(rows);
    });
  }

  for (const { dialect, sql, reason } of NOT_OFFERED) {
    it(`of ${dialect} do not where that can't be certain (${reason}): ${sql}`, async () => {
      const { detail } = await engine.failure(sql);
      expect([...offersIn(detail).keys()]).to.not.include(dialect);
      const found = DIALECTS.find(({ name }) => name === dialect);
      if (found === undefined) throw new Error(`no dialect ${dialect}`);
      if (reason === NOT_READ) expect(translate(sql, found)).to.be.a('string');
      else expect(() => translate(sql, found)).to.throw(NoOfferError, reason);
    });
  }

  for (const sql of OF_NO_DIALECT) {
    it(`get no offer where they are wrong everywhere: ${sql}`, async () => {
      expect([...offersIn((await engine.failure(sql)).detail).keys()]).to.deep.equal([]);
    });
  }

  it('keep the message and the place of their error', async () => {
    const { code, message, detail } = await engine.failure('SELECT `name` FROM shop.customers LIMIT 5, 10');
    expect([code, message]).to.deep.equal(['PARSE_ERROR', "Parse error: unexpected '`'"]);
    expect(detail).to.equal(
      'Parse error at line 1, column 8: unexpected \'`\'; names are quoted with "double quotes"\n' +
        'SELECT `name` FROM shop.customers LIMIT 5, 10\n       ^\n' +
        'this is MySQL, MariaDB, SQLite or Hive; here: SELECT "name" FROM shop.customers LIMIT 10 OFFSET 5',
    );
  });

  it('come back where a function is missing only if that is all that was wrong', async () => {
    const missing = await engine.failure('SELECT NVL2(city, 1, 2) FROM shop.customers');
    expect([missing.code, ...offersIn(missing.detail).keys()]).to.deep.equal([
      ...['FUNCTION_NOT_FOUND', 'MariaDB', 'Snowflake', 'Redshift'],
    ]);
    const more = await engine.failure('SELECT NVL2(town, 1, 2) FROM shop.customers');
    expect([...offersIn(more.detail)]).to.deep.equal([]);
    const grouped = await engine.failure('SELECT city, COUNT(*) FROM shop.customers ORDER BY city');
    expect([...offersIn(grouped.detail)]).to.deep.equal([]);
  });

  it('come back in mode plan, too', async () => {
    const error = await engine
      .plan('SELECT TOP 1 name FROM shop.customers')
      .catch((thrown: unknown) => thrown);
    expect(error).to.have.property('detail').that.includes('here: SELECT name FROM shop.customers LIMIT 1');
  });

  it('are read by DuckDB as by us, each of them', () => {
    expect(engine.disagreements).to.deep.equal([]);
  });

  it('are offered whole or not at all', async () => {
    const names = Array.from({ length: 120 }, (_, i) => `\`name\` AS \`a_long_name_for_column_${i}\``);
    const short = `SELECT ${names.slice(0, 20).join(', ')} FROM shop.customers`;
    expect(offersIn((await engine.failure(short)).detail).get('MySQL')).to.match(
      /_19" FROM shop\.customers$/,
    );
    const { detail } = await engine.failure(`SELECT ${names.join(', ')} FROM shop.customers`);
    expect([...offersIn(detail)]).to.deep.equal([]);
    expect(Buffer.byteLength(detail ?? '')).to.be.below(4_096);
  });

  it('keep nobody waiting who sends other statements meanwhile', async () => {
    // It takes the package hours to read: each level doubles what it does.
    const subqueries = `${'(SELECT '.repeat(40)}1${' FROM shop.customers)'.repeat(40)}`;
    let isOver = false;
    const begun = performance.now();
    const attack = engine
      .failure(`SELECT \`name\`, ${subqueries} FROM shop.customers`)
      .finally(() => (isOver = true));
    const tookMs: number[] = [];
    while (!isOver) {
      const started = performance.now();
      expect((await engine.run("SELECT name FROM shop.customers WHERE id = 'c1'")).rows).to.deep.equal([
        ['Ann'],
      ]);
      tookMs.push(performance.now() - started);
      // Sleeps: others use the machine, too.
      await sleep(20);
    }
    const attackMs = performance.now() - begun;
    expect(tookMs).to.have.length.above(5);
    // Who had to wait for the attack would take as long as it does.
    expect(Math.max(...tookMs)).to.be.below(attackMs / 2);
    expect([...offersIn((await attack).detail)]).to.deep.equal([]);
  }).timeout(20_000);
});
