import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('what is not false', () => {
  it('is true of a key of the table, which is never missing', () => {
    expectSaid({
      "(pk = 'a') IS NOT FALSE": "pk = 'a'",
      "(pk <> 'a') IS NOT TRUE": "pk = 'a'",
      "(sk BETWEEN 'a' AND 'b') IS NOT FALSE": "(sk >= 'a') AND (sk <= 'b')",
      "(pk = 'a' AND sk > 'b') IS NOT FALSE": "(pk = 'a') AND (sk > 'b')",
    });
  });

  it('may be of a key of an index that is missing', () => {
    expectSaid({ '(n = 5) IS NOT FALSE': '(n = 5) OR n IS NULL' });
  });

  it('says nothing where another value may be missing, or an expression be NULL', () => {
    expectNothingSaid([
      "(pk = 'a' OR amount > 5) IS NOT FALSE",
      "(pk = 'a' AND amount > 5) IS NOT FALSE",
      "(NULLIF(pk, 'b') = 'a') IS NOT FALSE",
      "(pk = 'a') IS NOT TRUE",
      '(pk = name) IS NOT FALSE',
    ]);
  });
});
