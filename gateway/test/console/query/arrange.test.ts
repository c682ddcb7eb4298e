import { expect } from 'chai';
import { ARRANGED_ROWS_MAX } from '../../../src/console/web/pages/query/limits.ts';
import { arranged, arrangedRows } from '../../../src/console/web/pages/query/result/arrange.ts';
import { createCellReader } from '../../../src/console/web/pages/query/result/cell-reader.ts';
import { createRowStore } from '../../../src/console/web/pages/query/result/row-store.ts';

function stored(lines: readonly string[]) {
  const store = createRowStore(() => undefined);
  store.add(new TextEncoder().encode(lines.map((line) => `${line}\n`).join('')));
  return store;
}

describe('rows that are here', () => {
  const BIG = '12345678901234567890123456789012345678';
  const store = stored([
    `["b",${BIG}.2]`,
    '["a",-1]',
    '[null,null]',
    `["B",${BIG}.10]`,
    '["a",-1.5]',
    '["c",9]',
    '["a","text"]',
    `["\\u00e9t\\u00e9 ${'x'.repeat(2_000)} End",10]`,
  ]);
  const reader = createCellReader(store);
  const sorted = (column: number, isDescending: boolean): readonly number[] =>
    arrangedRows(reader, store.rowCount, 2, { sorting: { column, isDescending }, filter: '' });

  it('are sorted by numbers digit by digit, other values behind, NULL last in both directions', () => {
    expect(sorted(1, false)).to.deep.equal([4, 1, 5, 7, 3, 0, 6, 2]);
    expect(sorted(1, true)).to.deep.equal([6, 0, 3, 7, 5, 1, 4, 2]);
  });

  it('are sorted by text, equal ones as they came', () => {
    expect(sorted(0, false)).to.deep.equal([3, 1, 4, 6, 0, 5, 7, 2]);
  });

  it('are found by what a cell has, whatever the case, to the end of a long value', () => {
    const found = (filter: string): readonly number[] =>
      arrangedRows(reader, store.rowCount, 2, { sorting: null, filter });
    expect(found('b')).to.deep.equal([0, 3]);
    expect(found('ÉTÉ')).to.deep.equal([7]);
    expect(found('x end')).to.deep.equal([7]);
    expect(found('-1.5')).to.deep.equal([4]);
    expect(found('null')).to.deep.equal([]);
  });

  it('are a result of their own, for which nothing more is read', () => {
    const wanted: number[] = [];
    const run = {
      rows: store,
      rowCount: { value: store.rowCount, peek: () => store.rowCount },
      columns: { value: [{ name: 'a', type: '' }, { name: 'b', type: '' }], peek: () => [] }, // oxfmt-ignore
      want: (rows: number) => void wanted.push(rows),
    } as unknown as Parameters<typeof arranged>[0];
    const view = arranged(run, { sorting: { column: 0, isDescending: true }, filter: 'a' });
    const texts = Array.from({ length: view.rowCount.value }, (_, at) =>
      new TextDecoder().decode(view.rows.row(at)),
    );
    expect(texts).to.deep.equal(['["a",-1]', '["a",-1.5]', '["a","text"]']);
    expect(() => view.rows.row(3)).to.throw(RangeError);
    view.want(1_000_000);
    expect(wanted).to.deep.equal([]);
  });

  it('are arranged as many as a page can at once', () => {
    const many = stored(Array.from({ length: ARRANGED_ROWS_MAX + 5 }, (_, at) => `[${at}]`));
    const rows = arrangedRows(createCellReader(many), many.rowCount, 1, {
      sorting: { column: 0, isDescending: true },
      filter: '',
    });
    expect([rows.length, rows[0]]).to.deep.equal([ARRANGED_ROWS_MAX, ARRANGED_ROWS_MAX - 1]);
  });
});
