import { Readable } from 'node:stream';
import { DynamoDBClient, ScanCommand, type AttributeValue } from '@aws-sdk/client-dynamodb';
import { expect } from 'chai';
import { TYPE_OF_CODE, TypeCode, textOf, type ColumnBatch } from '../../../src/dynamodb/column-batch.ts';
import { MalformedBodyError } from '../../../src/dynamodb/decode/malformed-body.ts';
import { createPageDecoder } from '../../../src/dynamodb/decode/page-decoder.ts';
import type { DocumentStep } from '../../../src/logical/expression.ts';
import { SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { seededRandom } from '../random.ts';
import { generatedItems, looseJson, type Json } from './generated-pages.ts';

const columnsOf = (...paths: DocumentStep[][]) => paths.map((path) => ({ path }));
const decode = (text: string, ...paths: DocumentStep[][]) =>
  createPageDecoder(columnsOf(...paths)).decode(Buffer.from(text));

/** Cells as `[type, value]`, row by row. */
function rows(batch: ColumnBatch): [string | null, string | null][][] {
  return Array.from({ length: batch.rowCount }, (_, row) =>
    batch.columns.map((column) => [TYPE_OF_CODE[column.types[row] ?? 0] ?? null, textOf(column, row)]),
  );
}

/** What the SDK makes of a body. */
async function sdkItems(body: string): Promise<Record<string, AttributeValue>[]> {
  const client = new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: {
      handle: async () => ({
        response: {
          statusCode: 200,
          headers: { 'content-type': 'application/x-amz-json-1.0' },
          body: Readable.from([Buffer.from(body)]),
        },
      }),
    },
  });
  return (await client.send(new ScanCommand({ TableName: 't' }))).Items ?? [];
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** The same cell made slowly from the SDK's value. */
function expectedCell(value: AttributeValue | undefined): [string | null, string | null] {
  if (value === undefined) return [null, null];
  const type = Object.keys(value)[0] ?? '';
  if (value.S !== undefined) return [type, value.S];
  if (value.N !== undefined) return [type, value.N];
  if (value.B !== undefined) return [type, base64(value.B)];
  if (value.BOOL !== undefined) return [type, String(value.BOOL)];
  return [type, value.NULL === undefined ? expectedJson(value) : null];
}

function expectedJson(value: AttributeValue): string {
  const bytes = (text: string) => Buffer.from(text);
  const byBytes = (a: string, b: string) => Buffer.compare(bytes(a), bytes(b));
  if (value.N !== undefined) return value.N;
  if (value.S !== undefined) return JSON.stringify(value.S);
  if (value.BOOL !== undefined) return String(value.BOOL);
  if (value.B !== undefined) return JSON.stringify(base64(value.B));
  if (value.SS !== undefined) return JSON.stringify([...value.SS].sort(byBytes));
  if (value.NS !== undefined) return `[${[...value.NS].sort((a, b) => Number(a) - Number(b)).join(',')}]`;
  if (value.BS !== undefined)
    return JSON.stringify(
      value.BS.map((part) => Buffer.from(part))
        .sort((a, b) => Buffer.compare(a, b))
        .map((part) => part.toString('base64')),
    );
  if (value.L !== undefined) return `[${value.L.map(expectedJson).join(',')}]`;
  if (value.M !== undefined) {
    const map = value.M;
    const names = Object.keys(map).sort(byBytes);
    return `{${names.map((name) => `${JSON.stringify(name)}:${expectedJson(map[name] as AttributeValue)}`).join(',')}}`;
  }
  return 'null';
}

function parsed(text: string): { readonly Items?: unknown } | null {
  try {
    return JSON.parse(text) as { Items?: unknown };
  } catch {
    return null;
  }
}

const WANTED = ['pk', 'amount', 'größe', 'a.b', 'with "quote"', 'back\\slash', 'status', 'absent'];

describe(`page decoder (${SEED_SHOWN})`, () => {
  it('makes a document of what nobody knows, the same of any spacing', () => {
    const value = {
      Items: [
        { z: { N: '12345678901234567890.5' }, a: { S: 'x' }, k: { S: 'known' } },
        { k: { S: 'alone' } },
        {
          m: { M: { q: { B: '/w==' }, p: { NULL: true } } },
          k: { S: 'q"' },
          e: { BOOL: true },
          '': { S: 'odd' },
        },
      ],
    };
    const expected = [
      [['S', 'known'], ['M', '{"a":"x","z":12345678901234567890.5}']],
      [['S', 'alone'], [null, null]],
      [['S', 'q"'], ['M', '{"":"odd","e":true,"m":{"p":null,"q":"/w=="}}']],
    ]; // oxfmt-ignore
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 1)]) {
      const decoder = createPageDecoder(columnsOf(['k'], ['']), ['k']);
      expect(rows(decoder.decode(Buffer.from(text)).batch)).to.deep.equal(expected);
      expect(decoder.unknownNames).to.equal(5);
    }
  });

  it('finds what the SDK finds, in compact and in loose JSON', async () => {
    const random = seededRandom(SEED);
    for (let round = 0; round < 30; round++) {
      const items = generatedItems(random, random.int(20));
      const page: Json = { Count: items.length, Items: items, ScannedCount: items.length + 3 };
      const compact = JSON.stringify(page);
      const fromSdk = await sdkItems(compact);
      const expected = fromSdk.map((item) =>
        WANTED.map((name) => expectedCell(Object.hasOwn(item, name) ? item[name] : undefined)),
      );
      const columns = columnsOf(...WANTED.map((name) => [name]));
      for (const text of [compact, looseJson(random, page)]) {
        const decoded = createPageDecoder(columns).decode(Buffer.from(text));
        expect(rows(decoded.batch)).to.deep.equal(expected);
        expect(decoded.scannedCount).to.equal(items.length + 3);
      }
    }
  });

  it('says which types a column holds, missing included', () => {
    const { batch } = decode(
      '{"Items":[{"a":{"S":"x"}},{},{"a":{"NULL":true}},{"a":{"N":"1"},"b":{"S":"y"}}]}',
      ['a'],
      ['b'],
    );
    const bits = (...codes: TypeCode[]) => codes.reduce<number>((sum, code) => sum | (1 << code), 0);
    expect(batch.columns[0]?.typesSeen).to.equal(
      bits(TypeCode.MISSING, TypeCode.S, TypeCode.NULL, TypeCode.N),
    );
    expect(batch.columns[1]?.typesSeen).to.equal(bits(TypeCode.MISSING, TypeCode.S));
    expect(rows(batch)[1]).to.deep.equal([
      [null, null],
      [null, null],
    ]);
  });

  it('follows document paths into maps and lists, and nowhere else', () => {
    const text =
      '{"Items":[{"m":{"M":{"a":{"L":[{"S":"x"},{"M":{"b":{"N":"1.50"}}}]},"s":{"SS":["b","a"]}}}},{"m":{"S":"a"}}]}';
    const { batch } = decode(
      text,
      ['m', 'a', 0],
      ['m', 'a', 1, 'b'],
      ['m', 'a', 2],
      ['m', 's', 0],
      ['m', 's'],
      ['m', 'a', 'x'],
      ['m'],
    );
    expect(rows(batch)).to.deep.equal([
      [
        ['S', 'x'],
        ['N', '1.50'],
        [null, null],
        [null, null],
        ['SS', '["a","b"]'],
        [null, null],
        ['M', '{"a":["x",{"b":1.50}],"s":["a","b"]}'],
      ],
      [
        [null, null],
        [null, null],
        [null, null],
        [null, null],
        [null, null],
        [null, null],
        ['S', 'a'],
      ],
    ]);
  });

  it('reads what else an answer says, wherever it stands', () => {
    const page = decode(
      '{"LastEvaluatedKey":{"pk":{"S":"Items\\":["}},"ScannedCount":7,"Items":[{"a":{"N":"1"}}],"ConsumedCapacity":{"CapacityUnits":1.5,"TableName":"t"},"Count":1}',
      ['a'],
    );
    expect(page.lastEvaluatedKey).to.deep.equal({ pk: { S: 'Items":[' } });
    expect([page.count, page.scannedCount, page.consumedHalfUnits]).to.deep.equal([1, 7, 3]);
    expect(rows(page.batch)).to.deep.equal([[['N', '1']]]);
  });

  it('reads GetItem, found or not', () => {
    const found = decode('{"Item":{"a":{"S":"x"}},"ConsumedCapacity":{"CapacityUnits":0.5}}', ['a']);
    expect(rows(found.batch)).to.deep.equal([[['S', 'x']]]);
    const absent = decode('{"ConsumedCapacity":{"CapacityUnits":0.5}}', ['a']);
    expect([absent.batch.rowCount, absent.count, absent.consumedHalfUnits]).to.deep.equal([0, 0, 1]);
    expect(decode('{}', ['a']).batch.rowCount).to.equal(0);
  });

  it('reads BatchGetItem with keys that were left over', () => {
    const page = decode(
      '{"Responses":{"t":[{"a":{"S":"x"}},{"a":{"S":"y"}}]},"UnprocessedKeys":{"t":{"Keys":[{"a":{"S":"z"}}]}},"ConsumedCapacity":[{"CapacityUnits":1},{"CapacityUnits":0.5}]}',
      ['a'],
    );
    expect(rows(page.batch)).to.deep.equal([[['S', 'x']], [['S', 'y']]]);
    expect(page.unprocessedKeys).to.deep.equal({ t: { Keys: [{ a: { S: 'z' } }] } });
    expect(page.consumedHalfUnits).to.equal(3);
    expect(decode('{"Responses":{"t":[]},"UnprocessedKeys":{}}', ['a']).unprocessedKeys).to.equal(null);
  });

  it('reads counts without items', () => {
    const page = decode('{"Count":12,"ScannedCount":40}');
    expect([page.count, page.scannedCount, page.batch.rowCount]).to.deep.equal([12, 40, 0]);
  });

  it('survives depth that would overflow a recursion', () => {
    const depth = 20_000;
    const value = `${'{"L":['.repeat(depth)}{"N":"1"}${']}'.repeat(depth)}`;
    const { batch } = decode(`{"Items":[{"deep":${value},"a":{"S":"x"}}]}`, ['a'], ['deep']);
    expect(rows(batch)[0]?.[0]).to.deep.equal(['S', 'x']);
    expect(rows(batch)[0]?.[1]?.[1]).to.equal(`${'['.repeat(depth)}1${']'.repeat(depth)}`);
  });

  it('takes the last of two attributes with one name, as JSON does', () => {
    for (const space of ['', ' ']) {
      const text = `{"Items":[{"a":{"M":{"x":{"S":"1"}}},"a":${space}{"S":"2"}}]}`;
      expect(rows(decode(text, ['a'], ['a', 'x']).batch)).to.deep.equal([
        [
          ['S', '2'],
          [null, null],
        ],
      ]);
    }
  });

  it('writes numbers as JSON numbers, digit for digit where JSON allows them', () => {
    const text =
      '{"Items":[{"a":{"L":[{"N":"1E+2"},{"N":"-0.50"},{"N":"+1"},{"N":".5"},{"N":"007"},{"N":"12345678901234567890123456789012345678"}]}}]}';
    expect(rows(decode(text, ['a']).batch)[0]?.[0]?.[1]).to.equal(
      '[1E+2,-0.50,1,0.5,7,12345678901234567890123456789012345678]',
    );
  });

  it('tells attributes that are not known, with their types', () => {
    const decoder = createPageDecoder(columnsOf(['a'], ['seen']), ['a', 'b']);
    decoder.decode(Buffer.from('{"Items":[{"a":{"S":"x"},"b":{"S":"y"},"new":{"N":"1"},"seen":{"S":"s"}}]}'));
    decoder.decode(Buffer.from('{"Items":[{"new":{"M":{}}}, {"other":{"BOOL":true}}]}'));
    expect(Object.fromEntries(decoder.discovered())).to.deep.equal({
      new: (1 << TypeCode.N) | (1 << TypeCode.M),
      other: 1 << TypeCode.BOOL,
      seen: 1 << TypeCode.S,
    });
  });

  it('refuses what is no answer of DynamoDB', () => {
    const bodies = [
      '', 'x', '[]', 'null', '{"Items":[{"a":{"S":"x"}}]', '{"Items":[{"a":{"S":"x"}}]}}', '{"Items":{}}', '{"Items":[1]}',
      '{"Items":[{"a":"x"}]}', '{"Items":[{"a":{"S":1}}]}', '{"Items":[{"a":{"X":"x"}}]}', '{"Items":[{"a":{}}]}',
      '{"Items":[{"a":{"S":"x","N":"1"}}]}', '{"Items":[{"a":{"L":[{"S":"x"]}}]}', '{"Items":[{"a":{"S":"\\q"}}]}',
      '{"Items":[{"a":{"SS":["x",1]}}]}', '{"Items":[{"a":{"BOOL":"true"}}]}', '{"Items":[],"Count":"1"}',
      '{"Items":[],"LastEvaluatedKey":[]}', '{"Items":[],"ConsumedCapacity":{"CapacityUnits":"1"}}',
      '{"Items":[{"a":{"S":"x"}},]}', '{"Items":[{"a":{"S":"x"}} {"a":{"S":"y"}}]}', '{"Responses":[]}',
    ]; // oxfmt-ignore
    for (const body of bodies) expect(() => decode(body, ['a']), body).to.throw(MalformedBodyError);
    const notUtf8 = Buffer.concat([
      Buffer.from('{"Items":[{"a":{"S":"'),
      Buffer.from([0xff]),
      Buffer.from('"}}]}'),
    ]);
    expect(() => createPageDecoder(columnsOf(['a'])).decode(notUtf8)).to.throw(MalformedBodyError);
  });

  it('never makes rows of a damaged body', () => {
    const random = seededRandom(SEED);
    const columns = columnsOf(...WANTED.map((name) => [name]));
    for (let round = 0; round < 1500; round++) {
      // Without names that need escapes, so that the fast path has its share.
      const names = random.chance(0.7) ? ['pk', 'amount', 'other', 'größe'] : undefined;
      const items = generatedItems(random, 1 + random.int(3), 2, names);
      const text = JSON.stringify({ Items: items, Count: items.length });
      const at = random.int(text.length);
      const damaged = random.chance(0.5)
        ? text.slice(0, at) +
          random.pick(['', '"', '{', '}', '[', ']', ',', ':', 'x', ' ']) +
          text.slice(at + 1)
        : text.slice(0, at);
      // Escapes in values that nobody asked for are not looked at; all else of the structure is.
      const whole = parsed(damaged) ?? parsed(damaged.replace(/\\./g, 'xx'));
      try {
        const { batch } = createPageDecoder(columns).decode(Buffer.from(damaged));
        expect(whole, damaged).to.not.equal(null);
        expect(batch.rowCount, damaged).to.equal(Array.isArray(whole?.Items) ? whole.Items.length : 0);
      } catch (error) {
        expect(error, damaged).to.be.instanceOf(MalformedBodyError);
      }
    }
  });
});
