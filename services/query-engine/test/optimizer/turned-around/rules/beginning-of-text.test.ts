import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('the beginning of a key', () => {
  it('that equals a text of its length is what the key begins with', () => {
    expectSaid({
      "LEFT(sk, 8) = 'PROFILE#'": "sk LIKE 'PROFILE#%'",
      "SUBSTR(sk, 1, 8) = 'PROFILE#'": "sk LIKE 'PROFILE#%'",
      "SUBSTRING(sk FROM 1 FOR 2) IN ('a#', 'b#')": "(sk LIKE 'a#%') OR (sk LIKE 'b#%')",
      "LEFT(sk, 3) = 'a_%'": "sk LIKE 'a!_!%%' ESCAPE '!'",
      "LEFT(sk, 3) = 'a!b'": "sk LIKE 'a!b%'",
      // Characters are counted, not bytes or halves of pairs.
      "LEFT(sk, 2) = 'é😀'": "sk LIKE 'é😀%'",
      "LEFT(LEFT(sk, 5), 2) = 'ab'": "(sk >= 'ab') AND (sk < 'ac')",
    });
  });

  it('that equals a shorter text is the whole key, and never a longer one', () => {
    expectSaid({
      "LEFT(sk, 8) = 'PROFILE'": "sk = 'PROFILE'",
      "LEFT(sk, 1) = '😀'": "sk LIKE '😀%'",
      "LEFT(sk, 8) = 'PROFILE#1'": 'FALSE',
      "SUBSTR(sk, 1) = 'ab'": "sk = 'ab'",
    });
  });

  it('that is above or below a text bounds the key, where the text is as long, shorter or longer', () => {
    expectSaid({
      "LEFT(sk, 2) < 'ab'": "sk < 'ab'",
      "LEFT(sk, 2) <= 'ab'": "sk < 'ac'",
      "LEFT(sk, 2) > 'ab'": "sk >= 'ac'",
      "LEFT(sk, 2) >= 'ab'": "sk >= 'ab'",
      "LEFT(sk, 3) < 'ab'": "sk < 'ab'",
      "LEFT(sk, 3) <= 'ab'": "sk <= 'ab'",
      "LEFT(sk, 3) > 'ab'": "sk > 'ab'",
      "LEFT(sk, 3) >= 'ab'": "sk >= 'ab'",
      "LEFT(sk, 2) < 'abc'": "sk < 'ac'",
      "LEFT(sk, 2) <= 'abc'": "sk < 'ac'",
      "LEFT(sk, 2) > 'abc'": "sk >= 'ac'",
      "LEFT(sk, 2) >= 'abc'": "sk >= 'ac'",
      "LEFT(sk, 2) BETWEEN 'ab' AND 'cd'": "(sk >= 'ab') AND (sk < 'ce')",
      "'ab' <= LEFT(sk, 2)": "sk >= 'ab'",
    });
  });

  it('says nothing where it is not from the start, not so many characters, or compared with no text', () => {
    expectNothingSaid([
      "LEFT(sk, -2) = 'ab'",
      "LEFT(sk, 0) = ''",
      "LEFT(sk, 2.5) = 'ab'",
      "LEFT(sk, LENGTH(name)) = 'ab'",
      "RIGHT(sk, 2) = 'ab'",
      "SUBSTR(sk, 2, 2) = 'ab'",
      "SUBSTR(sk, 0, 2) = 'a'",
      "SUBSTR(sk, -2, 2) = 'ab'",
      "SUBSTR(sk, 1, -1) = ''",
      'LEFT(sk, 2) = 12',
      "LEFT(sk, 2) <> 'ab'",
      "LEFT(name, 2) = 'ab'",
      "LEFT(n, 2) = '12'",
      "LEFT(UPPER(sk), 2) = 'AB'",
    ]);
  });

  it('of the last character that there is has no bound above', () => {
    expectNothingSaid(["LEFT(sk, 1) <= '\u{10FFFF}'"]);
    expectSaid({ "LEFT(sk, 2) <= 'a\u{10FFFF}'": "sk < 'b'", "LEFT(sk, 1) <= '\uD7FF'": "sk < '\uE000'" });
  });
});
