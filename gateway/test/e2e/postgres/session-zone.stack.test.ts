/**
 * Times with a zone over tables, in sessions of several zones, beside PostgreSQL with the same rows in its tables: the same names,
 * types and values, or a refusal by name.
 */
import { expect } from 'chai';
import { oneOf } from '../../../../services/common/test/support/random-budget.ts';
import { STACK_START_TIMEOUT_MS } from '../support/stack.ts';
import { besidePostgres, ofAnOrder, seen, type Beside } from './beside.ts';

/** East and west of Greenwich, by half an hour, and one that PostgreSQL makes of a number. */
const ZONES = ["'Europe/Berlin'", "'America/New_York'", "'Asia/Kolkata'", '-3'] as const;

/** Expressions of one row of orders, and statements. Clocks of Europe and America changed in March and October 2024. */
const SAME = [
  ...['to_timestamp(1711846800 + no * 86400)', 'to_timestamp(1711846800 + no * 3600)::date'],
  ...['to_timestamp(1711846800 + no * 3600)::timestamp', 'to_timestamp(1711846800 + no * 3600)::time'],
  ...["to_timestamp(1711846800 + no * 3600) AT TIME ZONE 'Asia/Tokyo'"],
  ...["to_timestamp(1711846800 + no * 3600) AT TIME ZONE 'UTC'", 'to_timestamp(1711846800.5 + no * 3600)'],
  ...["date_trunc('day', to_timestamp(1711846800 + no * 3600))"],
  ...["date_trunc('day', to_timestamp(1711846800 + no * 3600)) AT TIME ZONE 'Europe/Berlin'"],
  ...["date_trunc('hour', to_timestamp(1711846800 + no * 3600))"],
  ...["date_trunc('month', to_timestamp(1709246800 + no * 3600))::date"],
  ...["date_trunc('week', to_timestamp(1709246800 + no * 3600))"],
  ...["date_trunc('quarter', to_timestamp(1709246800 + no * 3600))"],
  ...['extract(hour FROM to_timestamp(1711846800 + no * 3600))'],
  ...['extract(day FROM to_timestamp(1711836000 + no * 3600))'],
  ...['extract(dow FROM to_timestamp(1711836000 + no * 3600))'],
  ...["date_part('hour', to_timestamp(1711836000 + no * 3600))"],
  ...["date_part('epoch', to_timestamp(1711836000 + no * 3600))"],
  ...["to_char(to_timestamp(1711836000 + no * 3600), 'YYYY-MM-DD HH24:MI:SS')"],
  ...["to_timestamp(1711836000 + no * 3600) + interval '1 day'"],
  ...["to_timestamp(1711836000 + no * 3600) - interval '7 days'"],
  ...["to_timestamp(1711836000 + no * 3600) + interval '1 month'"],
  ...["to_timestamp(1711836000 + no * 3600) + interval '3 hours'"],
  ...["to_timestamp(1711836000 + no * 3600) + interval '24 hours'"],
  ...["to_timestamp(1711836000 + no * 3600) + 2 * interval '1 day'"],
  ...["interval '1 day' + to_timestamp(1711836000 + no * 3600)"],
  ...["(to_timestamp(1711836000 + no * 3600) + interval '1 day')::date"],
  ...['to_timestamp(1711836000 + no * 3600) - to_timestamp(1711006000)'],
  ...["to_timestamp(1711836000 + no * 3600) - '2024-03-01'::timestamp"],
  ...['age(to_timestamp(1711836000 + no * 3600), to_timestamp(1706836000))'],
  ...["'2024-03-31 02:30:00'::timestamptz", "'2024-10-27 02:30:00'::timestamptz", "'2024-03-31'::timestamptz"],
  ...["'2024-03-31 02:30:00+05'::timestamptz", "'2024-03-31 02:30:00Z'::timestamptz::date"],
  ...["timestamptz '2024-03-31 12:30:00'", "timestamp with time zone '2024-03-31 12:30:00'"],
  ...["('2024-03-31 10:00:00'::timestamp + no * interval '1 hour')::timestamptz"],
  ...["('2024-03-31'::date + no::int)::timestamptz"],
  ...["('2024-03-31 10:00:00'::timestamp + no * interval '1 hour') AT TIME ZONE 'UTC'"],
  ...["('2024-03-31 10:00:00'::timestamp AT TIME ZONE 'UTC')::date"],
  ...["('2024-03-31 23:30:00'::timestamp AT TIME ZONE 'UTC')::date"],
  ...["'2024-03-31 23:30:00' AT TIME ZONE 'Asia/Tokyo'"],
  ...["timezone('Asia/Tokyo', '2024-03-31 23:30:00'::timestamp)"],
  ...["timezone('Asia/Tokyo', to_timestamp(1711836000 + no * 3600))"],
  ...["date_trunc('day', '2024-03-31 23:30:00Z'::timestamptz)"],
  ...["date_trunc('day', timestamp '2024-03-31 23:30:00')"],
  ...["date_trunc('hour', '2024-03-31 23:30:00Z'::timestamptz AT TIME ZONE 'Asia/Tokyo')"],
  ...['now()::date = CURRENT_DATE', 'CURRENT_DATE - now()::date', 'LOCALTIMESTAMP = now()::timestamp'],
  ...['LOCALTIMESTAMP::date = CURRENT_DATE', "now() > '2024-02-29'", "now() - interval '7 days' < now()"],
  ...["(now() - interval '7 days')::date = CURRENT_DATE - 7"],
  ...['extract(hour FROM now()) = extract(hour FROM LOCALTIMESTAMP)', "date_trunc('day', now()) = CURRENT_DATE"],
  ...["date_trunc('day', now()) = CURRENT_DATE::timestamptz"],
  ...["date_trunc('month', CURRENT_DATE) = date_trunc('month', now())"],
  ...["to_timestamp(1711836000 + no * 3600) > '2024-03-30 20:00'"],
  ...["to_timestamp(1711836000 + no * 3600) > '2024-03-30 20:00'::timestamp"],
  ...["to_timestamp(1711836000 + no * 3600) BETWEEN '2024-03-30' AND '2024-04-01'"],
  ...["to_timestamp(1711836000 + no * 3600) IN ('2024-03-30 23:00:00+00', '2024-03-31 00:00:00')"],
  ...["to_timestamp(1711836000 + no * 3600)::date = '2024-03-31'"],
  ...['coalesce(to_timestamp(1711836000 + no * 3600), now())'],
  ...["coalesce(NULL, '2024-03-31 10:00:00'::timestamp, to_timestamp(0))"],
  ...["greatest('2024-03-31 10:00:00'::timestamp, to_timestamp(0))"],
  ...["CASE WHEN no = 1 THEN '2024-03-31 10:00:00'::timestamp ELSE now() END"],
  ...["CASE WHEN no = 1 THEN to_timestamp(0) ELSE '2024-03-31' END", "nullif(to_timestamp(0), '1970-01-01')"],
  ...["to_timestamp('2024-03-31 10:00', 'YYYY-MM-DD HH24:MI')"],
  ...["to_timestamp('2024-03-31 10:00', 'YYYY-MM-DD HH24:MI')::date"],
  ...["to_date('2024-03-31', 'YYYY-MM-DD')::timestamptz", "('2024-03-3' || no || ' 10:00:00+02')::timestamptz"],
  ...["('2024-03-3' || no || ' 22:30:00Z')::timestamptz::date"],
  ...["date_bin('1 hour', to_timestamp(1711836000 + no * 3600), '2024-01-01')"],
  ...["date_bin('15 minutes', to_timestamp(1711836000 + no * 3600), timestamptz '2024-01-01 00:00:00+00')"],
  ...['to_timestamp(1711836000 + no * 3600)::timestamptz(0)'],
  ...['to_timestamp(1711836000.7 + no * 3600)::timestamp(0)'],
  ...["'2024-03-31 10:00:00.6789+00'::timestamp(3) with time zone"],
  ...['SELECT max(to_timestamp(1711836000 + no * 3600)), min(to_timestamp(no))::date, count(to_timestamp(no)) FROM shop.orders'],
  ...["SELECT date_trunc('day', to_timestamp(1711836000 + no * 7200)) AS d, count(*) FROM shop.orders GROUP BY 1 ORDER BY 1"],
  ...['SELECT t::date, extract(hour FROM t) FROM (SELECT to_timestamp(1711836000 + no * 7200) t FROM shop.orders) s ORDER BY 1, 2'],
  ...['SELECT t::date FROM (SELECT to_timestamp(no) t FROM shop.orders UNION ALL SELECT to_timestamp(no + 86400) FROM shop.orders) s ORDER BY 1'],
  ...['SELECT lag(to_timestamp(no * 86400)) OVER (ORDER BY no, customer_id)::date, first_value(to_timestamp(no * 86400)) OVER (ORDER BY no, customer_id)::date FROM shop.orders ORDER BY no, customer_id'],
  ...["SELECT g, g::date AS d, o.no FROM shop.orders o, generate_series('2024-03-30 00:00'::timestamptz, '2024-04-02 00:00'::timestamptz, interval '1 day') g WHERE o.no = 1 AND o.customer_id = 'c1' ORDER BY g"],
  ...["SELECT g FROM shop.orders o, generate_series('2024-03-30 23:00'::timestamptz, '2024-03-31 04:00'::timestamptz, interval '1 hour') g WHERE o.no = 1 AND o.customer_id = 'c1' ORDER BY g"],
  ...["SELECT no FROM shop.orders WHERE to_timestamp(1711836000 + no * 3600) >= '2024-03-31' ORDER BY no, customer_id"],
  ...["SELECT no FROM shop.orders WHERE to_timestamp(1711836000 + no * 3600)::date = DATE '2024-03-31' ORDER BY no, customer_id"],
  ...['SELECT (SELECT max(to_timestamp(no * 100000)) FROM shop.orders)::date FROM shop.orders WHERE no = 2'],
  ...["SELECT * FROM (VALUES (to_timestamp(0)), (now())) v(t), shop.orders o WHERE t::date = '1970-01-01' AND o.no = 2"],
  ...['SELECT count(*) FROM shop.orders a JOIN shop.orders b ON to_timestamp(a.no)::date = to_timestamp(b.no)::date'],
  ...["SELECT count(*) FILTER (WHERE to_timestamp(no * 7200)::date = '1970-01-01') FROM shop.orders"],
  ...["SELECT count(*) FROM shop.orders WHERE (to_timestamp(no), no) > (timestamp '1970-01-01 00:00:01', 0)"],
  ...['SELECT count(*) FROM shop.orders WHERE to_timestamp(no) IN (SELECT to_timestamp(no) FROM shop.orders)'],
  ...['SELECT mode() WITHIN GROUP (ORDER BY to_timestamp(1711836000))::date FROM shop.orders'],
  ...["'0800-03-31 10:00:00+00'::timestamptz", "'1890-03-31 10:00:00+00'::timestamptz"],
  ...["WITH x AS (SELECT to_timestamp(1711836000 + no * 7200) t FROM shop.orders) SELECT t::date d, t + interval '1 day' FROM x ORDER BY 2"],
] as const; // oxfmt-ignore

/** Expressions and statements that the engine does not do in a zone other than UTC. */
const REFUSED = [
  ...["to_timestamp(1711836000 + no * 3600) + interval '1 day 2 hours'", 'to_timestamp(1711836000)::text'],
  ...['to_json(to_timestamp(1711836000))', 'array_agg(to_timestamp(1711836000 + no)) OVER ()'],
  ...["concat(to_timestamp(1711836000), 'x')", 'now()::text IS NULL', 'CURRENT_TIME IS NULL'],
  ...['extract(timezone FROM to_timestamp(0))'],
  ...["SELECT t::date FROM (SELECT to_timestamp(no) t FROM shop.orders UNION ALL SELECT '2024-01-01 10:00:00'::timestamp FROM shop.orders) s ORDER BY 1"],
] as const; // oxfmt-ignore

const sqlOf = (written: string): string => (/^(?:SELECT|WITH) /.test(written) ? written : ofAnOrder(written));

describe('times with a zone over tables, by the zone of the session', function () {
  this.timeout(STACK_START_TIMEOUT_MS);
  let beside: Beside;
  before(async () => {
    beside = await besidePostgres();
  });
  after(() => beside?.close());

  const inZone = async (zone: string): Promise<void> => {
    for (const client of [beside.ours, beside.theirs]) await client.query(`SET TIME ZONE ${zone}`);
  };

  for (const zone of ["'UTC'", ...ZONES])
    describe(`in ${zone}`, () => {
      before(() => inZone(zone));
      const chosen = SAME.filter((_, i) => zone === "'UTC'" || oneOf(ZONES, i).some((one) => one === zone));
      for (const written of chosen)
        it(`the same: ${written}`, async () => {
          const [our, their] = await Promise.all([
            seen(beside.ours, sqlOf(written)),
            seen(beside.theirs, sqlOf(written)),
          ]);
          expect(typeof their, String(their)).to.equal('object');
          expect(our).to.deep.equal(their);
        });
    });
  for (const written of REFUSED)
    it(`refused by name: ${written}`, async () => {
      await inZone("'Europe/Berlin'");
      expect(typeof (await seen(beside.theirs, sqlOf(written)))).to.equal('object');
      expect(await seen(beside.ours, sqlOf(written))).to.match(
        /^0A000 .* is not supported where the session's TimeZone is not UTC, and this is Europe\/Berlin$/,
      );
    });

  it('whatever it was when a statement was prepared', async () => {
    const { ours, theirs } = beside;
    const text = ofAnOrder(
      'to_timestamp(1711836000 + no * 3600)::date, to_timestamp(1711836000 + no * 3600)',
    );
    for (const zone of ["'UTC'", "'Asia/Tokyo'", "'GMT'", "'America/Los_Angeles'", '0', "'Etc/UTC'"]) {
      await inZone(zone);
      const [our, their] = await Promise.all(
        [ours, theirs].map(
          async (client) => (await client.query({ name: 'zoned', text, values: [] })).rows as unknown,
        ),
      );
      expect(our, zone).to.deep.equal(their);
    }
  });

  it('of an offset that no zone has: instants are shown, clocks are refused by name', async () => {
    await inZone("INTERVAL '+05:45' HOUR TO MINUTE");
    expect(await seen(beside.ours, ofAnOrder('to_timestamp(0) < now()'))).to.deep.include({ rows: [['t']] });
    expect(await seen(beside.ours, ofAnOrder('now()::date'))).to.match(
      /^0A000 What clocks show is not supported/,
    );
  });
});
