/**
 * Point reads beside statements of another tenant that are the most expensive to plan.
 *
 * Takes turns: its statements take all cores for as long as a neighbor reads.
 */
import { expect } from 'chai';
import {
  createTable,
  putItems,
  type CustomerAccount,
} from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { IS_LONG } from '../../../services/common/test/support/random-budget.ts';
import { seedWide } from './support/shop.ts';
import { leaveScratch, scratchStack, STACK_START_TIMEOUT_MS } from './support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from './support/tenant.ts';

/** The catalog keeps a thousand. */
const ATTRIBUTES = 950;
const ATTACKS_AT_ONCE = IS_LONG ? 30 : 12;
const READS = IS_LONG ? 200 : 30;
const READ_EVERY_MS = 50;
/**
 * What a point read may take beside them where a quiet one takes QUIET_MS at the median: twice what it takes on an idle
 * machine. It was eight seconds.
 */
const P99_MS_MAX = 250;
const P50_MS_MAX = 125;
const QUIET_MS = 10;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? Infinity;
const listOf = (count: number, one: (i: number) => string, separator: string): string =>
  Array.from({ length: count }, (_, i) => one(i)).join(separator);

const at = (i: number): string => `a${i % ATTRIBUTES}`;

/** Statements near the limits of tokens and columns, another text each time: the kinds that cost planning most. */
const HOSTILE: readonly ((salt: number) => string)[] = [
  (salt) => `SELECT id FROM shop.wide WHERE ${listOf(1_600, (i) => `${at(i)} = ${salt + i}`, ' AND ')}`,
  (salt) =>
    `SELECT id FROM shop.wide WHERE ${listOf(690, (i) => `(${at(i)} = ${salt} OR ${at(i + 1)} = ${i})`, ' AND ')}`,
  (salt) =>
    `SELECT x0.id FROM shop.wide x0 ${listOf(99, (i) => `LEFT JOIN shop.wide x${i + 1} ON x${i + 1}.id = x${i}.id`, ' ')} WHERE ${listOf(900, (i) => `x${i % 100}.${at(i)} = ${salt}`, ' AND ')}`,
  (salt) =>
    `SELECT CASE ${listOf(1_000, (i) => `WHEN ${at(i)} = ${salt + i} THEN ${i}`, ' ')} END FROM shop.wide WHERE id = 'w'`,
  (salt) => `SELECT 1 FROM shop.wide x NATURAL JOIN shop.wide y WHERE id = '${salt}'`,
  (salt) =>
    `WITH ${listOf(4, (i) => `c${i} AS (SELECT * FROM ${i === 0 ? 'shop.wide' : `c${i - 1}`})`, ', ')} SELECT * FROM c3 WHERE a1 = ${salt}`,
];

describe('point reads beside the most expensive statements of another tenant', function () {
  this.timeout(STACK_START_TIMEOUT_MS * 2);
  let stack: RunningStack;
  let reader: TestTenant;
  let attacker: TestTenant;
  const accounts: CustomerAccount[] = [];

  before(async () => {
    stack = await scratchStack('one engine');
    [reader, attacker] = [await newTenant(stack), await newTenant(stack)];
    const [own, other] = [newAccount(stack), newAccount(stack)];
    accounts.push(own, other);
    await seedWide(own, 'keyed', 300, 200);
    await createTable(other, {
      TableName: 'wide',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    });
    const attributes = Array.from({ length: ATTRIBUTES }, (_, i) => [`a${i}`, { N: String(i) }] as const);
    await putItems(other, 'wide', [{ id: { S: 'w' }, ...Object.fromEntries(attributes) }]);
    await registerSchema(stack, reader, own, { schemaName: 'shop' });
    await registerSchema(stack, attacker, other, { schemaName: 'shop' });
    await attacker.query("SELECT id FROM shop.wide WHERE id = 'w'");
    await readTimes(60);
  });
  after(async () => {
    for (const account of accounts) account.close();
    await leaveScratch(stack);
  });

  /** Point reads, one begun each READ_EVERY_MS whether the others are over or not, milliseconds. */
  async function readTimes(count: number): Promise<readonly number[]> {
    const times: Promise<number>[] = [];
    for (let i = 0; i < count; i++) {
      const started = performance.now();
      const id = `k${String(i).padStart(6, '0')}`;
      times.push(
        reader.query(`SELECT n FROM shop.keyed WHERE id = '${id}'`).then(({ status, text }) => {
          expect(status, text).to.equal(200);
          return performance.now() - started;
        }),
      );
      await sleep(READ_EVERY_MS);
    }
    return Promise.all(times);
  }

  it('are not held up by them', async () => {
    const quiet = await readTimes(READS);
    const slower = Math.max(1, percentile(quiet, 0.5) / QUIET_MS);
    let salt = 1_000_000;
    let over = false;
    let sent = 0;
    const attack = Promise.all(
      Array.from({ length: ATTACKS_AT_ONCE }, async (_, n) => {
        while (!over) {
          const sql = HOSTILE[n % HOSTILE.length]?.((salt += 10_000)) ?? '';
          const { status, text } = await attacker.query(sql);
          expect(status, text.slice(0, 500)).to.be.oneOf([200, 400, 422, 429, 503]);
          sent++;
          if (status === 503) expect(text).to.include('use all the memory that there is; try again');
          // Sleeps: as clients do that were told so.
          if (status === 429 || status === 503) await sleep(200);
        }
      }),
    );
    const beside: number[] = [];
    // Until some were planned and the next are, however slow the machine is.
    while (beside.length === 0 || sent <= ATTACKS_AT_ONCE) beside.push(...(await readTimes(READS)));
    over = true;
    await attack;
    const [p50, p99] = [percentile(beside, 0.5), percentile(beside, 0.99)];
    const shown = `quiet p50 ${percentile(quiet, 0.5).toFixed(0)} p99 ${percentile(quiet, 0.99).toFixed(0)}; beside ${sent} statements p50 ${p50.toFixed(0)} p99 ${p99.toFixed(0)} ms`;
    // What else the machine does falls into one of the two measurements: where it does much, medians alone can be compared.
    expect(IS_LONG ? p99 : p50, shown).to.be.lessThan((IS_LONG ? P99_MS_MAX : P50_MS_MAX) * slower);
  });
});
