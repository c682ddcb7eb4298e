import { expect } from 'chai';
import { estimated, sayEstimate } from '../../../src/console/web/pages/query/estimate/say-estimate.ts';
import { parsePlan } from '../../../src/console/web/pages/query/plan/parse-plan.ts';
import { plan } from '../pictures/states/query-answers.ts';

describe('what a statement will cost, in words', () => {
  const said = (low: number, expected: number, high: number, limit: number | null = null): string =>
    sayEstimate({ low, expected, high }, limit).text;

  it('is a number, or a range that is narrow', () => {
    expect(said(0, 0, 0)).to.equal('Reads nothing: 0 units');
    expect(said(1, 1, 1)).to.equal('1 unit');
    expect(said(0.5, 0.5, 0.5)).to.equal('0.5 units');
    expect(said(5_125, 5_300, 5_760)).to.equal('About 5,125–5,760 units');
  });

  it('is what is expected where the range is wide, so that a keyed read does not look like a scan', () => {
    expect(said(0.5, 55, 725)).to.equal('About 55 units (0.5 to 725)');
    expect(said(0.5, 1, 61.5)).to.equal('About 1 unit (0.5 to 61.5)');
  });

  it('warns where more than the limit is expected, and says what stops the rest', () => {
    expect(sayEstimate({ low: 0.5, expected: 55, high: 725 }, 100)).to.deep.equal({
      text: 'About 55 units (0.5 to 725), stopped at your 100',
      isDear: false,
    });
    expect(sayEstimate({ low: 593, expected: 659, high: 725 }, 100)).to.deep.equal({
      text: 'About 593–725 units over your 100',
      isDear: true,
    });
    expect(sayEstimate({ low: 1, expected: 2, high: 5 }, 100).text).to.equal('About 2 units (1 to 5)');
  });

  it('expects what the reads of the plan do, within its range', () => {
    const tree = parsePlan(plan);
    const { expected } = estimated(tree, { low: 5_125, high: 5_760 });
    expect(expected).to.be.within(5_125, 5_760);
    expect(estimated(tree, { low: 0, high: 10 }).expected).to.equal(10);
    expect(estimated(null, { low: 3, high: 7 }).expected).to.equal(7);
  });
});
