import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('the first part of a key', () => {
  it('that equals a text is the whole key, or stands before the delimiter', () => {
    expectSaid({
      "SPLIT_PART(sk, '#', 1) = 'A'": "(sk = 'A') OR (sk LIKE 'A#%')",
      "SPLIT_PART(sk, '::', 1) = 'A'": "(sk = 'A') OR (sk LIKE 'A::%')",
      "SPLIT_PART(sk, '_', 1) = 'A'": "(sk = 'A') OR (sk LIKE 'A!_%' ESCAPE '!')",
      "SPLIT_PART(sk, '#', 1) = ''": "(sk = '') OR (sk LIKE '#%')",
      "SPLIT(sk, '#')[0] = 'A'": "(sk = 'A') OR (sk LIKE 'A#%')",
      "STRING_TO_ARRAY(sk, '#')[0] = 'A'": "(sk = 'A') OR (sk LIKE 'A#%')",
      "SPLIT_PART(CAST(sk AS VARCHAR), '#', 1) = 'A'": "(sk = 'A') OR (sk LIKE 'A#%')",
    });
  });

  it('bounds the key, with what may follow a part that the text begins with', () => {
    expectSaid({
      "SPLIT_PART(sk, '#', 1) >= 'AB'": "sk >= 'AB'",
      "SPLIT_PART(sk, '#', 1) > 'AB'": "sk > 'AB'",
      "SPLIT_PART(sk, '#', 1) <= 'AB'": "sk < 'AB$'",
      "SPLIT_PART(sk, '#', 1) < 'AB'": "sk < 'AB'",
      // 'A|…' has the part 'A', which is below 'AB', and is above it.
      "SPLIT_PART(sk, '|', 1) < 'AB'": "sk < '}'",
      "SPLIT_PART(sk, 'a', 1) < 'xy'": "sk < 'xy'",
    });
  });

  it('says nothing by itself where it is another part, from the end, or between all characters', () => {
    expectNothingSaid([
      "SPLIT_PART(sk, '#', 2) = 'A'",
      "SPLIT_PART(sk, '#', 0) = ''",
      "SPLIT_PART(sk, '#', -1) = 'A'",
      "SPLIT_PART(sk, '', 1) = 'A'",
      "SPLIT_PART(sk, name, 1) = 'A'",
      "SPLIT_PART(sk, '#', 1) = 7",
      "SPLIT_PART(sk, '#', 1) <> 'A'",
      "SPLIT(sk, '#')[-1] = 'A'",
      "SPLIT(sk, '#')[1] = 'A'",
      "SPLIT_PART(name, '#', 1) = 'A'",
    ]);
  });
});
