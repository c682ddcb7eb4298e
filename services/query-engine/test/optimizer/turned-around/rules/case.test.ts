import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('CASE over keys', () => {
  it('says what its branches that pass say', () => {
    expectSaid({
      "CASE WHEN pk IS NULL THEN '' ELSE pk END = 'a'": "pk = 'a'",
      "CASE WHEN pk = 'a' THEN 1 WHEN pk = 'b' THEN 2 ELSE 3 END < 3": "(pk = 'a') OR (pk = 'b')",
      "CASE WHEN pk = 'a' THEN TRUE WHEN pk = 'b' THEN amount > 5 ELSE FALSE END": "(pk = 'a') OR (pk = 'b')",
      "CASE pk WHEN 'a' THEN 1 WHEN 'b' THEN 1 END = 1": "(pk = 'a') OR (pk = 'b')",
      "IF(amount > 5, pk, 'b') = 'a'": "pk = 'a'",
      "IF(amount > 5, pk, 'a') = 'a'": '',
      "IF(pk = 'a', n, 0) > 5": "(pk = 'a') AND (n > 5)",
      'CASE WHEN n IS NULL THEN 5 ELSE n END = 5': 'n IS NULL OR (n = 5)',
      'CASE WHEN amount = 1 THEN 0 ELSE n END >= 5': 'n >= 5',
    });
  });

  it('says nothing where a branch that passes does not, or is of another type', () => {
    expectNothingSaid([
      "CASE WHEN pk = 'a' THEN 1 ELSE amount END = 1",
      "CASE WHEN amount > 5 THEN 1 WHEN pk = 'a' THEN 1 ELSE 0 END = 1",
      "NOT CASE WHEN pk = 'a' THEN amount > 5 ELSE TRUE END",
      "CASE WHEN pk = 'a' THEN pk ELSE 5 END = 'a'",
      "CASE WHEN amount > 5 THEN sk ELSE CAST(name AS DATE) END >= '2024-06-01'",
    ]);
  });
});
