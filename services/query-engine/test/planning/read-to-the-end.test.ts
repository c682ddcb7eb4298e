import { expect } from 'chai';
import { chooseRead } from '../../src/dynamodb/choose-read.ts';
import type { Expression } from '../../src/logical/expression.ts';
import type { TableScan } from '../../src/logical/plan.ts';
import { readingToTheEnd } from '../../src/planning/read-to-the-end.ts';
import { catalogTable, col, eq, index, tableScan } from '../dynamodb/fixtures.ts';

/** Of 10 GB: scanned in five segments where they are read to the end. */
const TABLE = catalogTable('pk:S, sk:N', {
  itemCount: 25_000_000,
  sizeBytes: 10_000_000_000,
  indexes: [index('by_a', 'a:S', { projection: 'KEYS_ONLY' })],
});
const NAMES = ['pk', 'sk', 'a', 'v'];

const scan = (filter: readonly Expression[], limitHint: number | null): TableScan =>
  tableScan(TABLE, NAMES, { filter, limitHint });
const plainly = (of: TableScan) => chooseRead(of, { consistent: false, pushdown: true });
const toTheEnd = readingToTheEnd(plainly);

/** No read can tell whether it is so. */
const UNSURE: Expression = { kind: 'FunctionCall', name: 'BOOL', arguments: [col('v')] };

describe('reads below LIMIT where everything is read before anything is computed', () => {
  it('cost all that they read where rows are still to be checked, in one order', () => {
    const limited = scan([UNSURE], 1);
    expect(plainly(limited).estimate.units).to.be.below(100);
    const read = toTheEnd(limited);
    expect(read.estimate.units).to.equal(plainly(scan([], null)).estimate.units);
    expect(plainly(scan([], null)).path).to.deep.equal({ kind: 'Scan', index: null, segments: 5 });
    expect(read.path).to.deep.equal({ kind: 'Scan', index: null, segments: 1 });
  });

  it('stop where each row counts', () => {
    for (const limited of [scan([], 3), scan([eq('pk', 'x')], 3)])
      expect(toTheEnd(limited)).to.deep.equal(plainly(limited));
    expect(toTheEnd(scan([], 3)).stopAfter).to.equal(3);
  });

  it('are none where no row is needed', () => {
    expect(toTheEnd(scan([UNSURE], 0)).path.kind).to.equal('Nothing');
  });

  it('look up no keys that a LIMIT keeps from being counted', () => {
    const limited = scan([eq('a', 'x'), UNSURE], 200);
    expect(plainly(scan(limited.filter, null)).path.kind).to.equal('IndexLookup');
    expect(toTheEnd(limited)).to.deep.equal(plainly(limited));
  });

  it('are as they were where no LIMIT is said', () => {
    const unlimited = scan([UNSURE], null);
    expect(toTheEnd(unlimited)).to.deep.equal(plainly(unlimited));
  });
});
