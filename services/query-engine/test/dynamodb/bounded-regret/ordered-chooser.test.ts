import { expect } from 'chai';
import {
  decideOrdered,
  orderedUnitsMax,
  type OrderedCounts,
  type OrderedJob,
} from '../../../src/dynamodb/bounded-regret/ordered-chooser.ts';
import { SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { seededRandom } from '../random.ts';

const job = (more: Partial<OrderedJob> = {}): OrderedJob => ({
  rows: 5,
  certainUnits: 100,
  unitsPerItem: 0.5,
  passingPart: 0.1,
  isWithin: false,
  ...more,
});

interface Walk {
  readonly spent: number;
  readonly total: number;
  readonly isEnough: boolean;
  readonly batches: readonly number[];
}

/** Follows the order over items of which some pass; the certain read takes over where it is told to. */
function walk(asked: OrderedJob, passes: (item: number) => boolean, items = Infinity): Walk {
  const history: OrderedCounts[] = [];
  const batches: number[] = [];
  let [read, passed, units] = [0, 0, 0];
  for (;;) {
    const decision = decideOrdered(asked, history);
    if (decision.kind === 'enough') return { spent: units, total: units, isEnough: true, batches };
    if (decision.kind === 'fallback' || read >= items)
      return { spent: units, total: units + asked.certainUnits, isEnough: false, batches };
    batches.push(decision.items);
    const end = Math.min(items, read + decision.items);
    for (let item = read; item < end; item++) if (passes(item)) passed++;
    // A page rounds up.
    units += Math.ceil((end - read) * asked.unitsPerItem * 2) / 2;
    read = end;
    history.push({ read, passed, units });
  }
}

describe('how far a read in order is followed', () => {
  it('asks first for what is likely to be enough, and for few where that is much', () => {
    expect(decideOrdered(job({ passingPart: 0.9 }), [])).to.deep.equal({ kind: 'read', items: 7 });
    expect(decideOrdered(job({ passingPart: 0.001 }), [])).to.deep.equal({ kind: 'read', items: 8 });
    expect(decideOrdered(job({ rows: 30, passingPart: 0.5 }), [])).to.deep.equal({ kind: 'read', items: 30 });
    // A page of half a unit holds 32 of them.
    expect(decideOrdered(job({ unitsPerItem: 1 / 64, passingPart: 0.01 }), [])).to.deep.equal({
      kind: 'read',
      items: 32,
    });
  });

  it('has enough with the last row that is needed', () => {
    expect(decideOrdered(job(), [{ read: 8, passed: 5, units: 4 }])).to.deep.equal({ kind: 'enough' });
    expect(decideOrdered(job(), [{ read: 8, passed: 4, units: 4 }]).kind).to.equal('read');
  });

  it('is left once the probe is over and what is left is projected above the certain read', () => {
    expect(decideOrdered(job(), [{ read: 16, passed: 0, units: 8 }]).kind).to.equal('read');
    expect(decideOrdered(job(), [{ read: 22, passed: 0, units: 11 }])).to.deep.equal({ kind: 'fallback' });
    expect(decideOrdered(job(), [{ read: 22, passed: 1, units: 11 }]).kind).to.equal('read');
  });

  it('goes by what came last: the order may go with what passes', () => {
    const rows = 30;
    const history = [
      { read: 20, passed: 10, units: 10 },
      { read: 40, passed: 10, units: 20 },
    ];
    expect(decideOrdered(job({ rows }), history)).to.deep.equal({ kind: 'fallback' });
    const steady = [
      { read: 20, passed: 5, units: 10 },
      { read: 40, passed: 10, units: 20 },
    ];
    expect(decideOrdered(job({ rows }), steady).kind).to.equal('read');
  });

  it('spends no more than the probe before it is over, and no more than the certain read after it', () => {
    const decision = decideOrdered(job({ rows: 100 }), [{ read: 16, passed: 1, units: 8 }]);
    expect(decision).to.deep.equal({ kind: 'read', items: 4 });
  });

  it('is not left where all of it costs no more than the certain read', () => {
    const done = walk(job({ isWithin: true, certainUnits: 20, unitsPerItem: 0.125 }), () => false, 160);
    expect(done.spent).to.be.within(20, 24);
    expect(done.batches.reduce((sum, items) => sum + items, 0)).to.be.at.least(160);
  });

  it('finds what is near at once, and what is nowhere for a tenth more', () => {
    const near = walk(job(), () => true);
    expect(near).to.deep.include({ spent: 4, isEnough: true });
    const nowhere = walk(job(), () => false);
    expect(nowhere.isEnough).to.equal(false);
    expect(nowhere.total).to.be.within(110, 112);
    const seldom = walk(job(), (item) => item % 12 === 11);
    expect(seldom).to.deep.include({ isEnough: true });
    expect(seldom.spent).to.be.below(40);
  });

  it('needs few round trips', () => {
    expect(walk(job({ certainUnits: 10_000 }), (item) => item % 500 === 499).batches.length).to.be.below(14);
  });

  it('needs few round trips also where nothing passes any more after most have passed', () => {
    // It asked for what was likely to be enough, by all that had passed before: 119 times.
    const asked = job({ rows: 78, certainUnits: 3405.5, unitsPerItem: 0.03125, passingPart: 0.9 });
    const done = walk(asked, (item) => item < 75);
    expect(done.batches.length, JSON.stringify(done)).to.be.below(20);
  });

  it('spends no batch beyond a quarter more than the certain read', () => {
    // It spent 116.5: the last batch began within 113.1, and ended beyond.
    const asked = job({ rows: 105, certainUnits: 90.5, unitsPerItem: 0.55, passingPart: 0.1 });
    for (let passing = 0; passing < 105; passing++) {
      const done = walk(asked, (item) => item % 2 === 0 && item < 2 * passing);
      expect(done.total, JSON.stringify(done)).to.be.at.most(orderedUnitsMax(asked) + 0.5);
    }
  });

  it(`stays within its bound, whatever passes (property, ${SEED_SHOWN})`, () => {
    const random = seededRandom(SEED);
    for (let round = 0; round < 5000; round++) {
      const unitsPerItem = [0.5, 1, 0.55, 0.03125, 0.125, 3][random.int(6)] ?? 1;
      const asked = job({
        rows: 1 + random.int([3, 20, 200][round % 3] ?? 1),
        certainUnits: 0.5 + random.int([4, 100, 5000][random.int(3)] ?? 1),
        unitsPerItem,
        passingPart: [0.9, 0.1, 0.001, 1 / 3][random.int(4)] ?? 0.1,
      });
      const part = random.int(1000) / 1000;
      // Clusters: nothing for long, or everything at first and nothing after.
      const turn = random.int(200);
      const passes = [
        () => random.int(1000) < 1000 * part,
        () => random.int(1000) < 20 * part,
        (item: number) => item >= turn,
        (item: number) => item < turn,
        () => false,
        (item: number) => item % 64 < turn / 10,
      ][random.int(6)] as (item: number) => boolean;
      const items = random.int(2) === 0 ? Infinity : random.int(2000);
      const done = walk(asked, passes, items);
      expect(done.total, JSON.stringify({ asked, done })).to.be.at.most(orderedUnitsMax(asked) + 0.5);
      for (const batch of done.batches) expect(batch).to.be.at.least(1);
      expect(walk(asked, passes, items).batches.length).to.be.below(60);
    }
  });

  it(`costs little more than the better of both, on average (property, ${SEED_SHOWN})`, () => {
    const random = seededRandom(SEED);
    let [spent, least] = [0, 0];
    for (let round = 0; round < 3000; round++) {
      const rows = 1 + random.int(20);
      const asked = job({ rows, certainUnits: 10 + random.int(1000), unitsPerItem: 0.55 });
      const part = 2 ** -random.int(12);
      // More than can be read for what the certain read costs, and a quarter.
      const length = Math.ceil((1.5 * asked.certainUnits) / asked.unitsPerItem) + 100;
      const flags = Array.from({ length }, () => random.int(4096) < part * 4096);
      let [needed, passed] = [0, 0];
      while (passed < rows && needed < flags.length) if (flags[needed++] === true) passed++;
      const exact = passed < rows ? Infinity : Math.ceil(needed * asked.unitsPerItem * 2) / 2;
      least += Math.min(exact, asked.certainUnits);
      spent += walk(asked, (item) => flags[item] === true).total;
    }
    expect(spent / least).to.be.below(1.25);
  });
});
