import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a key that is NULL where it equals a constant', () => {
  it('is the key where it is not NULL', () => {
    expectSaid({
      "NULLIF(pk, '') = 'a'": "pk = 'a'",
      "NULLIF(sk, 'x') >= 'a'": "sk >= 'a'",
      'NULLIF(n, 0) = 7': 'n = 7',
      "LEFT(NULLIF(sk, ''), 1) = 'a'": "(sk >= 'a') AND (sk < 'b')",
    });
  });

  it('says nothing where it is not the key, or NULL is asked for', () => {
    expectNothingSaid([
      "NULLIF(name, pk) = 'a'",
      "NULLIF('a', pk) = 'a'",
      "NULLIF(pk, 'a') IS NULL",
      "NULLIF(pk, 'b') <> 'a'",
    ]);
  });
});
