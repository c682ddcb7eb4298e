/**
 * Decoding against the SDK: the same pages through our decoder and through the SDK's deserialiser and `unmarshall`.
 * Run: `node services/query-engine/bench/decoder.ts`. Prints one JSON line for each case; `ratio` is what counts.
 */
import { Readable } from 'node:stream';
import { DynamoDBClient, ScanCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { createPageDecoder } from '../src/dynamodb/decode/page-decoder.ts';

const PAGES = 16;
const ITEMS_PER_PAGE = 2200;
const ROUNDS = 5;

/** 10 attributes an item, about 0.8 MB a page. `sparse`: a third of the items lack one attribute, another third two. */
function page(number: number, sparse: boolean): Buffer {
  const items = Array.from({ length: ITEMS_PER_PAGE }, (_, i) => {
    const id = number * ITEMS_PER_PAGE + i;
    const item: Record<string, unknown> = {
      pk: { S: `CUST#${id % 997}` },
      sk: { S: `ORDER#${String(id).padStart(8, '0')}` },
      amount: { N: String(((id * 37) % 100000) / 100) },
      qty: { N: String(id % 17) },
      status: { S: ['NEW', 'PAID', 'SHIPPED', 'CANCELLED'][id % 4] },
      created: { S: new Date(1.7e12 + id * 1000).toISOString() },
      paid: { BOOL: id % 2 === 0 },
      note: { S: 'lorem ipsum dolor sit amet '.repeat(3) },
      address: { M: { city: { S: 'Springfield' }, zip: { S: '12345' } } },
      tags: { SS: ['a', 'b'] },
    };
    if (sparse && id % 3 > 0) delete item['qty'];
    if (sparse && id % 3 > 1) delete item['amount'];
    return item;
  });
  const count = ITEMS_PER_PAGE;
  return Buffer.from(
    JSON.stringify({
      ConsumedCapacity: { CapacityUnits: 128.5, TableName: 't' },
      Count: count,
      Items: items,
      LastEvaluatedKey: { pk: { S: 'x' }, sk: { S: 'y' } },
      ScannedCount: count,
    }),
  );
}

/** What `unmarshall` of @aws-sdk/util-dynamodb does with its defaults, which is no dependency of ours. */
function unmarshall(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.M !== undefined)
    return Object.fromEntries(Object.entries(value.M).map(([name, inner]) => [name, unmarshall(inner)]));
  if (value.L !== undefined) return value.L.map(unmarshall);
  if (value.SS !== undefined) return new Set(value.SS);
  if (value.NS !== undefined) return new Set(value.NS.map(Number));
  return value.B ?? value.BS ?? null;
}

async function bestMs(run: () => Promise<void> | void): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const startMs = performance.now();
    await run();
    best = Math.min(best, performance.now() - startMs);
  }
  return best;
}

for (const sparse of [false, true]) {
  const pages = Array.from({ length: PAGES }, (_, i) => page(i, sparse));
  const megabytes = pages.reduce((sum, body) => sum + body.length, 0) / 1e6;
  let served = 0;
  const handle = async () => ({
    response: {
      statusCode: 200,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Readable.from([pages[served++ % PAGES]]),
    },
  });
  const client = new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: { handle },
  });
  const sdkMs = await bestMs(async () => {
    for (let i = 0; i < PAGES; i++) {
      const { Items = [] } = await client.send(new ScanCommand({ TableName: 't' }));
      for (const item of Items) unmarshall({ M: item });
    }
  });
  const columns = ['pk', 'sk', 'amount', 'qty', 'status'].map((name) => ({ path: [name] }));
  const decodeMs = await bestMs(() => {
    const decoder = createPageDecoder(columns);
    for (const body of pages) decoder.decode(body);
  });
  const all = [
    ...columns,
    ...['created', 'paid', 'note', 'address', 'tags'].map((name) => ({ path: [name] })),
  ];
  const allMs = await bestMs(() => {
    const decoder = createPageDecoder(all, ['pk', 'sk']);
    for (const body of pages) decoder.decode(body);
  });
  const rate = (ms: number) => Math.round(megabytes / (ms / 1000));
  const report = {
    bench: 'decoder',
    pages: sparse ? 'items of three shapes' : 'items of one shape',
    sdkMBps: rate(sdkMs),
    fiveOfTenMBps: rate(decodeMs),
    allTenMBps: rate(allMs),
    ratio: Number((sdkMs / decodeMs).toFixed(1)),
    ratioAllTen: Number((sdkMs / allMs).toFixed(1)),
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
