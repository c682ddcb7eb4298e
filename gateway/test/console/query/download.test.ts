import { expect } from 'chai';
import {
  csvField,
  csvHead as engineHead,
} from '../../../../services/query-engine/src/execution/results/row-format.ts';
import {
  keptRows,
  type Kept,
  type TextFormat,
} from '../../../src/console/web/pages/query/result/kept-rows.ts';
import { createRowStore } from '../../../src/console/web/pages/query/result/row-store.ts';
import { csvOfNdjson } from '../../../src/console/web/pages/query/result/rows-as-csv.ts';

const NAMES = ['a,b', '=name', 'c'];
const CELLS = [
  ['"=HYPERLINK(\\"http://x\\")"', '-5', 'null'],
  ['""', '-12345678901234567890123456789012345678.50', '{"a":[1,"x"]}'],
  ['"-5"', '"+1.5e-3"', '"@SUM(A1)"'],
  ['"\\tx"', '"line\\r\\nbreak"', 'true'],
  ['"-5+cmd|\' /C calc\'!A0"', '"＝1"', '"a \\"quoted\\", text"'],
  ['"\\r=1"', '"\\n=1"', '"a-b"'],
];
const NDJSON = [
  JSON.stringify({ columns: NAMES, columnTypes: ['VARCHAR', 'MIXED', 'MIXED'] }),
  ...CELLS.map((cells) => `[${cells.join(',')}]`),
  '{"rows":6,"readUnits":1,"planTime":1,"execTime":1}',
  '',
].join('\n');
const SAFE = [
  '"a,b",\'=name,c',
  '"\'=HYPERLINK(""http://x"")",-5,',
  '"",-12345678901234567890123456789012345678.50,"{""a"":[1,""x""]}"',
  "-5,+1.5e-3,'@SUM(A1)",
  '\'\tx,"line\r\nbreak",true',
  '\'-5+cmd|\' /C calc\'!A0,\'＝1,"a ""quoted"", text"',
  '"\'\r=1","\'\n=1",a-b',
  '',
].join('\r\n');

async function joined(content: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = '';
  for await (const part of content) text += typeof part === 'string' ? part : new TextDecoder().decode(part);
  return text;
}

async function* pieces(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const all = new TextEncoder().encode(text);
  for (let at = 0; at < all.length; at += bytes) yield all.slice(at, at + bytes);
}

describe('a result as a file', () => {
  const store = createRowStore(() => undefined);
  store.add(new TextEncoder().encode(NDJSON));
  const kept: Kept = {
    rows: store,
    rowCount: CELLS.length,
    columns: NAMES.map((name) => ({ name, type: '' })),
  };
  const made = (format: TextFormat): Promise<string> => joined(keptRows(kept, format));

  it('is made of the rows that are here as the engine would write it', async () => {
    const expected = CELLS.map((cells) => `${cells.map(csvField).join(',')}\r\n`).join('');
    expect(await made('csv')).to.equal(engineHead(NAMES) + expected);
    expect(await made('ndjson')).to.equal(CELLS.map((cells) => `[${cells.join(',')}]\n`).join(''));
  });

  it('has no formula in it for spreadsheets, and numbers as numbers', async () => {
    expect(await made('spreadsheet')).to.equal(SAFE);
  });

  for (const bytes of [1, 40, 100_000])
    it(`is the same for spreadsheets while it comes, ${bytes} bytes at a time`, async () => {
      expect(await joined(csvOfNdjson(pieces(NDJSON, bytes), 'spreadsheet'))).to.equal(SAFE);
    });

  it('is not made of a part of a result', async () => {
    const cut = NDJSON.split('\n').slice(0, 3).join('\n');
    for (const [text, said] of [
      [`${cut}\n`, /not whole/],
      [`${cut}\n{"error":"The query was stopped"}\n`, /^The query was stopped$/],
    ] as const) {
      const failure = await joined(csvOfNdjson(pieces(text, 50), 'spreadsheet')).catch(
        (error: unknown) => error,
      );
      expect((failure as Error).message).to.match(said);
    }
  });

  it('has the names of a result without rows', async () => {
    const [head = '', ...rest] = NDJSON.split('\n');
    const none = [head, rest.at(-2), ''].join('\n');
    expect(await joined(csvOfNdjson(pieces(none, 30), 'exact'))).to.equal('"a,b",=name,c\r\n');
  });
});
