import { expect } from 'chai';
import { decideAfter, decideBefore } from '../../../src/dynamodb/bounded-regret/choose-lookups.ts';
import {
  enterRound,
  leftOf,
  openLedger,
  type LookupLedger,
} from '../../../src/dynamodb/bounded-regret/ledger.ts';
import { planRound } from '../../../src/dynamodb/bounded-regret/plan-round.ts';
import { SEED, SEED_SHOWN } from '../../../../common/test/support/random-budget.ts';
import { seededRandom, type Random } from '../random.ts';
import { lookUp, unitsOfScan, type Lookups } from './simulate.ts';

const REGRET = 0.1;
const NO_PRIOR = { units: 0.5, weight: 0 };
const ledger = (keys: number, scan: number, prior = NO_PRIOR): LookupLedger =>
  openLedger({ keys, floor: 0.5, scan }, prior);

describe('whether keys are looked up', () => {
  it('is no question where their number alone tells that nothing is to be lost', () => {
    expect(decideBefore([ledger(12, 586)], 586)).to.equal('all');
    // A tenth more than the scan, and the four units of the least round that tries, are 648.6.
    expect(decideBefore([ledger(125, 586)], 586)).to.equal('all');
    expect(decideBefore([ledger(126, 586)], 586)).to.equal('goOn');
    // An index that is far smaller than what else is read
    expect(decideBefore([ledger(400, 20)], 586)).to.equal('all');
  });

  it('is none either where they cost almost as much as the certain path at least', () => {
    expect(decideBefore([ledger(879, 586)], 586)).to.equal('goOn');
    expect(decideBefore([ledger(880, 586)], 586)).to.equal('certainPath');
    expect(decideBefore([ledger(600, 586), ledger(600, 586)], 586)).to.equal('certainPath');
  });

  it('is answered by what the first of them cost', () => {
    const asked = ledger(400, 586);
    const cheap = enterRound(asked, { pages: 64, units: 32, done: 64, open: [] });
    expect(leftOf(cheap)).to.deep.equal({ least: 168, most: 586 + 168, expected: 168 });
    expect(decideAfter([cheap], 586)).to.equal('goOn');
    const dear = enterRound(asked, { pages: 40, units: 80, done: 40, open: [] });
    expect(leftOf(dear).expected).to.equal(706);
    expect(decideAfter([dear], 586)).to.equal('certainPath');
  });

  it('waits until trying has cost a tenth of the certain path, unless the keys cost twice as much as that', () => {
    const few = enterRound(ledger(400, 10_000), { pages: 4, units: 12, done: 4, open: [] });
    expect(decideAfter([few], 1000)).to.equal('goOn');
    const more = enterRound(ledger(400, 10_000), { pages: 8, units: 48, done: 8, open: [] });
    expect(decideAfter([more], 1000)).to.equal('certainPath');
    const notSo = enterRound(ledger(400, 10_000), { pages: 8, units: 32, done: 8, open: [] });
    expect(decideAfter([notSo], 1000)).to.equal('goOn');
  });

  it('takes a partition with more pages for half read', () => {
    const asked = enterRound(ledger(10, 5000), { pages: 4, units: 103, done: 3, open: [100] });
    // Six more as these four, and as much again as the open one has cost
    expect(leftOf(asked).expected).to.equal((6 * 103) / 4 + 100);
  });

  it('does not ask any more once what is left cannot cost more than the certain path', () => {
    const almost = enterRound(ledger(700, 586), { pages: 690, units: 350, done: 690, open: [] });
    expect(decideAfter([almost], 591)).to.equal('all');
  });

  it('does not go on forever where lookups read more than the certain path', () => {
    const spent = (units: number) =>
      enterRound(ledger(100, 10_000), { pages: 90, units, done: 90, open: [] });
    expect(decideAfter([spent(900)], 1000)).to.equal('goOn');
    expect(decideAfter([spent(1250)], 1000)).to.equal('certainPath');
  });

  it('is decided of all reads together that fall back on one path', () => {
    const one = enterRound(ledger(100, 586), { pages: 20, units: 60, done: 20, open: [] });
    expect(leftOf(one).expected).to.equal(240);
    expect(decideAfter([one, one], 586)).to.equal('goOn');
    expect(decideAfter([one, one, one], 586)).to.equal('certainPath');
  });
});

describe('a round of lookups', () => {
  it('is small until it is known what keys cost, and asks for small pages', () => {
    expect(planRound(ledger(400, 586), 586, 'goOn')).to.deep.equal({ requests: 32, pageUnits: 1 });
    expect(planRound(ledger(60, 50), 50, 'goOn')).to.deep.equal({ requests: 5, pageUnits: 1 });
    // A page that holds what the sample expects of a key spares a second one.
    const prior = { units: 3, weight: 2 };
    expect(planRound(ledger(400, 586, prior), 586, 'goOn')).to.deep.equal({ requests: 9, pageUnits: 6 });
  });

  it('asks for whole pages afterward, fewer at a time where they are large', () => {
    const cheap = enterRound(ledger(400, 586), { pages: 64, units: 32, done: 64, open: [] });
    expect(planRound(cheap, 586, 'goOn')).to.deep.equal({ requests: 32, pageUnits: null });
    const large = enterRound(ledger(400, 5860), { pages: 64, units: 2000, done: 64, open: [] });
    expect(planRound(large, 5860, 'goOn')).to.deep.equal({ requests: 8, pageUnits: null });
  });

  it('stays small where lookups may read more than the certain path', () => {
    const cheap = enterRound(ledger(400, 9000), { pages: 64, units: 64, done: 64, open: [] });
    expect(planRound(cheap, 640, 'goOn')).to.deep.equal({ requests: 16, pageUnits: 10 });
  });

  it('stays small where several reads together may read more than that', () => {
    const one = enterRound(ledger(400, 586), { pages: 64, units: 64, done: 64, open: [] });
    expect(planRound(one, 640, 'goOn', 586)).to.deep.equal({ requests: 32, pageUnits: null });
    expect(planRound(one, 640, 'goOn', 2 * 586)).to.deep.equal({ requests: 16, pageUnits: 10 });
  });
});

/** Items of a partition, by its number. */
const SHAPES: Readonly<Record<string, (i: number, random: Random) => number>> = {
  'unique keys': () => 1,
  '50 a partition': () => 50,
  Zipf: (i) => Math.max(1, Math.round(1000 / (i + 1))),
  'one partition with 90 %': (i) => (i === 0 ? 9000 : 2),
  'several kinds of items': (_, random) => (random.chance(0.1) ? 200 : 2),
  'keys that lead nowhere': (_, random) => (random.chance(0.7) ? 0 : 30),
};

/** Of 150 the mean is beyond 1.05 for one seed in twenty of some shapes, of a thousand for none that was met. */
const RUNS = 1_000;

function scenario(shape: string, random: Random, covered: number): Lookups | null {
  const partitions = random.pick([12, 60, 300, 1500]);
  const itemBytes = random.pick([100, 400, 1000, 3000]);
  const sizes = Array.from({ length: partitions }, (_, i) => (SHAPES[shape]?.(i, random) ?? 0) * itemBytes);
  const tableBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const asked = 1 + random.int(partitions);
  for (let i = sizes.length - 1; i > 0; i--) {
    const other = random.int(i + 1);
    [sizes[i], sizes[other]] = [sizes[other] ?? 0, sizes[i] ?? 0];
  }
  const certain = unitsOfScan(tableBytes * covered);
  if (certain < 2) return null;
  const average = tableBytes / partitions / 8192;
  const units = Math.max(0.5, average * random.pick([0.1, 1, 10]));
  const prior = { units, weight: random.pick([0, 2]) };
  return { partitions: sizes.slice(0, asked), itemBytes, tableBytes, certain, prior };
}

describe(`looking up under bounded regret, simulated (${SEED_SHOWN})`, () => {
  for (const [number, shape] of Object.keys(SHAPES).entries()) {
    it(`costs no more than the certain path, a tenth of it or half a unit a key, and a page a request: ${shape}`, () => {
      const random = seededRandom(SEED + number);
      let [units, least] = [0, 0];
      for (let run = 0; run < RUNS; run++) {
        const lookups = scenario(shape, random, 1);
        if (lookups === null) continue;
        const outcome = lookUp(lookups);
        const { certain, partitions } = lookups;
        const bound = certain + Math.max(REGRET * certain, partitions.length / 2) + 32 * 0.5;
        expect(outcome.units, JSON.stringify({ ...lookups, outcome })).to.be.at.most(bound);
        units += outcome.units;
        least += Math.min(certain, outcome.lookups);
      }
      expect(units / least).to.be.at.most(1.05);
    });

    it(`costs no more than 2.25 times it, and a round, where it may read more: ${shape}`, () => {
      const random = seededRandom(SEED + 100 + number);
      for (let run = 0; run < RUNS; run++) {
        const lookups = scenario(shape, random, 0.3);
        if (lookups === null) continue;
        const outcome = lookUp(lookups);
        const bound = 2.25 * lookups.certain + outcome.roundMax;
        expect(outcome.units, JSON.stringify({ ...lookups, outcome })).to.be.at.most(bound);
        // A round is no more than a quarter of it, or as few requests as there ever are.
        expect(outcome.roundMax).to.be.at.most(Math.max(32, lookups.certain / 2));
      }
    });
  }
});
