import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('rows of a list', () => {
  it('are understood field by field', () => {
    expectSaid({
      "(COALESCE(pk, ''), n) IN (('a', 1), ('b', 2))": "((pk = 'a') AND (n = 1)) OR ((pk = 'b') AND (n = 2))",
      "(COALESCE(pk, ''), amount) IN (('a', 1), ('b', 2))": "(pk = 'a') OR (pk = 'b')",
    });
  });

  it('say nothing where they are denied', () => {
    expectNothingSaid([
      "(COALESCE(pk, ''), n) NOT IN (('a', 1), ('b', 2))",
      "(UPPER(pk), amount) IN (('A', 1), ('B', 2))",
    ]);
  });
});
