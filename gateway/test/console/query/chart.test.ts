import { expect } from 'chai';
import { chartData, choiceFor } from '../../../src/console/web/pages/query/chart/series.ts';
import { createCellReader } from '../../../src/console/web/pages/query/result/cell-reader.ts';
import { createRowStore } from '../../../src/console/web/pages/query/result/row-store.ts';

const MONTH = { name: 'month', type: 'DATE' };
const REGION = { name: 'region', type: 'VARCHAR' };
const TOTAL = { name: 'total', type: 'DECIMAL(9,2)' };
const ORDERS = { name: 'orders', type: 'BIGINT' };
const [JAN, FEB] = [Date.UTC(2026, 0, 1) / 1_000, Date.UTC(2026, 1, 1) / 1_000];
const BY_REGION = [
  ['2026-02-01', 'south', 40],
  ['2026-01-01', 'north', 10],
  ['2026-01-01', 'south', 20],
  ['2026-02-01', 'north', 30],
  ['2026-02-01', null, 1],
];

/** Drawn as it is proposed. */
function drawn(columns: readonly { name: string; type: string }[], rows: readonly (readonly unknown[])[]) {
  const store = createRowStore(() => undefined);
  store.add(new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
  const choice = choiceFor(columns);
  if (choice === null) throw new Error('nothing to draw');
  return chartData(columns, createCellReader(store), rows.length, choice);
}

describe('a chart of a result', () => {
  it('has a line for each region where each month has a row for each, the largest first, with gaps', () => {
    const { x, series, by, axis } = drawn([MONTH, REGION, TOTAL], BY_REGION);
    expect([axis, x, by]).to.deep.equal(['time', [JAN, FEB], { name: 'region', seriesLeftOut: 0 }]);
    expect(series).to.deep.equal([
      { name: 'south', values: [20, 40] },
      { name: 'north', values: [10, 30] },
      { name: 'NULL', values: [null, 1] },
    ]);
  });

  it('has bars side by side where the months are text', () => {
    const rows = BY_REGION.map(([month, ...rest]) => [`${String(month).slice(0, 7)}`, ...rest]);
    const { labels, x, series } = drawn([{ ...MONTH, type: 'VARCHAR' }, REGION, TOTAL], rows);
    expect([labels, x]).to.deep.equal([
      ['2026-02', '2026-01'],
      [0, 1],
    ]);
    expect(series[0]).to.deep.equal({ name: 'south', values: [40, 20] });
  });

  it('draws the largest series where there are more than can be told apart, and says how many are left out', () => {
    const rows = Array.from({ length: 18 }, (_, i) => [`2026-0${1 + (i % 2)}-01`, `r${i >> 1}`, i]);
    const { series, by } = drawn([MONTH, REGION, TOTAL], rows);
    expect(series.map(({ name }) => name)).to.deep.equal(['r8', 'r7', 'r6', 'r5', 'r4', 'r3']);
    expect(by).to.deep.equal({ name: 'region', seriesLeftOut: 3 });
  });

  it('is one series where each place has one row, and where nothing tells rows apart', () => {
    const one = drawn([MONTH, REGION, ORDERS], BY_REGION.slice(0, 2));
    expect([one.by, one.x, one.series]).to.deep.equal([
      null,
      [JAN, FEB],
      [{ name: 'orders', values: [10, 40] }],
    ]);
    const same = drawn([REGION, ORDERS], [['north', 1], ['north', 2], ['south', 3]]); // oxfmt-ignore
    expect([same.by, same.labels, same.x]).to.deep.equal([null, ['north', 'north', 'south'], [0, 1, 2]]);
    expect(same.series[0]?.values).to.deep.equal([1, 2, 3]);
  });
});
