import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a key without what is trimmed at its end', () => {
  it('begins with what is left, and is not below it', () => {
    expectSaid({
      "RTRIM(sk) = 'ab'": "sk LIKE 'ab%'",
      "RTRIM(sk, 'x') >= 'ab'": "sk >= 'ab'",
      "RTRIM(sk) > 'ab'": "sk > 'ab'",
    });
  });

  it('says nothing where it may be above, or where the beginning is trimmed or changed', () => {
    expectNothingSaid([
      "RTRIM(sk) < 'ab'",
      "RTRIM(sk) <= 'ab'",
      "RTRIM(sk) = ''",
      "TRIM(sk) = 'ab'",
      "LTRIM(sk) = 'ab'",
      "UPPER(sk) = 'AB'",
      "LOWER(sk) = 'ab'",
      "REVERSE(sk) = 'ba'",
      "REPLACE(sk, 'a', 'b') = 'bb'",
      "LPAD(sk, 3, '0') = '00a'",
      'LENGTH(sk) = 3',
      'ASCII(sk) = 65',
      "TRANSLATE(sk, 'a', 'b') = 'b'",
      "GREATEST(sk, 'b') = 'b'",
    ]);
  });
});
