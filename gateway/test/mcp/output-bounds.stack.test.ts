/** What an answer to an agent may be at most, and how it goes on. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { CustomerAccount } from '../../../deploy/local/src/seed/customer-account.ts';
import type { RunningStack } from '../../../deploy/local/src/stack/stack.ts';
import { BATCH_OUTPUT_BYTES_MAX, TOOL_OUTPUT_BYTES_MAX } from '../../src/mcp/limits.ts';
import { seedWide } from '../e2e/support/shop.ts';
import { sharedStack, STACK_START_TIMEOUT_MS } from '../e2e/support/stack.ts';
import { newAccount, newTenant, registerSchema, type TestTenant } from '../e2e/support/tenant.ts';
import {
  CLIENTS,
  mcpToken,
  post,
  textOf,
  toolCall,
  type TestClient,
  type ToolAnswer,
} from './support/mcp.ts';

const ROWS = 150;

interface Page {
  readonly rows: readonly (readonly unknown[])[];
  readonly resumeIdx?: number;
  readonly warnings?: readonly string[];
}

const bytesOf = (answer: ToolAnswer): number =>
  Buffer.byteLength(textOf(answer)) + Buffer.byteLength(JSON.stringify(answer.structuredContent ?? null));

describe('an answer to an agent', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let stack: RunningStack;
  let tenant: TestTenant;
  let account: CustomerAccount;
  let token: string;
  let client: TestClient;

  before(async () => {
    stack = await sharedStack();
    tenant = await newTenant(stack);
    account = newAccount(stack);
    await seedWide(account, 'wide', ROWS, 8_000);
    await registerSchema(stack, tenant, account, { schemaName: 'big', tableAllowlist: ['wide'] });
    token = await mcpToken(stack, tenant.credentials);
    client = await CLIENTS['client v2, auto']!(new URL(`${stack.mcpUrl}/mcp`), token);
  });
  after(async () => {
    account.close();
    await client.close();
  });

  const run = (sql: string, more: object = {}): Promise<ToolAnswer> =>
    client.call('run_sql', { sql, maxRows: 1_000, ...more });

  it('ends at its size, says so, and loses no row to who goes on', async () => {
    const sql = 'SELECT id, filler FROM big.wide ORDER BY id';
    const seen: unknown[] = [];
    let resumeIdx: number | undefined = 0;
    while (resumeIdx !== undefined) {
      const answer: ToolAnswer = await run(sql, { resumeIdx });
      expect(answer.isError, textOf(answer)).to.not.equal(true);
      expect(bytesOf(answer)).to.be.at.most(TOOL_OUTPUT_BYTES_MAX);
      const page = answer.structuredContent as Page;
      expect(page.rows.length).to.be.within(1, 12);
      seen.push(...page.rows.map(([id]) => id));
      if (page.resumeIdx !== undefined) {
        expect(page.resumeIdx).to.equal(seen.length);
        expect(page.warnings?.join()).to.match(new RegExp(`ended at its size.*resumeIdx ${page.resumeIdx}`));
      }
      ({ resumeIdx } = page);
    }
    expect(seen).to.deep.equal(Array.from({ length: ROWS }, (_, i) => `k${String(i).padStart(6, '0')}`));
  });

  it('shows the beginnings of the values of a row that is larger than that, and goes on after it', async () => {
    // A text function may make no more than 64 KiB.
    const [wide, quotes] = ["REPEAT('é', 30000)", "REPEAT('\"', 60000)"];
    const sql = `SELECT id, 12345678901234567890.5 AS n, ${wide} AS a, ${quotes} AS b FROM big.wide ORDER BY id LIMIT 2`;
    const answer = await run(sql);
    expect(answer.isError, textOf(answer).slice(0, 500)).to.not.equal(true);
    expect(bytesOf(answer)).to.be.at.most(TOOL_OUTPUT_BYTES_MAX);
    const { rows, resumeIdx, warnings } = answer.structuredContent as Page;
    expect([rows.length, rows[0]?.[0], resumeIdx]).to.deep.equal([1, 'k000000', 1]);
    expect(String(rows[0]?.[2])).to.match(/^é{4900,}…$/);
    expect(String(rows[0]?.[3])).to.match(/^"{5000,}…$/);
    expect(textOf(answer)).to.contain('12345678901234567890.5');
    expect(warnings?.join()).to.match(/SUBSTRING/);
  });

  it('is refused where the names of its columns alone are larger', async () => {
    const columns = Array.from({ length: 300 }, (_, i) => `1 AS "${'c'.repeat(180)}${i}"`).join(', ');
    const answer = await run(`SELECT ${columns} FROM big.wide LIMIT 1`);
    expect(answer.isError).to.equal(true);
    expect(textOf(answer)).to.match(/RESOURCE_EXHAUSTED: .*name the columns that you need/);
  });

  it('is bounded for a plan of any size', async () => {
    const values = Array.from({ length: 3_000 }, (_, i) => `'v${i}'`).join(', ');
    const answer = await run(`SELECT id FROM big.wide WHERE id IN (${values})`, { mode: 'plan' });
    expect(answer.isError, textOf(answer).slice(0, 500)).to.not.equal(true);
    expect(bytesOf(answer)).to.be.at.most(TOOL_OUTPUT_BYTES_MAX);
  });

  it('in a batch comes in its turn, within a budget of the whole and without filling the memory', async () => {
    const peakMib = async (): Promise<number> => {
      const status = await readFile(`/proc/${stack.pid('gateway')}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;
    };
    const before = await peakMib();
    const sql = 'SELECT filler, filler, REPEAT(filler, 7) FROM big.wide';
    const calls = Array.from({ length: 10 }, (_, i) => toolCall('run_sql', { sql, maxRows: 1_000 }, i));
    const answer = await post(stack, token, calls);
    expect(answer.status).to.equal(200);
    expect(answer.text)
      .to.match(/"resumeIdx":1\b/)
      .and.to.match(/send this call again by itself/);
    const grown = (await peakMib()) - before;
    expect(Buffer.byteLength(answer.text)).to.be.below(2 * (BATCH_OUTPUT_BYTES_MAX + TOOL_OUTPUT_BYTES_MAX));
    expect(grown, 'MiB').to.be.below(64);
    for (let id = 0; id < 10; id += 1) expect(answer.text).to.contain(`"id":${id}`);
  });
});
