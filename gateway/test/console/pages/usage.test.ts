import { expect } from 'chai';
import { usageRange } from '../../../src/validation/usage-range.ts';
import { amountsInForce, budgetUse, operatorsAmounts } from '../../../src/console/web/pages/usage/budget.ts';
import { changeInWords, changeOf } from '../../../src/console/web/pages/usage/change.ts';
import { csvOf } from '../../../src/console/web/pages/usage/csv.ts';
import {
  addDays,
  before,
  daysIn,
  isDate,
  latest,
  rangeProblem,
  thisMonth,
  type Range,
} from '../../../src/console/web/pages/usage/range.ts';

const NOON = Date.parse('2026-03-01T12:00:00.000Z');
const range = (startDate: string, endDate: string): Range => ({ startDate, endDate });

describe('The range of days on the Usage page', () => {
  it('has as many days as were asked for, the last of them today in UTC', () => {
    expect(latest(7, NOON)).to.deep.equal(range('2026-02-23', '2026-03-01'));
    expect(daysIn(latest(90, NOON))).to.equal(90);
    expect(thisMonth(NOON)).to.deep.equal(range('2026-03-01', '2026-03-01'));
    expect(latest(1, Date.parse('2026-03-01T23:59:59.999Z')).endDate).to.equal('2026-03-01');
  });

  it('is compared with as many days that end on the day before, over leap days and years', () => {
    expect(before(range('2026-03-01', '2026-03-31'))).to.deep.equal(range('2026-01-29', '2026-02-28'));
    expect(before(range('2028-03-01', '2028-03-01'))).to.deep.equal(range('2028-02-29', '2028-02-29'));
    expect(before(range('2026-01-01', '2026-12-31'))).to.deep.equal(range('2025-01-01', '2025-12-31'));
    expect(addDays('2026-12-31', 1)).to.equal('2027-01-01');
  });

  it('knows days that are none', () => {
    for (const none of ['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', '', 'today', '2026-01-01T00:00'])
      expect(isDate(none), none).to.equal(false);
    expect(isDate('2028-02-29')).to.equal(true);
  });

  it('is refused where the API would refuse it, and taken where it would be', () => {
    const ranges = [
      range('2026-03-02', '2026-03-01'),
      range('2025-01-01', '2026-01-02'),
      range('2025-01-01', '2026-01-03'),
      range('2026-03-01', '2026-03-01'),
    ];
    for (const each of ranges) {
      let refused = false;
      try {
        usageRange(each, NOON);
      } catch {
        refused = true;
      }
      expect(rangeProblem(each) !== null, JSON.stringify(each)).to.equal(refused);
    }
    expect(rangeProblem(range('2026-03-02', '2026-03-01'))?.field).to.equal('startDate');
    expect(rangeProblem(range('2026-02-30', '2026-03-01'))?.text).to.include('YYYY-MM-DD');
  });
});

describe('A comparison with the days before', () => {
  it('is in whole percents, exact for counts of any size', () => {
    const words = (now: bigint, then: bigint): string => changeInWords(changeOf(now, then), 30);
    expect(words(112n, 100n)).to.equal('12 % more than in the 30 days before');
    expect(words(1n, 3n)).to.equal('67 % less than in the 30 days before');
    expect(words(0n, 5n)).to.equal('100 % less than in the 30 days before');
    expect(words(100_001n, 100_000n)).to.equal('Under 1 % more than in the 30 days before');
    expect(words(10n ** 30n + 1n, 10n ** 30n)).to.equal('Under 1 % more than in the 30 days before');
    expect(words(50_000n, 1n)).to.equal('4,999,900 % more than in the 30 days before');
  });

  it('says so where there is nothing to compare with', () => {
    expect(changeInWords(changeOf(5n, 0n), 1)).to.equal('Nothing in the day before');
    expect(changeInWords(changeOf(0n, 0n), 7)).to.equal('As in the 7 days before');
  });
});

describe('A budget', () => {
  it('is in force by the smaller of what administrators and the operator set', () => {
    const of = (own: (number | null)[], operators: (number | null)[] | null) => {
      const [unitsPerDay = null, unitsPerMonth = null] = own;
      const [day = null, month = null] = operators ?? [];
      const byOperator = operators === null ? null : { unitsPerDay: day, unitsPerMonth: month };
      const used = { today: 0, thisMonth: 0 };
      return amountsInForce({
        clientId: null,
        clientName: null,
        unitsPerDay,
        unitsPerMonth,
        byOperator,
        used,
      });
    };
    expect(of([5, null], null)).to.deep.equal({ unitsPerDay: 5, unitsPerMonth: null });
    expect(of([5, null], [3, 70])).to.deep.equal({ unitsPerDay: 3, unitsPerMonth: 70 });
    expect(of([0, 60], [3, 70])).to.deep.equal({ unitsPerDay: 0, unitsPerMonth: 60 });
    expect(of([null, null], [3, null])).to.deep.equal({ unitsPerDay: 3, unitsPerMonth: null });
  });
  it('of the operator is told in words', () => {
    const [unitsPerDay, unitsPerMonth] = [1000, 20_000.5];
    expect(operatorsAmounts({ unitsPerDay, unitsPerMonth })).to.equal(
      '1,000 read units a day, 20,000.5 a month',
    );
    expect(operatorsAmounts({ unitsPerDay: null, unitsPerMonth })).to.equal('20,000.5 read units a month');
  });
  it('is spent only where nothing is left, and near from four fifths on', () => {
    expect(budgetUse(199n, 200n)).to.deep.equal({ percent: 99n, state: 'near' });
    expect(budgetUse(159n, 200n)).to.deep.equal({ percent: 79n, state: 'fine' });
    expect(budgetUse(200n, 200n)).to.deep.equal({ percent: 100n, state: 'spent' });
    expect(budgetUse(450n, 200n)).to.deep.equal({ percent: 225n, state: 'spent' });
    expect(budgetUse(0n, 0n)).to.deep.equal({ percent: 100n, state: 'spent' });
  });
});

describe('The CSV of usage', () => {
  it('quotes what has to be quoted and ends lines with CRLF', () => {
    expect(
      csvOf(
        ['name', 'units'],
        [
          ['a "b", c', 12n],
          ['d\ne', 0n],
        ],
      ),
    ).to.equal('name,units\r\n"a ""b"", c",12\r\n"d\ne",0\r\n');
  });

  it('leaves no name for a spreadsheet to run', () => {
    const [, line] = csvOf(['name'], [['=HYPERLINK("http://evil.example")']]).split('\r\n');
    expect(line).to.equal('"\'=HYPERLINK(""http://evil.example"")"');
    for (const name of ['+1+1', '-1-1', '@x', '\tx']) expect(csvOf(['n'], [[name]])).to.include(`'${name}`);
  });
});
