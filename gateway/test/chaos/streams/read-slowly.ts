/** A reader of a megabyte a second: the reads keep its pace, and memory stays where it is. */
import { randomBytes } from 'node:crypto';
import { request as send, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { residentMb } from '../../../../services/query-engine/bench/process-use.ts';
import type { RunningStack } from '../../../../deploy/local/src/stack/stack.ts';
import { clearRequests, requestsOf } from '../../e2e/support/request-log.ts';
import { createTable, putItems } from '../../../../deploy/local/src/seed/customer-account.ts';
import { recovers } from '../recovers.ts';
import { seedTenant, type ChaosTenant } from '../tenants.ts';
import { FORMATS, type Format } from './take-stream.ts';

const BYTES_PER_SECOND = 1_000_000;
const ITEM_BYTES = 200_000;
/**
 * What may be read ahead of a reader, pages of a megabyte: eight that are read or under way in segments, one in the pipe, and
 * what the system takes of a connection (4 MB to be sent, and some at the reader's). Parquet has a row group of four besides.
 */
const AHEAD_PAGES_MAX: Readonly<Record<Format, number>> = { csv: 14, ndjson: 14, parquet: 18 };
/** What the memory of engines and gateway may grow by, after the first seconds. */
const GROWTH_MB_MAX = 60;
const WARM_PART = 0.25;
const LOOKS = 20;

export interface SlowReport {
  readonly wrong: readonly string[];
  readonly formats: Readonly<Record<string, object>>;
}

const begin = (url: string, token: string, accept: string, sql: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', accept, authorization: `Bearer ${token}` };
    const sent = send(url, { method: 'POST', headers }, resolve);
    sent.on('error', reject);
    sent.end(JSON.stringify({ sql }));
  });

/** Takes a response at that pace for so long, then hangs up. */
async function takeAtPace(response: IncomingMessage, ms: number, onBytes: (bytes: number) => void) {
  const started = performance.now();
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    onBytes((bytes += chunk.length));
    const passed = performance.now() - started;
    if (passed >= ms) break;
    const aheadMs = (bytes / BYTES_PER_SECOND) * 1000 - passed;
    // Sleeps: a slow reader.
    if (aheadMs > 0) await pause(aheadMs);
  }
  response.destroy();
  return bytes;
}

async function memoryMb(stack: RunningStack): Promise<number> {
  const pids = ['gateway', 'query-engine-1', 'query-engine-2'].map((part) => stack.pid(part));
  const sizes = await Promise.all(pids.map(async (pid) => (pid === undefined ? 0 : residentMb(pid))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function inFormat(
  stack: RunningStack,
  { tenant, account }: ChaosTenant,
  format: Format,
  ms: number,
): Promise<{ readonly figures: object; readonly wrong: readonly string[] }> {
  await clearRequests(stack, account);
  const pages = async (): Promise<number> =>
    (await requestsOf(stack, account)).filter(({ operation }) => operation === 'Scan').length;
  const url = `${stack.baseUrl}/v1/query`;
  const response = await begin(url, tenant.token, FORMATS[format], 'SELECT id, filler FROM shop.slow');
  const wrong: string[] = [];
  let taken = 0;
  let isOver = false;
  const memory: number[] = [];
  let aheadMax = 0;
  const looking = (async (): Promise<void> => {
    // Sleeps: looks are spread over the time that reading takes.
    for (; !isOver; await pause(ms / LOOKS)) {
      // What was taken by then is less than what is taken when the answer is there.
      const read = await pages();
      aheadMax = Math.max(aheadMax, read - taken / (1024 * 1024));
      memory.push(await memoryMb(stack));
    }
  })();
  const began = performance.now();
  const bytes = await takeAtPace(response, ms, (so) => (taken = so)).catch((error: unknown) => {
    const afterMs = Math.round(performance.now() - began);
    wrong.push(`${format}: cut after ${taken} bytes and ${afterMs} ms: ${String(error)}`);
    return taken;
  });
  isOver = true;
  await looking;
  if (response.complete) wrong.push(`${format}: it was over before its time, after ${bytes} bytes`);
  if (aheadMax > AHEAD_PAGES_MAX[format])
    wrong.push(`${format}: ${aheadMax.toFixed(1)} pages were read ahead of what was taken`);
  const warm = memory.slice(Math.ceil(memory.length * WARM_PART));
  const growth = Math.max(...warm) - (warm[0] ?? 0);
  if (growth > GROWTH_MB_MAX) wrong.push(`${format}: memory grew by ${growth.toFixed(0)} MB`);
  // Sleeps: nothing may be read any more, which only time shows.
  await pause(1_000);
  const after = await pages();
  // Sleeps: likewise.
  await pause(1_000);
  if ((await pages()) !== after) wrong.push(`${format}: it was read on a second after its reader hung up`);
  const figures = {
    takenMb: bytes / 1e6,
    pages: after,
    aheadMax: Number(aheadMax.toFixed(1)),
    memoryMb: [memory[0] ?? 0, Math.max(...memory)].map(Math.round),
    growthMb: Math.round(growth),
  };
  return { figures, wrong };
}

/** Items that no compression makes smaller. */
async function seed({ account }: ChaosTenant, count: number): Promise<void> {
  await createTable(account, {
    TableName: 'slow',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  });
  const items = Array.from({ length: count }, (_, i) => ({
    id: { S: `k${String(i).padStart(6, '0')}` },
    filler: { S: randomBytes((ITEM_BYTES * 3) / 4).toString('base64') },
  }));
  await putItems(account, 'slow', items);
}

/** `ms`: of each format. */
export async function readSlowly(
  stack: RunningStack,
  ms: number,
  wanted: readonly Format[] = Object.keys(FORMATS) as Format[],
): Promise<SlowReport> {
  const reader = await seedTenant(stack, 'slow');
  try {
    // Somewhat more than is taken and read ahead.
    const items = Math.ceil(((ms / 1000) * BYTES_PER_SECOND * 1.2 + 20e6) / ITEM_BYTES);
    await seed(reader, items);
    await recovers(
      async () => (await reader.tenant.query("SELECT id FROM shop.slow WHERE id = 'k000001'")).body.success,
    );
    const wrong: string[] = [];
    const formats: Record<string, object> = {};
    for (const format of wanted) {
      const found = await inFormat(stack, reader, format, ms);
      formats[format] = found.figures;
      wrong.push(...found.wrong);
    }
    return { wrong, formats };
  } finally {
    reader.account.close();
  }
}
