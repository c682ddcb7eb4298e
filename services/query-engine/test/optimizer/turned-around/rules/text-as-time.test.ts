import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a text key beside a time', () => {
  const from = (...ranges: readonly string[]): string => ranges.join(' OR ');

  it('is read from the day before, with gaps for earlier dates of one digit that stand behind it', () => {
    expectSaid({
      "sk >= TIMESTAMP '2026-11-20'":
        "(sk >= '2026-11-19') AND ((sk < '2026-11-2') OR (sk >= '2026-11-2!')) AND " +
        "((sk < '2026-11-3') OR (sk >= '2026-11-3!')) AND ((sk < '2026-11-4') OR (sk >= '2026-11-:'))",
      "TIMESTAMPTZ '2026-01-01 10:00:00+02:00' <= sk":
        "(sk >= '2025-12-31') AND ((sk < '2025-12-4') OR (sk >= '2025-12-:'))",
      "sk > DATE '2026-09-12'": "(sk >= '2026-09-11') AND ((sk < '2026-1-') OR (sk >= '2026-1.'))",
      "sk >= DATE '2026-01-12'": "sk >= '2026-01-11'",
      // The day before ends at 24:00, and with an offset of 15:59 before 16:00.
      "sk >= TIMESTAMP '2026-10-30 16:00:01'":
        "(sk >= '2026-10-30') AND ((sk < '2026-10-4') OR (sk >= '2026-10-:'))",
    });
  });

  it('is read up to the day after, dates of one digit up to the day', () => {
    expectSaid({
      "sk < TIMESTAMP '2026-11-02 08:00:00'": from(
        "(sk < '2026-11-03u')",
        "((sk >= '2026-11-1') AND (sk < '2026-11-1!'))",
        "((sk >= '2026-11-2') AND (sk < '2026-11-2!'))",
        "((sk >= '2026-2') AND (sk < '20261103u'))",
      ),
      "sk <= DATE '2026-09-12'": from(
        "(sk < '2026-09-12u')",
        "((sk >= '2026-1-') AND (sk < '2026-1.'))",
        "((sk >= '2026-2') AND (sk < '20260912u'))",
      ),
      "NOT (CAST(sk AS DATE) > DATE '2026-12-31')":
        "(sk < '2027-01-01u') OR ((sk >= '2027/') AND (sk < '20270101u'))",
    });
  });

  it('is read between both ends', () => {
    const day =
      "(sk >= '2026-01-12') AND ((sk < '2026-01-13u') OR ((sk >= '2026-1-') AND (sk < '2026-1.')) OR " +
      "((sk >= '2026/') AND (sk < '20260113u')))";
    expectSaid({
      "sk = DATE '2026-01-13'": day,
      "sk BETWEEN DATE '2026-01-13' AND DATE '2026-01-13'": day,
      "sk IN (DATE '2026-01-13')": day,
    });
  });

  it('is read to the ends of the calendar', () => {
    expectSaid({
      "sk >= DATE '0001-01-01'": "(sk >= '0000-12-31') AND ((sk < '0000-12-4') OR (sk >= '0000-12-:'))",
      "sk = TIMESTAMP '9999-12-31 12:00:00'":
        "(sk >= '9999-12-30') AND ((sk < '9999-12-4') OR (sk >= '9999-12-:'))",
    });
  });

  it('says nothing where the time may be another, or the column is no key of texts', () => {
    expectNothingSaid([
      "sk >= TIMESTAMP 'infinity'",
      "sk >= TIMESTAMP '2026-11-20 10:00:00 Europe/Vienna'",
      "sk >= TIME '10:00:00'",
      "sk <> TIMESTAMP '2026-11-20'",
      // Of a text that is no time, these are true.
      "NOT (sk < TIMESTAMP '2026-11-20')",
      "sk NOT BETWEEN DATE '2026-11-20' AND DATE '2026-11-21'",
      "name >= TIMESTAMP '2026-11-20'",
      "b >= TIMESTAMP '2026-11-20'",
      "sk <= TIMESTAMP '9999-12-31 12:00:00'",
    ]);
  });
});
