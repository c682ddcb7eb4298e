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

describe('a query that waits for its reader', () => {
  it('has no place meanwhile, and takes one again before its tenant begins others', async () => {
    const admission = createAdmission(classBounds({ places: 1 }));
    const slow = await admission.enter('a', never);
    slow.rest();
    slow.rest();
    expect(admission.running).to.equal(0);
    const other = await admission.enter('a', never);
    const order: string[] = [];
    const next = admission.enter('a', never).then((place) => {
      order.push('begins');
      return place;
    });
    const goingOn = slow.goOn().then(() => order.push('goes on'));
    other.leave();
    await goingOn;
    slow.leave();
    (await next).leave();
    expect(order).to.deep.equal(['goes on', 'begins']);
    expect([admission.running, admission.waiting]).to.deep.equal([0, 0]);
  });

  it('is never refused, however many wait', async () => {
    const admission = createAdmission(classBounds({ places: 1, waiting: 1 }));
    const slow = await admission.enter('a', never);
    slow.rest();
    const other = await admission.enter('b', never);
    const waiting = admission.enter('b', never);
    const goingOn = slow.goOn();
    const refused = await admission.enter('c', never).catch((error: unknown) => error);
    expect(refused).to.have.property('code', 'UNAVAILABLE');
    other.leave();
    await goingOn;
    slow.leave();
    (await waiting).leave();
    expect([admission.running, admission.waiting]).to.deep.equal([0, 0]);
  });

  it('becomes long with one place, whenever it turns out to be', async () => {
    const admission = createAdmission(classBounds({}, { places: 1 }));
    const scan = await admission.enter('b', never);
    await scan.promote();
    const slow = await admission.enter('a', never);
    const promoting = slow.promote();
    slow.rest();
    scan.leave();
    await slow.goOn();
    await promoting;
    expect([slow.workloadClass, admission.running, admission.runningShort]).to.deep.equal(['long', 1, 0]);
    const late = await admission.enter('a', never);
    late.rest();
    const becoming = late.promote();
    slow.leave();
    await late.goOn();
    await becoming;
    expect([late.workloadClass, admission.running, admission.runningShort]).to.deep.equal(['long', 1, 0]);
    late.leave();
    expect(admission.running).to.equal(0);
  });

  it('leaves nothing where it ends while it waits', async () => {
    const admission = createAdmission(classBounds({ places: 1 }));
    const gone = new AbortController();
    const slow = await admission.enter('a', gone.signal);
    slow.rest();
    const other = await admission.enter('b', never);
    const goingOn = slow.goOn().catch((reason: unknown) => reason);
    gone.abort(new PenstockError('CANCELLED', 'gone'));
    expect(await goingOn).to.have.property('code', 'CANCELLED');
    slow.leave();
    other.leave();
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
