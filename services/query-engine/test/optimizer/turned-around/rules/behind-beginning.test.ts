import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a piece of a key behind a known beginning', () => {
  it('is a range behind that', () => {
    expectSaid({
      "sk LIKE 'ORDER#%' AND SPLIT_PART(sk, '#', 2) = '7'": "(sk = 'ORDER#7') OR (sk LIKE 'ORDER#7#%')",
      "sk LIKE 'ORDER#%' AND SPLIT_PART(sk, '#', 2) >= '7'": "(sk LIKE 'ORDER#%') AND (sk >= 'ORDER#7')",
      "sk LIKE 'ORDER#%' AND SPLIT_PART(sk, '#', 2) < '7'": "(sk LIKE 'ORDER#%') AND (sk < 'ORDER#7')",
      "sk LIKE 'ORDER#%' AND SPLIT_PART(sk, '#', 2) <= '7'": "(sk LIKE 'ORDER#%') AND (sk < 'ORDER#7$')",
      "sk LIKE 'ORDER#%' AND SPLIT(sk, '#')[1] = '7'": "(sk = 'ORDER#7') OR (sk LIKE 'ORDER#7#%')",
      "sk LIKE 'ORDER#%' AND SUBSTR(sk, 7, 4) = '2026'": "sk LIKE 'ORDER#2026%'",
      "sk LIKE 'ORDER#%' AND SUBSTR(sk, 7, 4) = '20'": "sk = 'ORDER#20'",
      "sk LIKE 'ORDER#%' AND SUBSTR(sk, 7, 4) = '2026-'": 'FALSE',
      "sk LIKE 'ORDER#%' AND SUBSTR(sk, 7) = '2026'": "sk = 'ORDER#2026'",
      "sk LIKE 'ORDER#%' AND SUBSTR(sk, 7, 4) >= '2026'": "(sk LIKE 'ORDER#%') AND (sk >= 'ORDER#2026')",
      "sk LIKE 'é😀%' AND SUBSTR(sk, 3, 1) = 'x'": "sk LIKE 'é😀x%'",
    });
  });

  it('is told by more of the beginning than is needed, too', () => {
    expectSaid({
      "sk LIKE 'ORDER#2%' AND SPLIT_PART(sk, '#', 2) = '27'": "(sk = 'ORDER#27') OR (sk LIKE 'ORDER#27#%')",
      "sk LIKE 'ORDER#2%' AND SUBSTR(sk, 7, 2) = '27'": "sk LIKE 'ORDER#27%'",
      "sk LIKE 'a#b#%' AND SPLIT_PART(sk, '#', 3) = 'c'": "(sk = 'a#b#c') OR (sk LIKE 'a#b#c#%')",
    });
  });

  it('is told by whatever says how the key begins', () => {
    const seven = "(sk = 'A#7') OR (sk LIKE 'A#7#%')";
    expectSaid({
      "SPLIT_PART(sk, '#', 1) = 'A' AND SPLIT_PART(sk, '#', 2) = '7'": `((sk = 'A') OR (sk LIKE 'A#%')) AND (${seven})`,
      "LEFT(sk, 2) = 'A#' AND SPLIT_PART(sk, '#', 2) = '7'": `sk LIKE 'A#%' AND (${seven})`,
      "sk >= 'A#' AND sk < 'A$' AND SPLIT_PART(sk, '#', 2) = '7'": seven,
      "sk BETWEEN 'A#1' AND 'A#9' AND SPLIT_PART(sk, '#', 2) = '7'": seven,
      "sk IN ('A#7', 'A#8') AND SPLIT_PART(sk, '#', 2) = '7'": "(sk = 'A#7') OR (sk = 'A#8')",
      "(sk LIKE 'A#%' OR sk LIKE 'B#%') AND SUBSTR(sk, 3, 1) = '7'": "(sk LIKE 'A#7%') OR (sk LIKE 'B#7%')",
      "sk LIKE 'A#%' AND (SUBSTR(sk, 3) = '7' OR SUBSTR(sk, 3) = '8')": "(sk = 'A#7') OR (sk = 'A#8')",
      "(sk LIKE 'A#%' AND SUBSTR(sk, 3) = '7') OR sk = 'x'":
        "((sk LIKE 'A#%') AND (sk = 'A#7')) OR (sk = 'x')",
      "NOT (NOT sk LIKE 'A#%' OR SUBSTR(sk, 3) <> '7')": "sk = 'A#7'",
    });
  });

  it('of a key that may end before it is empty: that is below a text, and never equals one', () => {
    expectSaid({
      "sk IN ('A', 'B#x') AND SPLIT_PART(sk, '#', 2) < '7'": "(sk = 'A') OR (sk = 'B#x')",
      "sk IN ('A', 'B#x') AND SPLIT_PART(sk, '#', 2) = '7'": "sk = 'B#x'",
      "sk IN ('A', 'B#x') AND SPLIT_PART(sk, '#', 2) = ''": "(sk = 'A') OR (sk = 'B#x')",
    });
  });

  it('is not told of lists that would become too many conditions', () => {
    const texts = (count: number): string => Array.from({ length: count }, (_, i) => `'A#${i}x'`).join(', ');
    expectNothingSaid([`sk IN (${texts(99)}) AND SPLIT_PART(sk, '#', 2) IN (${texts(1000)})`]);
  });

  it('says nothing where the beginning is not known, or ends too early', () => {
    expectNothingSaid([
      "SPLIT_PART(sk, '#', 2) = '7'",
      "SUBSTR(sk, 7, 4) = '2026'",
      "pk LIKE 'ORDER#%' AND SPLIT_PART(sk, '#', 2) = '7'",
      "sk LIKE 'ORDER%' AND SPLIT_PART(sk, '#', 2) = '7'",
      "sk LIKE 'ORDER#%' AND SPLIT_PART(sk, '#', 3) = '7'",
      "sk LIKE 'ORDER#%' AND SPLIT_PART(sk, '#', -1) = '7'",
      "sk LIKE 'ORDER#%' AND SUBSTR(sk, 8, 4) = '2026'",
      "sk LIKE 'ORDER#%' AND SUBSTR(sk, 7, 4) <> '2026'",
      "sk NOT LIKE 'ORDER#%' AND SUBSTR(sk, 7, 4) = '2026'",
      "sk ILIKE 'ORDER#%' AND SUBSTR(sk, 7, 4) = '2026'",
      "sk >= 'ORDER#' AND SUBSTR(sk, 7, 4) = '2026'",
      "(sk LIKE 'A#%' OR name = 'x') AND SUBSTR(sk, 3, 1) = '7'",
      "sk LIKE 'A#%' OR SUBSTR(sk, 3, 1) = '7'",
    ]);
  });
});
