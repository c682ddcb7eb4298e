import { expect } from 'chai';
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { createAdmission } from '../../src/execution/admission.ts';
import { createUnitMeter } from '../../src/execution/unit-meter.ts';

const never = new AbortController().signal;

describe('admission of queries', () => {
  it('lets as many in as may run, then makes them wait in order', async () => {
    const admission = createAdmission({ running: 1, waiting: 2, retryAfterS: 1 });
    const leave = await admission.enter(never);
    const order: string[] = [];
    const second = admission.enter(never).then((leaveSecond) => (order.push('second'), leaveSecond()));
    const third = admission.enter(never).then((leaveThird) => (order.push('third'), leaveThird()));
    expect(admission.waiting).to.equal(2);
    leave();
    leave();
    await Promise.all([second, third]);
    expect(order).to.deep.equal(['second', 'third']);
    expect([admission.running, admission.waiting]).to.deep.equal([0, 0]);
  });

  it('refuses those that too many wait before, and says when to try again', async () => {
    const admission = createAdmission({ running: 1, waiting: 0, retryAfterS: 3 });
    await admission.enter(never);
    const error = await admission.enter(never).then(
      () => null,
      (refused: unknown) => refused,
    );
    expect(error).to.be.instanceOf(PenstockError).with.property('code', 'RESOURCE_EXHAUSTED');
    expect(error).to.have.property('retryAfterS', 3);
  });

  it('forgets one that gives up waiting', async () => {
    const admission = createAdmission({ running: 1, waiting: 5, retryAfterS: 1 });
    const leave = await admission.enter(never);
    const giving = new AbortController();
    const waiting = admission.enter(giving.signal).catch((reason: unknown) => reason);
    giving.abort(new PenstockError('CANCELLED', 'gone'));
    expect(await waiting).to.have.property('code', 'CANCELLED');
    leave();
    expect([admission.running, admission.waiting]).to.deep.equal([0, 0]);
  });
});

describe('the unit meter', () => {
  it('stops a query once it has consumed more than it may, and counts that too', () => {
    const meter = createUnitMeter(1.5);
    meter.add(3);
    expect(() => meter.add(1))
      .to.throw(PenstockError)
      .with.property('code', 'READ_UNIT_LIMIT');
    expect(meter.halfUnits).to.equal(4);
  });

  it('takes 0 for no units at all', () => {
    expect(() => createUnitMeter(0).add(1)).to.throw(PenstockError);
  });
});
