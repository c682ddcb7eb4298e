import { expect } from 'chai';
import { createUnitCount } from '../../../src/host/queries/unit-count.ts';
import { NOTHING_JOURNALED, type JournalEntry } from '../../../src/host/read-journal/read-journal.ts';

describe('the units of a query', () => {
  it('are one sum until they are recorded, and late after that', () => {
    const late: number[] = [];
    const units = createUnitCount(NOTHING_JOURNALED, (halfUnits) => void late.push(halfUnits));
    const [lost, moved, answered, left] = [1, 2, 3, 4].map((query) => units.begin(1, query, () => 0));
    lost!(3);
    moved!(0);
    answered!(4);
    expect(units.close()).to.equal(7);
    expect(late).to.deep.equal([]);
    left!(2);
    expect(late).to.deep.equal([2]);
    expect(units.halfUnits).to.equal(9);
    // Nobody tells it twice.
    left!(2);
    expect(late).to.deep.equal([2]);
  });

  it('are known while attempts go on', () => {
    const units = createUnitCount(NOTHING_JOURNALED, () => undefined);
    expect([units.hasBegun, units.halfUnitsSoFar()]).to.deep.equal([false, 0]);
    let read = 2;
    const first = units.begin(1, 1, () => read);
    expect([units.hasBegun, units.halfUnitsSoFar(), units.halfUnits]).to.deep.equal([true, 2, 0]);
    read = 5;
    expect(units.halfUnitsSoFar()).to.equal(5);
    first(6);
    units.begin(2, 2, () => 1);
    expect([units.halfUnitsSoFar(), units.halfUnits]).to.deep.equal([7, 6]);
  });

  it('have an entry of their own in the journal where they are late, which ends where there are none', () => {
    const told: string[] = [];
    const entryOf = (id: string): JournalEntry => ({
      id,
      begin: (worker, query) => void told.push(`${id} begins ${worker}/${query}`),
      end: (query, halfUnits) => void told.push(`${id} ends ${query}: ${halfUnits}`),
      split: (query) => entryOf(`own-${query}`),
      close: () => void told.push(`${id} closes`),
    });
    const units = createUnitCount(
      entryOf('main'),
      (halfUnits, { id }) => void told.push(`${id}: ${halfUnits} late`),
    );
    const [first, second, third] = [1, 2, 3].map((query) => units.begin(9, query, () => 0));
    first!(3);
    units.close();
    second!(5);
    third!(0);
    expect(told).to.deep.equal([
      ...['main begins 9/1', 'main begins 9/2', 'main begins 9/3', 'main ends 1: 3'],
      ...['own-2 ends 2: 5', 'own-2: 5 late', 'own-3 ends 3: 0', 'own-3 closes'],
    ]);
  });
});
