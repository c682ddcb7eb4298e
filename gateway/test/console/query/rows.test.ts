import { expect } from 'chai';
import { createCellReader } from '../../../src/console/web/pages/query/result/cell-reader.ts';
import { CELL_CHARS_MAX } from '../../../src/console/web/pages/query/limits.ts';
import { asJson, asTsv } from '../../../src/console/web/pages/query/result/copy-cells.ts';
import { rowFields } from '../../../src/console/web/pages/query/result/row-fields.ts';
import { resultLine } from '../../../src/console/web/pages/query/result/result-lines.ts';
import { createRowStore } from '../../../src/console/web/pages/query/result/row-store.ts';

const DIGITS = '12345678901234567890123456789012345678';
const HEADER = { columns: ['a', 'b', 'a'], columnTypes: ['VARCHAR', 'DECIMAL(38,0)', 'JSON'] };
const ROWS = [
  ['"x\\"y,[z]{\\u0041"', DIGITS, '{"n":[1,{"m":"]"}]}'],
  ['""', 'null', '[]'],
  [`"${'é'.repeat(2_000)}"`, '-0.50', 'true'],
].map((cells) => `[${cells.join(',')}]`);
const END = { rows: 3, readUnits: 0.5, planTime: 1, execTime: 2 };
const TEXT = [JSON.stringify(HEADER), ...ROWS, JSON.stringify(END), ''].join('\n');

/** Takes the stream in pieces of so many bytes. */
function stored(text: string, pieceBytes: number) {
  const others: unknown[] = [];
  const store = createRowStore((line) => others.push(resultLine(line)));
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) store.add(bytes.slice(at, at + pieceBytes));
  return { store, others };
}

describe('rows of a streamed result', () => {
  for (const pieceBytes of [1, 7, 64, 1_000_000]) {
    it(`are whole however the stream is cut: every ${pieceBytes} bytes`, () => {
      const { store, others } = stored(TEXT, pieceBytes);
      expect(store.rowCount).to.equal(3);
      expect(ROWS.map((_, at) => new TextDecoder().decode(store.row(at)))).to.deep.equal(ROWS);
      expect(others).to.deep.equal([
        {
          kind: 'columns',
          columns: HEADER.columns.map((name, i) => ({ name, type: HEADER.columnTypes[i] })),
        },
        { kind: 'end', end: END },
      ]);
      expect(() => store.row(3)).to.throw(RangeError);
    });
  }

  it('may have more columns from some row on', () => {
    const more = { columns: ['a', 'rare'], columnTypes: ['BIGINT', 'VARCHAR'] };
    const text = `{"columns":["a"],"columnTypes":["BIGINT"]}\n[1]\n[2]\n${JSON.stringify(more)}\n[3,"here"]\n[4]\n`;
    for (const pieceBytes of [1, 9, 1_000]) {
      const { store, others } = stored(text, pieceBytes);
      expect(store.rowCount).to.equal(4);
      expect(others.at(-1)).to.deep.equal({
        kind: 'columns',
        columns: [
          { name: 'a', type: 'BIGINT' },
          { name: 'rare', type: 'VARCHAR' },
        ],
      });
      const reader = createCellReader(store);
      expect([0, 2, 3].map((row) => reader.cell(row, 1).text)).to.deep.equal(['null', 'here', 'null']);
      expect(reader.cell(3, 0).text).to.equal('4');
    }
  });

  it('may be followed by why there are no more', () => {
    const { store, others } = stored('[1]\n{"error":"Stopped","detailedError":"after 3 units"}\n', 5);
    expect(store.rowCount).to.equal(1);
    expect(others).to.deep.equal([
      { kind: 'problem', problem: { kind: 'refused', message: 'Stopped', detail: 'after 3 units' } },
    ]);
  });

  it('keep every digit, tell NULL from empty text, and show the beginning of what is long', () => {
    const reader = createCellReader(stored(TEXT, 100).store);
    expect(reader.cell(0, 0)).to.deep.equal({ kind: 'text', text: 'x"y,[z]{A', isCut: false });
    expect(reader.cell(0, 1)).to.deep.equal({ kind: 'number', text: DIGITS, isCut: false });
    expect(reader.cell(0, 2)).to.include({ kind: 'document', text: '{"n":[1,{"m":"]"}]}' });
    expect(reader.cell(1, 0)).to.include({ kind: 'text', text: '' });
    expect(reader.cell(1, 1).kind).to.equal('null');
    expect(reader.cell(2, 0)).to.deep.equal({ kind: 'text', text: 'é'.repeat(CELL_CHARS_MAX), isCut: true });
    expect(reader.cell(2, 1).text).to.equal('-0.50');
    expect(reader.cell(2, 2).kind).to.equal('boolean');
    expect(reader.whole(2, 0)).to.equal('é'.repeat(2_000));
    expect(reader.whole(1, 1)).to.equal(null);
  });

  it('show the beginning of a long text that is cut within an escape', () => {
    const escaped = '\\ud83d\\ude00'.repeat(300);
    const reader = createCellReader(stored(`["${escaped}"]\n`, 64).store);
    const { text, isCut } = reader.cell(0, 0);
    expect(isCut).to.equal(true);
    expect(text).to.match(/^(?:😀)+/u);
  });

  it('are a form each, of all columns: what is long and documents are folded, NULL is no empty text', () => {
    const reader = createCellReader(stored(TEXT, 100).store);
    const columns = HEADER.columns.map((name, i) => ({ name, type: HEADER.columnTypes[i] ?? '' }));
    const shown = (row: number) =>
      rowFields(reader, columns, row).map(({ column, cell, isFolded }) => [column.name, cell.kind, isFolded]);
    expect(shown(0)).to.deep.equal([
      ['a', 'text', false],
      ['b', 'number', false],
      ['a', 'document', true],
    ]);
    expect(shown(1)).to.deep.equal([
      ['a', 'text', false],
      ['b', 'null', false],
      ['a', 'document', true],
    ]);
    expect(shown(2)[0]).to.deep.equal(['a', 'text', true]);
    expect(rowFields(reader, columns, 0)[1]?.cell.text).to.equal(DIGITS);
    expect(() => rowFields(reader, columns, 3)).to.throw(RangeError);
  });

  it('are copied as TSV and JSON, whole and exact', () => {
    const reader = createCellReader(stored(TEXT, 100).store);
    const columns = HEADER.columns.map((name) => ({ name, type: '' }));
    const two = { firstRow: 0, lastRow: 1, firstColumn: 0, lastColumn: 2 };
    expect(asTsv(reader, columns, two)).to.equal(
      `a\tb\ta\n"x""y,[z]{A"\t${DIGITS}\t"{""n"":[1,{""m"":""]""}]}"\n\t\t[]`,
    );
    expect(asJson(reader, columns, two)).to.equal(
      `[\n  { "a": "x\\"y,[z]{\\u0041", "b": ${DIGITS}, "a_2": {"n":[1,{"m":"]"}]} },\n  { "a": "", "b": null, "a_2": [] }\n]`,
    );
    const one = { firstRow: 0, lastRow: 0, firstColumn: 1, lastColumn: 1 };
    expect([asTsv(reader, columns, one), asJson(reader, columns, one)]).to.deep.equal([DIGITS, DIGITS]);
  });
});
