import { expect } from 'chai';
import { expectNothingSaid, saidOfKeys } from '../said-of-keys.ts';

const withoutParentheses = (text: string): string => text.replace(/[()]/g, '');

/** Each says as much as a comparison of the text with times, or as several, which are joined by AND or OR. */
function expectSame(cases: Readonly<Record<string, string>>): void {
  for (const [where, plain] of Object.entries(cases)) {
    const said = withoutParentheses(saidOfKeys(plain));
    expect(said, plain).not.to.equal('');
    expect(withoutParentheses(saidOfKeys(where)), where).to.equal(said);
  }
}

describe('a time that is made of a key', () => {
  it('is cast', () => {
    expectSame({
      "CAST(sk AS TIMESTAMP) >= TIMESTAMP '2026-11-20 20:00:00'": "sk >= TIMESTAMP '2026-11-20 20:00:00'",
      "sk::timestamptz < TIMESTAMP '2026-11-20'": "sk < TIMESTAMP '2026-11-20'",
      "CAST(sk AS DATE) = DATE '2026-11-20'": "sk >= TIMESTAMP '2026-11-20' AND sk < TIMESTAMP '2026-11-21'",
      "TRY_CAST(sk AS DATE) <= DATE '2026-11-20'": "sk < TIMESTAMP '2026-11-21'",
      "DATE(sk) < TIMESTAMP '2026-11-20 10:00:00'": "sk < TIMESTAMP '2026-11-21'",
      "DATE(sk) > DATE '2026-11-20'": "sk >= TIMESTAMP '2026-11-21'",
      "CAST(CAST(sk AS TIMESTAMP) AS DATE) >= '2026-11-20'": "sk >= TIMESTAMP '2026-11-20'",
    });
    expectNothingSaid([
      "CAST(name AS DATE) = DATE '2026-11-20'",
      "CAST(n AS TIMESTAMP) = TIMESTAMP '2026-11-20'",
      "CAST(sk AS DATE) = 'yesterday'",
      "CAST(sk AS TIME) = TIME '10:00:00'",
    ]);
  });

  it('is cut down to a unit', () => {
    expectSame({
      "date_trunc('month', sk) = DATE '2026-11-01'": "sk >= DATE '2026-11-01' AND sk < DATE '2026-12-01'",
      "date_trunc('week', CAST(sk AS DATE)) = DATE '2026-11-16'":
        "sk >= DATE '2026-11-16' AND sk < DATE '2026-11-23'",
      "date_trunc('quarter', sk) < DATE '2026-10-01'": "sk < DATE '2026-10-01'",
      "date_trunc('year', sk) <= DATE '2026-05-01'": "sk < DATE '2027-01-01'",
      "date_trunc('hour', sk) > TIMESTAMP '2026-11-20 10:30:00'": "sk >= TIMESTAMP '2026-11-20 11:00:00'",
      "last_day(sk) = DATE '2026-05-31'": "sk >= DATE '2026-05-01' AND sk < DATE '2026-06-01'",
      "last_day(sk) >= DATE '2026-02-10'": "sk >= DATE '2026-02-01'",
    });
    expectNothingSaid([
      "date_trunc('decade', sk) = DATE '2020-01-01'",
      "date_trunc('day', name) = DATE '2026-11-20'",
      'month(sk) = 11',
      'EXTRACT(DAY FROM CAST(sk AS DATE)) = 1',
    ]);
  });

  it('has year, month and day, which conditions name beside each other', () => {
    const NOVEMBER = "sk >= DATE '2026-11-01' AND sk < DATE '2026-12-01'";
    const with2026 = (said: string): string =>
      `sk >= DATE '2026-01-01' AND sk < DATE '2027-01-01' AND ${said}`;
    expectSame({
      'year(sk) = 2026 AND month(sk) = 11': with2026(NOVEMBER),
      "11 = EXTRACT(MONTH FROM sk) AND date_part('year', CAST(sk AS TIMESTAMP)) = 2026": with2026(NOVEMBER),
      'year(sk) = 2026 AND quarter(sk) = 3': with2026("sk >= DATE '2026-07-01' AND sk < DATE '2026-10-01'"),
      'year(sk) = 2026 AND month(sk) = 11 AND day(sk) = 20': with2026(
        "sk >= DATE '2026-11-20' AND sk < DATE '2026-11-21'",
      ),
      "sk BETWEEN TIMESTAMP '2026-02-01' AND TIMESTAMP '2026-12-31 23:59:59.999' AND month(sk) = 11":
        "sk >= TIMESTAMP '2026-02-01' AND sk <= TIMESTAMP '2026-12-31 23:59:59.999' AND " + NOVEMBER,
      "CAST(sk AS DATE) < DATE '2027-01-01' AND CAST(sk AS DATE) >= DATE '2026-01-01' AND month(CAST(sk AS DATE)) = 11":
        "sk < DATE '2027-01-01' AND sk >= DATE '2026-01-01' AND " + NOVEMBER,
      "(year(sk) = 2026 AND month(sk) = 11 OR sk < DATE '2020-01-01')": `(${with2026(NOVEMBER)} OR sk < DATE '2020-01-01')`,
    });
    const YEAR = "sk >= DATE '2026-01-01' AND sk < DATE '2027-01-01'";
    for (const where of [
      'year(sk) = 2026 AND month(pk) = 11',
      'year(sk) = 2026 AND month(sk) > 10',
      'year(sk) = 2026 AND month(sk) = 13',
      'year(sk) = 2026 AND day(sk) = 20',
      // The date that is written may be another than that of the instant.
      'year(sk) = 2026 AND month(CAST(sk AS DATE)) = 11',
    ])
      expect(withoutParentheses(saidOfKeys(where)), where).to.equal(withoutParentheses(saidOfKeys(YEAR)));
    expectNothingSaid([
      'NOT (year(sk) = 2026 AND month(sk) = 11)',
      "(SELECT max(CAST(sk AS TIMESTAMP)) FROM t) >= TIMESTAMP '2026-01-01' AND month(sk) = 11",
      'year((SELECT min(CAST(sk AS TIMESTAMP)) FROM t)) = 2026 AND month(sk) = 11',
      // Texts, which need not be in the order of the instants that they spell.
      "sk >= '2026-01-01' AND sk < '2027' AND month(sk) = 11",
    ]);
  });

  it('has a year', () => {
    expectSame({
      'year(sk) = 2026': "sk >= DATE '2026-01-01' AND sk < DATE '2027-01-01'",
      'EXTRACT(YEAR FROM CAST(sk AS DATE)) >= 2026': "sk >= DATE '2026-01-01'",
      "date_part('year', sk) <= 2026": "sk < DATE '2027-01-01'",
      "date_part('year', sk)::int = 2026": "sk >= DATE '2026-01-01' AND sk < DATE '2027-01-01'",
      'year(sk) < 2026': "sk < DATE '2026-01-01'",
      'year(sk) > 2026': "sk >= DATE '2027-01-01'",
      // As a TIMESTAMPTZ, 0000-06-01 is of the year 1 before Christ, and year() says 1.
      'year(sk) = 1': "sk < DATE '0002-01-01'",
      'year(sk) <= 1': "sk < DATE '0002-01-01'",
      'year(sk) > 1': "sk >= DATE '0002-01-01'",
    });
    expectNothingSaid([
      'year(sk) = 2026.5',
      'year(sk) = 0',
      "year(INTERVAL '1 year') = 1",
      'year(name) = 2026',
    ]);
  });

  it('is shifted', () => {
    expectSame({
      "sk + INTERVAL '1 day' >= DATE '2026-11-20'": "sk >= DATE '2026-11-19'",
      "date_sub(sk, INTERVAL '90 minutes') < TIMESTAMP '2026-11-20 07:00:00'":
        "sk < TIMESTAMP '2026-11-20 08:30:00'",
      "INTERVAL '7' DAY + CAST(sk AS TIMESTAMP) = DATE '2026-11-20'": "sk = DATE '2026-11-13'",
      "CAST(sk AS DATE) + 7 >= DATE '2026-11-20'": "sk >= DATE '2026-11-13'",
      // The 28th, 29th, 30th and 31st of January become the 28th of February.
      "sk + INTERVAL '1 month' >= DATE '2026-02-28'": "sk >= DATE '2026-01-28'",
      "sk + INTERVAL '1 month' <= DATE '2026-02-28'": "sk <= DATE '2026-01-31'",
      "sk - INTERVAL '1 month' >= DATE '2026-02-28'": "sk >= DATE '2026-03-28'",
    });
    expectNothingSaid([
      "sk + INTERVAL '1.5 days' >= DATE '2026-11-20'",
      "name + INTERVAL '1 day' >= DATE '2026-11-20'",
      "INTERVAL '1 day' * n < INTERVAL '7 days'",
    ]);
  });

  it('is so far from another', () => {
    expectSame({
      "TIMESTAMP '2026-11-20' - CAST(sk AS TIMESTAMP) < INTERVAL '7 days'": "sk > DATE '2026-11-13'",
      "sk - TIMESTAMP '2026-11-20' >= INTERVAL '1 month'": "sk >= DATE '2026-12-20'",
      "DATE '2026-11-20' - CAST(sk AS DATE) <= 7": "sk >= DATE '2026-11-13'",
      "date_diff('day', sk, DATE '2026-11-20') <= 7": "sk >= DATE '2026-11-13'",
      "date_diff('month', DATE '2026-11-20', sk) = 1": "sk >= DATE '2026-12-01' AND sk < DATE '2027-01-01'",
      "date_diff('hour', TIMESTAMP '2026-11-20 10:59:00', sk) < 1": "sk < TIMESTAMP '2026-11-20 11:00:00'",
    });
    expectNothingSaid([
      "date_diff('week', sk, DATE '2026-11-20') = 1",
      "date_diff('day', sk, pk) = 1",
      "DATE '2026-11-20' - CAST(sk AS DATE) <= 7.5",
    ]);
  });

  it('is counted from 1970', () => {
    expectSame({
      'epoch(sk) >= 1795132800': "sk >= TIMESTAMP '2026-11-19 23:59:59.999'",
      'EXTRACT(EPOCH FROM CAST(sk AS TIMESTAMP)) < 1795132800': "sk <= TIMESTAMP '2026-11-20 00:00:00.001'",
      'epoch_ms(sk) >= 1795132800000': "sk >= TIMESTAMP '2026-11-19 23:59:59.999'",
    });
    expectNothingSaid(['epoch(name) >= 1795132800', "EXTRACT(EPOCH FROM INTERVAL '1 day') > n"]);
  });

  it('is looked at in a time zone', () => {
    expectSame({
      "CAST(sk AS TIMESTAMPTZ) AT TIME ZONE 'UTC' >= DATE '2026-11-20'": "sk >= DATE '2026-11-20'",
      "CAST(sk AS TIMESTAMPTZ) AT TIME ZONE 'Europe/Vienna' >= DATE '2026-11-20'":
        "sk >= TIMESTAMP '2026-11-19 21:00:00'",
      "CAST(sk AS TIMESTAMPTZ) AT TIME ZONE 'America/New_York' < DATE '2026-11-20'":
        "sk < TIMESTAMP '2026-11-20 07:00:00'",
      "CAST(sk AS TIMESTAMP) AT TIME ZONE 'America/New_York' < TIMESTAMP '2026-11-20 00:00:00'":
        "sk < TIMESTAMP '2026-11-19 21:00:00'",
      // Clocks went back by an hour at one in the morning.
      "CAST(sk AS TIMESTAMPTZ) AT TIME ZONE 'Europe/Vienna' >= TIMESTAMP '2026-10-25 03:00:00'":
        "sk >= TIMESTAMP '2026-10-24 23:00:00'",
      // Before 1990 what is known of clocks may be corrected.
      "CAST(sk AS TIMESTAMPTZ) AT TIME ZONE 'Europe/Vienna' >= DATE '1989-11-20'":
        "sk >= TIMESTAMP '1989-11-19 08:00:00'",
    });
  });

  it('is written from its year on', () => {
    expectSame({
      "strftime(sk, '%Y-%m-%d') = '2026-11-20'": "sk >= DATE '2026-11-20' AND sk < DATE '2026-11-21'",
      "strftime(CAST(sk AS TIMESTAMP), '%F %H') >= '2026-11-20 18'": "sk >= TIMESTAMP '2026-11-20 18:00:00'",
      "to_char(sk, 'YYYY-MM') = '2026-11'": "sk >= DATE '2026-11-01' AND sk < DATE '2026-12-01'",
      // The year 10000 is written below 2026.
      "strftime(sk, '%Y') <= '2026'": "sk < DATE '2027-01-01' OR sk >= DATE '9999-12-31'",
    });
    expectNothingSaid([
      "strftime(sk, '%d.%m.%Y') = '20.11.2026'",
      "strftime(sk, '%Y-%-m') = '2026-1'",
      "strftime(sk, '%Y-%m') >= '2026'",
      "strftime(sk, '%Y-%m') = '2026-13'",
      "to_char(sk, 'YYYY-Mon') = '2026-Nov'",
      "to_char(sk, 'FMMM') = '1'",
      "strftime(sk, '%m') = '11'",
    ]);
  });
});
