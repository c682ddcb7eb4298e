import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a key that begins so', () => {
  it('is what STARTS_WITH and LIKE of an expression say', () => {
    expectSaid({
      "STARTS_WITH(sk, 'A#')": "sk LIKE 'A#%'",
      "STARTS_WITH(sk, 'A_')": "sk LIKE 'A!_%' ESCAPE '!'",
      "CAST(sk AS VARCHAR) LIKE 'A#%'": "sk LIKE 'A#%'",
      "CAST(sk AS VARCHAR) LIKE 'A_b%'": "sk LIKE 'A%'",
      "CAST(sk AS VARCHAR) LIKE 'A!_b%' ESCAPE '!'": "sk LIKE 'A!_b%' ESCAPE '!'",
      "CAST(sk AS VARCHAR) LIKE 'Ab'": "sk = 'Ab'",
      "sk || '' LIKE 'A#%'": "sk LIKE 'A#%'",
      "CAST(n AS VARCHAR) LIKE '7'": 'n = 7',
    });
  });

  it('is not where letters have no case, the pattern begins with a wildcard, or it is denied', () => {
    expectNothingSaid([
      "STARTS_WITH(sk, '')",
      'STARTS_WITH(sk, name)',
      "STARTS_WITH(name, 'A')",
      "NOT STARTS_WITH(sk, 'A')",
      "STARTS_WITH(UPPER(sk), 'A')",
      "CAST(sk AS VARCHAR) LIKE '%A'",
      "CAST(sk AS VARCHAR) ILIKE 'A%'",
      "CAST(sk AS VARCHAR) NOT LIKE 'A%'",
      "NOT CAST(sk AS VARCHAR) LIKE 'A%'",
      "LOWER(sk) LIKE 'a%'",
      "sk LIKE 'A%'",
      "ENDS_WITH(sk, 'A')",
      "CONTAINS(sk, 'A')",
    ]);
  });
});
