import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a cast of a key to text', () => {
  it('is the text, and equals the number that it spells', () => {
    expectSaid({
      "CAST(pk AS VARCHAR) = 'a'": "pk = 'a'",
      "pk::text >= 'a'": "pk >= 'a'",
      "TRY_CAST(CAST(pk AS TEXT) AS STRING) BETWEEN 'a' AND 'b'": "(pk >= 'a') AND (pk <= 'b')",
      "CAST(pk AS CHAR) IN ('a', 'b')": "(pk = 'a') OR (pk = 'b')",
      "CAST(n AS VARCHAR) = '7'": 'n = 7',
      "CAST(n AS VARCHAR) IN ('-0.5', '07')": '(n = -0.5) OR (n = 07)',
      // These compare with a number as it does with a text, whatever that comes to.
      "CAST(n AS VARCHAR) = '1e3'": "n = '1e3'",
      "CAST(b AS VARCHAR) = 'Hw=='": "b = 'Hw=='",
    });
  });

  it('is no longer the text where it has a length', () => {
    expectSaid({ "CAST(pk AS VARCHAR(3)) = 'abc'": "pk LIKE 'abc%'" });
  });

  it('says nothing of the order of numbers and bytes, nor of other types', () => {
    expectNothingSaid([
      "CAST(n AS VARCHAR) < '7'",
      "CAST(n AS VARCHAR) LIKE '7%'",
      "CAST(b AS VARCHAR) >= 'Hw=='",
      'CAST(pk AS VARCHAR) = 7',
      "CAST(name AS VARCHAR) = 'a'",
      "CAST(pk AS VARCHAR) <> 'a'",
      'CAST(pk AS VARCHAR) = name',
    ]);
  });
});
