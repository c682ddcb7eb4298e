import { expect } from 'chai';
import { createUnitCount } from '../../../src/host/queries/unit-count.ts';

describe('the units of a query', () => {
  it('are one sum until they are recorded, and late after that', () => {
    const late: number[] = [];
    const units = createUnitCount((halfUnits) => void late.push(halfUnits));
    units.add(3);
    units.add(0);
    units.add(4);
    expect(units.close()).to.equal(7);
    expect(late).to.deep.equal([]);
    units.add(2);
    expect(late).to.deep.equal([2]);
    expect(units.halfUnits).to.equal(9);
  });
});
