/**
 * The thread that reads other dialects: bounded in time, memory and text, and fair.
 *
 * Takes long: each test starts a thread that loads the package, and statements without end work until they are stopped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { threadMs, watchStretches } from '../../../../common/test/support/thread-time.ts';
import { until } from '../../../../common/test/support/until.ts';
import {
  createTranslationWorker,
  type TranslationBounds,
  type TranslationWorker,
} from '../../../src/parser/dialects/worker/translation-worker.ts';
import { TRANSLATED_CHARS_MAX, TRANSLATION_MS_MAX } from '../../../src/parser/dialects/worker/limits.ts';

const MYSQL = 'SELECT `name` FROM shop.customers LIMIT 5, 10';
const subqueries = (depth: number): string =>
  depth === 0 ? '1' : `(SELECT ${subqueries(depth - 1)} FROM shop.customers)`;
const joined = (depth: number): string =>
  depth === 0 ? 'shop.customers' : `(SELECT * FROM shop.orders o JOIN ${joined(depth - 1)} j ON 1 = 1)`;
/** The package takes hours for it: each level doubles what it does. */
const ENDLESS = `SELECT \`a\`, ${subqueries(40)} FROM shop.customers`;

/** Texts that are made to hurt. */
const ATTACKS: Readonly<Record<string, string>> = {
  'subqueries in the list of columns': ENDLESS,
  'subqueries right of a join': `SELECT \`a\` FROM shop.customers x JOIN ${joined(35)} y ON 1 = 1`,
  'brackets inside of each other': `SELECT \`a\`, ${'('.repeat(95)}1${')'.repeat(95)} FROM t`,
  'more brackets than may be': `SELECT \`a\`, ${'('.repeat(1_200)}1${')'.repeat(1_200)} FROM t`,
  'brackets that nothing closes': `SELECT \`a\`, ${'('.repeat(2_900)}`,
  'CASE inside of CASE': `SELECT \`a\`, ${'CASE WHEN a THEN '.repeat(90)}1${' END'.repeat(90)} FROM t`,
  'calls inside of each other': `SELECT ${'IFNULL(`a`, '.repeat(90)}1${')'.repeat(90)} FROM t`,
  'a long chain': `SELECT \`a\`${' + 1'.repeat(650)} FROM t`,
  'many AND and OR': `SELECT \`a\` FROM t WHERE ${'a = 1 AND b = 2 OR '.repeat(140)} c = 3`,
  'many backticks': '`'.repeat(2_999),
  'many dashes': `SELECT \`a\` ${'-'.repeat(2_900)}`,
  'many comments': `SELECT \`a\` ${'/**/'.repeat(700)} FROM t`,
  'many TOPs': 'SELECT TOP 1 '.repeat(230),
  'names of prototypes':
    'SELECT `__proto__`, `constructor`, `toString`(`hasOwnProperty`), valueOf(1) FROM `__proto__`.`constructor` LIMIT 1, 2',
  'types of prototypes': 'SELECT CAST(`a` AS constructor), CAST(`a` AS __proto__) FROM t',
  'half of a character': "SELECT `\ud800`, '\udfff' FROM t LIMIT 1, 2",
};

/** What a thread may wait for its share of a busy machine: what is tested is what it works. */
const MACHINE = { passedMsMax: 20_000, startMsMax: 30_000 };

describe('the worker that reads other dialects', () => {
  let workers: TranslationWorker[] = [];
  const workerWith = (bounds: TranslationBounds = {}): TranslationWorker => {
    const worker = createTranslationWorker({ ...MACHINE, ...bounds });
    workers.push(worker);
    return worker;
  };
  afterEach(async () => {
    for (const worker of workers) await worker.close();
    workers = [];
  });

  it('translates, and says in which dialects a statement reads so', async () => {
    expect(await workerWith().translate(MYSQL, 'a')).to.deep.equal({
      kind: 'translated',
      translations: [
        {
          dialects: ['MySQL', 'MariaDB', 'SQLite', 'Hive'],
          sql: 'SELECT "name" FROM shop.customers LIMIT 10 OFFSET 5',
        },
      ],
    });
  });

  it('is ended where a statement takes too long, and a neighbor goes on in a new one', async () => {
    const worker = workerWith();
    await worker.translate(MYSQL, 'b');
    const started = performance.now();
    const [attack, neighbor] = await Promise.all([
      worker.translate(ENDLESS, 'a'),
      worker.translate(MYSQL, 'b'),
    ]);
    expect(attack).to.deep.equal({ kind: 'stopped' });
    expect(neighbor).to.have.property('kind', 'translated');
    // What the attack may work, and two new threads, each with as much of a busy machine as it gets.
    expect(performance.now() - started).to.be.within(TRANSLATION_MS_MAX, MACHINE.passedMsMax);
  }).timeout(20_000);

  it('leaves the tenant of such a statement without offers for a while', async () => {
    const worker = workerWith({ pauseMs: 1_500 });
    await worker.translate(MYSQL, 'a');
    expect(await worker.translate(ENDLESS, 'a')).to.deep.equal({ kind: 'stopped' });
    expect(await worker.translate(MYSQL, 'a')).to.deep.equal({ kind: 'busy' });
    // A new thread compiles first, which on a busy machine takes as long as a statement may.
    await worker.translate(MYSQL, 'b');
    await until(async () => (await worker.translate(MYSQL, 'a')).kind === 'translated', {
      what: 'offers for the tenant again',
    });
  }).timeout(20_000);

  it('leaves no tenant without offers because the thread came too late', async () => {
    const worker = workerWith({ startMsMax: 1 });
    for (let times = 0; times < 2; times++)
      expect(await worker.translate(MYSQL, 'a')).to.deep.equal({ kind: 'late' });
  });

  it('takes one statement of a tenant at a time', async () => {
    const worker = workerWith();
    const kinds = await Promise.all(['a', 'a', 'b'].map((tenant) => worker.translate(MYSQL, tenant)));
    expect(kinds.map(({ kind }) => kind)).to.deep.equal(['translated', 'busy', 'translated']);
  });

  it('lets only few wait', async () => {
    const worker = workerWith();
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, i) => worker.translate(MYSQL, `tenant ${i}`)),
    );
    const translated = outcomes.filter(({ kind }) => kind === 'translated');
    expect(translated.length).to.equal(9);
  });

  it('does not look at long texts', async () => {
    const before = threadMs();
    const long = `SELECT \`name\` FROM shop.customers WHERE id IN (${"'x',".repeat(TRANSLATED_CHARS_MAX)}'x')`;
    expect(await workerWith().translate(long, 'a')).to.deep.equal({ kind: 'translated', translations: [] });
    expect(threadMs() - before).to.be.below(50);
  });

  it('is lost where it takes more memory than it may, and nothing else is', async () => {
    const worker = workerWith({ heapMbMax: 8 });
    expect(await worker.translate(MYSQL, 'a')).to.deep.equal({ kind: 'stopped' });
    expect(await worker.translate(MYSQL, 'b')).to.deep.equal({ kind: 'stopped' });
  }).timeout(20_000);

  it('ends when nobody asks, and starts again', async () => {
    const worker = workerWith({ idleMsMax: 20 });
    for (let i = 0; i < 2; i++) {
      expect(await worker.translate(MYSQL, 'a')).to.have.property('kind', 'translated');
      // Sleeps: the thread ends meanwhile, which nobody can see from here.
      await sleep(100);
    }
  }).timeout(20_000);

  it('lets those who wait go when it is closed', async () => {
    const worker = workerWith();
    const waiting = [worker.translate(ENDLESS, 'a'), worker.translate(MYSQL, 'b')];
    await worker.close();
    expect(await Promise.all(waiting)).to.deep.equal([{ kind: 'busy' }, { kind: 'busy' }]);
    expect(await worker.translate(MYSQL, 'c')).to.deep.equal({ kind: 'translated', translations: [] });
  });

  it('holds up nobody, whatever it is given', async () => {
    const translationMsMax = 1_000;
    const worker = workerWith({ translationMsMax });
    await worker.translate(MYSQL, 'neighbor');
    const stretches = watchStretches();
    for (const [what, sql] of Object.entries(ATTACKS)) {
      const started = performance.now();
      expect(await worker.translate(sql, what), what)
        .to.have.property('kind')
        .that.is.oneOf(['translated', 'stopped']);
      expect(performance.now() - started, what).to.be.below(MACHINE.passedMsMax);
      const after = await worker.translate(MYSQL, 'neighbor');
      expect(after, what).to.have.property('translations').with.length(1);
    }
    // Each of them would take this thread at least as long; what it does beside takes a slow machine half of it.
    expect(stretches.end()).to.be.below(translationMsMax);
  }).timeout(60_000);
});
