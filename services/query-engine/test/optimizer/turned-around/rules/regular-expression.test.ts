import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a regular expression of a key', () => {
  it('that begins with ^ and plain characters says what the key begins with', () => {
    expectSaid({
      "REGEXP_MATCHES(sk, '^A#')": "sk LIKE 'A#%'",
      "REGEXP_LIKE(sk, '^A#', 'c')": "sk LIKE 'A#%'",
      "sk ~ '^A#.*x'": "sk LIKE 'A#%'",
      "sk ~ '^A#[0-9|]'": "sk LIKE 'A#%'",
      "sk ~ '^a\\.b\\d'": "sk LIKE 'a.b%'",
      "sk ~ '^abc$'": "sk = 'abc'",
      "sk ~ '^a%'": "sk LIKE 'a!%%' ESCAPE '!'",
      "sk ~ '^é😀?'": "sk LIKE 'é%'",
    });
  });

  it('leaves out the character that a quantifier may take away', () => {
    expectSaid({
      "sk ~ '^abc*'": "sk LIKE 'ab%'",
      "sk ~ '^abc?'": "sk LIKE 'ab%'",
      "sk ~ '^abc{0,}'": "sk LIKE 'ab%'",
      "sk ~ '^abc+'": "sk LIKE 'abc%'",
      "sk ~ '^ab(cd)*'": "sk LIKE 'ab%'",
      "sk ~ '^ab\\.*'": "sk LIKE 'ab%'",
    });
  });

  it('tells alternatives apart, each of which begins so', () => {
    expectSaid({
      "sk ~ '^a|^b'": "(sk LIKE 'a%') OR (sk LIKE 'b%')",
      "sk ~ '^(a|b)c'": "(sk LIKE 'ac%') OR (sk LIKE 'bc%')",
      "sk ~ '^(?:a|b)$'": "(sk = 'a') OR (sk = 'b')",
      "sk ~ '^(a.|b)c'": "(sk LIKE 'a%') OR (sk LIKE 'bc%')",
      "sk ~ '^x(a|)b'": "(sk LIKE 'xab%') OR (sk LIKE 'xb%')",
      "sk SIMILAR TO 'A#%'": "sk LIKE 'A#%'",
      "sk SIMILAR TO 'A#1'": "sk = 'A#1'",
      "sk SIMILAR TO 'A_|B%'": "(sk LIKE 'A%') OR (sk LIKE 'B%')",
      "sk SIMILAR TO '(A|B)#%'": "(sk LIKE 'A#%') OR (sk LIKE 'B#%')",
    });
  });

  it('says nothing where it may match anywhere, or anything first', () => {
    expectNothingSaid([
      "sk ~ 'abc'",
      "sk ~ '^abc|d'",
      "sk ~ 'd|^abc'",
      "sk ~ '^(a|b)*c'",
      "sk ~ '^(|a)'",
      "sk ~ '^*abc'",
      "sk ~ '^?abc'",
      "sk ~ '^[ab]c'",
      "sk ~ '^.abc'",
      "sk ~ '^a?bc'",
      "sk ~ '^$'",
      "sk ~ '^\\d'",
      "sk ~ '^a\\Qb|c\\E'",
      "sk ~ '^(?P<x>ab)'",
      "sk !~ '^abc'",
      "sk SIMILAR TO '%abc'",
      "sk NOT SIMILAR TO 'abc%'",
      'sk ~ name',
      "name ~ '^abc'",
    ]);
  });

  it('says nothing where letters have no case, or ^ begins a line', () => {
    expectNothingSaid([
      "sk ~* '^abc'",
      "sk ~ '^(?i)abc'",
      "sk ~ '(?i)^abc'",
      "sk ~ '(?m)^abc'",
      "sk ~ '^(?i:abc)'",
      "REGEXP_MATCHES(sk, '^abc', 'i')",
      "REGEXP_MATCHES(sk, '^abc', 'm')",
      "REGEXP_MATCHES(sk, '^abc', 'n')",
      "REGEXP_MATCHES(sk, '^abc', 'l')",
      "REGEXP_MATCHES(sk, '^abc', 'ci')",
    ]);
  });
});
