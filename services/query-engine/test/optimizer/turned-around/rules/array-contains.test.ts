import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a list that has a key', () => {
  it('is the list of its values', () => {
    expectSaid({
      "LIST_CONTAINS(['a', 'b'], pk)": "(pk = 'a') OR (pk = 'b')",
      'ARRAY_CONTAINS(ARRAY[1, -2], n)': '(n = 1) OR (n = -2)',
      "LIST_CONTAINS(['a'], LEFT(sk, 1))": "sk LIKE 'a%'",
    });
  });

  it('says nothing where it is no list of constants, or is denied', () => {
    expectNothingSaid([
      "LIST_CONTAINS(['a', name], pk)",
      "LIST_CONTAINS(['a', NULL], pk)",
      'LIST_CONTAINS([TRUE], pk)',
      'LIST_CONTAINS(tags, pk)',
      "NOT LIST_CONTAINS(['a', 'b'], pk)",
      "LIST_CONTAINS(['a', 'b'], name)",
    ]);
  });
});
