import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a number that is made of a key', () => {
  it('is a sum', () => {
    expectSaid({
      'n + 1 = 8': 'n = 7',
      '1 + n = 8': 'n = 7',
      'n - 0.5 = 8': 'n = 8.5',
      '10 - n = 3': 'n = 7',
      '-n = 7': 'n = -7',
      '-n < 3': 'n > -3',
      'n + 1 >= 8': 'n >= 6.99999999999984',
      '10 - n >= 3': 'n <= 7.0000000000002',
      'n + 1 IN (8, 9)': '(n = 7) OR (n = 8)',
      // A sort key is found by ranges, so also what equals it because it was rounded.
      'm + 1 = 8': '(m >= 6.99999999999984) AND (m <= 7.00000000000016)',
      // Of so many digits, numbers may have been added as DOUBLEs.
      'n + 1 = 12345678901234567890':
        '(n >= 12345678901234320975.4219753086422) AND (n <= 12345678901234814802.5780246913578)',
    });
    expectNothingSaid([
      'amount + 1 = 8',
      'n + amount = 8',
      'sk + 1 = 8',
      'n + 1 <> 8',
      'CAST(sk AS INTEGER) + 1 = 8',
    ]);
  });

  it('is a product', () => {
    expectSaid({
      'n * 2 = 14': 'n = 7',
      '-2 * n = 14': 'n = -7',
      'n * -2 < 14': 'n >= -7.00000000000007',
      'm * 2 = 14': '(m >= 6.99999999999993) AND (m <= 7.00000000000007)',
      'n * 3 = 1':
        '(n >= 0.33333333333332999999999999999999999999) AND (n <= 0.33333333333333666666666666666666666667)',
    });
    expectNothingSaid(['n * 0 = 0', 'n * n = 4', 'n % 4 = 1', 'amount * 2 = 14']);
  });

  it('is a quotient', () => {
    expectSaid({
      'n / 3 = 2': '(n >= 5.999999999999937) AND (n <= 6.000000000000063)',
      'n / -2 > 4': 'n <= -7.999999999999918',
      'n // 10 = 5': '(n >= 39.9999999999995) AND (n <= 60.0000000000005)',
    });
    expectNothingSaid(['10 / n = 2', 'n / 0 = 1', '10 // n = 2']);
  });

  it('is rounded', () => {
    expectSaid({
      'floor(n) = 4': '(n >= 3.99999999999996) AND (n <= 5.00000000000004)',
      'ceil(n) >= 4': 'n >= 2.99999999999996',
      'round(n, 1) <= 4': 'n <= 4.10000000000004',
      'trunc(n) > -4': 'n >= -5.00000000000004',
      'CAST(n AS BIGINT) < 4': 'n <= 5.00000000000004',
      'CAST(n AS DECIMAL(10, 2)) = 4': '(n >= 3.98999999999996) AND (n <= 4.01000000000004)',
    });
    expectNothingSaid(['floor(amount) = 4', 'round(n, n) = 4', 'sign(n) = 1', 'CAST(sk AS BIGINT) = 4']);
  });

  it('is cast to a type that it fits', () => {
    expectSaid({
      'n::numeric = 7': 'n = 7',
      'CAST(n AS DOUBLE) >= 4': 'n >= 3.99999999999996',
      'CAST(n AS REAL) <= 4': 'n <= 4.0000040000000000000000000000000000001',
    });
  });

  it('has no sign', () => {
    expectSaid({
      'abs(n) = 4': '(n = -4) OR (n = 4)',
      'abs(n) < 4': '(n >= -4) AND (n <= 4)',
      'abs(n) >= 4': '(n <= -4) OR (n >= 4)',
      'abs(n - 10) <= 2': '(n >= 7.9999999999998) AND (n <= 12.00000000000024)',
    });
    expectNothingSaid(['abs(n) > -4', 'abs(amount) = 4']);
  });

  it('is a time', () => {
    expectSaid({
      "to_timestamp(n) >= TIMESTAMP '2026-11-20'": 'n >= 1795132799.999',
      "CAST(to_timestamp(n) AS DATE) = DATE '2026-11-20'": '(n >= 1795132799.999) AND (n <= 1795219200.001)',
      "date_trunc('year', to_timestamp(n)) < DATE '2026-01-01'": 'n <= 1767225600.001',
      'epoch(to_timestamp(n)) >= 10': 'n >= 9.998',
    });
    expectNothingSaid([
      "to_timestamp(amount) >= TIMESTAMP '2026-11-20'",
      "to_timestamp(sk, 'YYYY') >= TIMESTAMP '2026-11-20'",
      "to_timestamp(n) >= TIMESTAMP 'infinity'",
    ]);
  });
});
