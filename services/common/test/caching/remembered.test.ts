import { expect } from 'chai';
import { remembered } from '../../src/caching/remembered.ts';

describe('remembered', () => {
  it('works an answer out once for each object, also where it is false or null', () => {
    const asked: unknown[] = [];
    const [a, b] = [{ answer: false }, { answer: null }];
    const answerOf = remembered((key: { readonly answer: boolean | null }) => {
      asked.push(key);
      return key.answer;
    });
    expect([answerOf(a), answerOf(b), answerOf(a), answerOf(b)]).to.deep.equal([false, null, false, null]);
    expect(asked).to.deep.equal([a, b]);
  });

  it('takes objects that are alike for different ones, and keeps no answer of what threw', () => {
    let times = 0;
    const count = remembered((key: { readonly fails?: boolean }) => {
      times += 1;
      if (key.fails === true && times < 3) throw new Error('not yet');
      return times;
    });
    const failing = { fails: true };
    expect(count({})).to.equal(1);
    expect(() => count(failing)).to.throw('not yet');
    expect(count(failing)).to.equal(3);
    expect(count(failing)).to.equal(3);
  });
});
