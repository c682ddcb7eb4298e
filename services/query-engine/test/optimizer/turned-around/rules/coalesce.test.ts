import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a key, or something else where it is missing', () => {
  it('is the key, where the constant does not pass', () => {
    expectSaid({
      "COALESCE(pk, '') = 'a'": "pk = 'a'",
      "'a' = COALESCE(pk, NULL, 'b')": "pk = 'a'",
      "COALESCE(pk, 'b') IN ('a', 'c')": "(pk = 'a') OR (pk = 'c')",
      "COALESCE(sk, '') > 'a'": "sk > 'a'",
      "NOT (COALESCE(sk, '') <= 'a')": "sk > 'a'",
      'COALESCE(n, 0) BETWEEN 1 AND 5': '(n >= 1) AND ((n <= 5) OR n IS NULL)',
      'COALESCE(n, 9) BETWEEN 1 AND 5': '((n >= 1) OR n IS NULL) AND (n <= 5)',
      'COALESCE(n) = 5': 'n = 5',
    });
  });

  it('is the key of the table whatever the constant is, since no item lacks it', () => {
    expectSaid({
      "COALESCE(pk, 'a') = 'a'": "pk = 'a'",
      "COALESCE(pk, name, 'a') = 'a'": "pk = 'a'",
    });
  });

  it('is the key of an index, or missing, where the constant passes', () => {
    expectSaid({
      'COALESCE(n, 5) = 5': '(n = 5) OR n IS NULL',
      // What passes where it is missing is said, too.
      'COALESCE(n, amount, 5) = 5': '(n = 5) OR n IS NULL',
    });
  });

  it('says nothing behind an attribute, or where values of several types are made one', () => {
    expectNothingSaid([
      "COALESCE(name, pk) = 'a'",
      "COALESCE(pk, 5) = 'a'",
      "COALESCE(sk, DATE '2024-01-01') >= '2024-06-01'",
      "COALESCE(sk, CAST(name AS DATE)) >= '2024-06-01'",
      "COALESCE(pk, '') <> 'a'",
      "COALESCE(pk, '') IS NOT DISTINCT FROM NULL",
    ]);
  });
});
