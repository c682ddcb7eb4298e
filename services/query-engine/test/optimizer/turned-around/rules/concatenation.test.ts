import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a key between constants', () => {
  it('is what remains of the text that they equal', () => {
    expectSaid({
      "'A#' || pk = 'A#7'": "pk = '7'",
      "pk || '#x' = '7#x'": "pk = '7'",
      "'A#' || pk || '#x' = 'A#7#x'": "pk = '7'",
      "'A#' || n = 'A#7'": 'n = 7',
      "CONCAT('A', '#', pk) = 'A#7'": "pk = '7'",
      "CONCAT('A#', pk, '#x') IN ('A#7#x', 'A#8#x')": "(pk = '7') OR (pk = '8')",
      "CONCAT(pk, NULL) = '7'": "pk = '7'",
      "LEFT('A#' || pk, 3) = 'A#7'": "(pk >= '7') AND (pk < '8')",
    });
  });

  it('is nothing where the text does not begin and end so', () => {
    expectSaid({
      "'A#' || pk = 'B#7'": 'FALSE',
      "pk || '#x' = '7#y'": 'FALSE',
      "CONCAT('ab', pk, 'bc') = 'abc'": 'FALSE',
    });
  });

  it('is above or below what remains, behind constants', () => {
    expectSaid({
      "'A#' || pk >= 'A#7'": "pk >= '7'",
      "'A#' || pk < 'A#7'": "pk < '7'",
      "CONCAT('A#', pk) >= 'A#7'": "pk >= '7'",
    });
  });

  it('is told by columns beside it that equal a text', () => {
    const known = "pk = 'A' AND ";
    expectSaid({
      [`${known}pk || '#' || sk = 'A#7'`]: "sk = '7'",
      [`${known}CONCAT(pk, '#', sk) = 'A#7'`]: "sk = '7'",
      [`${known}CONCAT(pk, '#', sk) LIKE 'A#7%'`]: "sk LIKE '7%'",
      [`${known}STARTS_WITH(pk || '#' || sk, 'A#7')`]: "sk LIKE '7%'",
      [`${known}pk || '#' || sk BETWEEN 'A#7' AND 'A#9'`]: "(sk >= '7') AND (sk <= '9')",
      "LEFT(pk, 2) = 'A' AND sk || pk = '7A'": "pk = 'A' AND sk = '7'",
    });
    expectNothingSaid([
      `${known}pk || '#' || sk = 'B#7'`,
      `${known}pk || '#' || sk LIKE 'A%'`,
      `${known}sk || pk LIKE '7A%'`,
      `${known}pk || name = 'A7'`,
      "pk LIKE 'A%' AND pk || '#' || sk = 'A#7'",
      "pk IN ('A', 'B') AND pk || '#' || sk = 'A#7'",
      "n = 7 AND n || '#' || sk = '7#x'",
    ]);
  });

  it('begins with what remains of a beginning', () => {
    expectSaid({
      "'A#' || sk LIKE 'A#7%'": "sk LIKE '7%'",
      "CONCAT('A#', sk) LIKE 'A#7_'": "sk LIKE '7%'",
      "CONCAT('A#', sk) LIKE 'A#7'": "sk = '7'",
    });
    expectNothingSaid(["CONCAT('A#', sk) LIKE 'A#%'", "CONCAT('A#', sk) LIKE 'A%'", "sk || '#' LIKE '7#%'"]);
  });

  it('says nothing where the order is not its own, or NULL would pass', () => {
    expectNothingSaid([
      "pk || '#x' >= '7#x'",
      "'A#' || pk >= 'B'",
      "'A#' || n >= 'A#7'",
      "CONCAT('A#', pk) < 'A#7'",
      "CONCAT('A#', pk) = 'A#'",
      "CONCAT('A#', pk) >= 'A#'",
      "'A#' || name = 'A#7'",
      "pk || name = 'A#7'",
      "CONCAT(pk, '#', sk) = 'A#7'",
      "CONCAT_WS('#', pk, 'x') = 'A#x'",
      "'A#' || pk <> 'A#7'",
      'NULL || pk = sk',
    ]);
  });
});
