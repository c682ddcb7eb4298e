/** Decoding against the SDK: the same pages through our decoder and through the SDK's deserializer and `unmarshall`. */
import { Readable } from 'node:stream';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { createPageDecoder } from '../src/dynamodb/decode/page-decoder.ts';
import { unmarshall } from './hand-written.ts';
import { interleavedMs, median } from './measure.ts';
import type { BenchRow } from './report.ts';

const PAGES = 16;
const ITEMS_PER_PAGE = 2200;
const WARM_UPS = 1;
const TARGETS = { five: 12, ten: 8 };

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

/** The same pages from memory, over and over. */
function clientOf(pages: readonly Buffer[]): DynamoDBClient {
  let served = 0;
  const handle = async () => ({
    response: {
      statusCode: 200,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Readable.from([pages[served++ % pages.length]]),
    },
  });
  return new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: { handle },
  });
}

/** Five of ten attributes, and all ten, from items of one shape and of three. */
export async function benchDecoder(rounds: number): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const sparse of [false, true]) {
    const pages = Array.from({ length: PAGES }, (_, i) => page(i, sparse));
    const megabytes = pages.reduce((sum, body) => sum + body.length, 0) / 1e6;
    const client = clientOf(pages);
    const decode = async (columns: readonly { readonly path: readonly string[] }[]): Promise<void> => {
      const decoder = createPageDecoder(columns);
      for (const body of pages) decoder.decode(body);
    };
    const five = ['pk', 'sk', 'amount', 'qty', 'status'].map((name) => ({ path: [name] }));
    const rest = ['created', 'paid', 'note', 'address', 'tags'].map((name) => ({ path: [name] }));
    const times = await interleavedMs(rounds + WARM_UPS, {
      sdk: async () => {
        for (let i = 0; i < PAGES; i++) {
          const { Items = [] } = await client.send(new ScanCommand({ TableName: 't' }));
          for (const item of Items) unmarshall({ M: item });
        }
      },
      five: () => decode(five),
      ten: () => decode([...five, ...rest]),
    });
    const ms = (name: keyof typeof times): number => median(times[name].slice(WARM_UPS));
    const rate = (name: keyof typeof times): string => `${Math.round(megabytes / (ms(name) / 1000))} MB/s`;
    const shapes = sparse ? 'items of three shapes' : 'items of one shape';
    const row = (name: keyof typeof TARGETS, what: string): BenchRow => ({
      what: `Decoder, ${what}, ${shapes}`,
      ours: rate(name),
      theirs: `SDK deserialize, unmarshall: ${rate('sdk')}`,
      ratio: `${(ms('sdk') / ms(name)).toFixed(1)}×`,
      target: `≥ ${TARGETS[name]}×`,
      met: ms('sdk') / ms(name) >= TARGETS[name],
    });
    rows.push(row('five', '5 of 10 attributes'), row('ten', 'all 10 attributes'));
  }
  return rows;
}
