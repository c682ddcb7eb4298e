import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { createAdmission } from '../../src/scheduling/admission.ts';
import { unitLimitOf } from '../../src/execution/unit-limit.ts';
import { createUnitMeter, limitedMeter } from '../../src/execution/unit-meter.ts';
import { classBounds } from './class-bounds.ts';

const never = new AbortController().signal;

describe('admission of queries', () => {
  it('lets a short query in while long ones fill their class', async () => {
    const admission = createAdmission(classBounds({ places: 1 }, { places: 1 }));
    const scan = await admission.enter('a', never);
    await scan.promote();
    const another = await admission.enter('a', never);
    void another.promote();
    const read = await admission.enter('b', never);
    expect(read.workloadClass).to.equal('short');
    expect([admission.running, admission.waiting]).to.deep.equal([2, 1]);
  });

  it('takes a query into the long class once, however many of its reads ask', async () => {
    const admission = createAdmission(classBounds({}, { places: 2 }));
    const query = await admission.enter('a', never);
    await Promise.all([query.promote(), query.promote()]);
    expect(query.workloadClass).to.equal('long');
    expect(admission.running).to.equal(1);
    query.leave();
    expect(admission.running).to.equal(0);
  });

  it('takes no place from others when a query that waits for the long class ends', async () => {
    const admission = createAdmission(classBounds({ places: 1 }, { places: 1 }));
    const scan = await admission.enter('a', never);
    await scan.promote();
    const giving = new AbortController();
    const waiting = await admission.enter('a', giving.signal);
    const going = waiting.promote().catch((reason: unknown) => reason);
    giving.abort(new PenstockError('CANCELLED', 'gone'));
    expect(await going).to.have.property('code', 'CANCELLED');
    waiting.leave();
    scan.leave();
    expect([admission.running, admission.waiting]).to.deep.equal([0, 0]);
  });
});

describe('the unit meter', () => {
  it('stops a query once it has consumed more than it may, and counts that too', () => {
    const meter = limitedMeter(createUnitMeter(), unitLimitOf(1.5, { reads: [] }));
    meter.add(3);
    expect(() => meter.add(1))
      .to.throw(PenstockError)
      .with.property('code', 'READ_UNIT_LIMIT');
    expect(meter.halfUnits).to.equal(4);
  });

  it('takes 0 for no units at all', () => {
    const meter = limitedMeter(createUnitMeter(), unitLimitOf(0, { reads: [] }));
    expect(() => meter.add(1)).to.throw(PenstockError);
  });
});
