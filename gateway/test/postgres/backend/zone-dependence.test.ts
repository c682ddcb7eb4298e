import { expect } from 'chai';
import { isUtc, planGoesByZone } from '../../../src/postgres/backend/zone-dependence.ts';

describe('whether a statement goes by the time zone of its session', () => {
  for (const [output, expected] of [
    ['status', false],
    ["date_trunc('day'::text, (at)::timestamp without time zone)", false],
    ["((at AT TIME ZONE 'UTC'::text) AT TIME ZONE 'Europe/Berlin'::text)", false],
    ["(at AT TIME ZONE 'UTC'::text)", true],
    ['(at)::timestamp with time zone', false],
    ['((at)::timestamp with time zone)::date', true],
    ['((at)::timestamp with time zone)::text', true],
    ["((at)::timestamp with time zone > (now() - '7 days'::interval))", true],
    ["((at)::timestamp with time zone > (now() - '07:00:00'::interval))", false],
    ["date_trunc('day'::text, ((at)::timestamp with time zone AT TIME ZONE 'Europe/Berlin'::text))", false],
    ["date_trunc('day'::text, (at)::timestamp with time zone)", true],
    ['EXTRACT(hour FROM now())', true],
    ["(((at AT TIME ZONE 'UTC'::text) AT TIME ZONE 'Europe/Berlin'::text) AT TIME ZONE 'UTC'::text)", true],
    ["timezone('UTC'::text, at)", true],
    ['now()', false],
    ['CURRENT_DATE', true],
    ["'2024-02-29 10:00:00+00'::timestamp with time zone", false],
    ['(to_timestamp((no)::double precision))::date', true],
  ] as const)
    it(output, () =>
      expect(planGoesByZone('', JSON.stringify({ Output: [output] }), [25])).to.equal(expected),
    );
  it('by types of parameters, and by times that are written without their offset', () => {
    expect(planGoesByZone('', "date_trunc('day'::text, $1)", [1184])).to.equal(true);
    expect(planGoesByZone('', "date_trunc('day'::text, $1)", [1114])).to.equal(false);
    const plan = "'2024-02-29 10:00:00+00'::timestamp with time zone";
    expect(planGoesByZone("'2024-02-29 10:00'::timestamptz", plan, [])).to.equal(true);
    expect(planGoesByZone("'2024-02-29 10:00+00'::timestamptz", plan, [])).to.equal(false);
  });
  it('but not where that is UTC, by whatever name', () => {
    for (const zone of ['UTC', 'Etc/UTC', 'GMT', 'etc/gmt+0', 'Zulu', '<+00>-00'])
      expect(isUtc(zone), zone).to.equal(true);
    for (const zone of ['Europe/London', 'Etc/GMT+1', '<+01>-01', 'WET', ''])
      expect(isUtc(zone), zone).to.equal(false);
  });
});
