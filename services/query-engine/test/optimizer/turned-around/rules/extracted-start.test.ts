import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('what a regular expression extracts from the start of a key', () => {
  it('is what the key begins with, and not above it', () => {
    expectSaid({
      "REGEXP_EXTRACT(sk, '^[A-Z]+') = 'ORDER'": "sk LIKE 'ORDER%'",
      "REGEXP_EXTRACT(sk, '^[A-Z]+', 0) >= 'ORDER'": "sk >= 'ORDER'",
      "REGEXP_EXTRACT(sk, '^([^#]+)#', 1) = 'ORDER'": "sk LIKE 'ORDER%'",
      "REGEXP_EXTRACT(sk, '^a+|^b+') > 'a'": "sk > 'a'",
    });
  });

  it('says nothing where it may be from elsewhere, or empty', () => {
    expectNothingSaid([
      "REGEXP_EXTRACT(sk, '[A-Z]+') = 'ORDER'",
      "REGEXP_EXTRACT(sk, '^a|[A-Z]+') = 'ORDER'",
      "REGEXP_EXTRACT(sk, '^*[A-Z]+') = 'ORDER'",
      "REGEXP_EXTRACT(sk, '^[A-Z]+') < 'ORDER'",
      "REGEXP_EXTRACT(sk, '^[A-Z]+') = ''",
      "REGEXP_EXTRACT(sk, '^[A-Z]+#(.*)', 1) = 'ORDER'",
      "REGEXP_EXTRACT(sk, '^([A-Z])+', 1) = 'R'",
      "REGEXP_EXTRACT(sk, '^([A-Z])*', 1) = 'R'",
      "REGEXP_EXTRACT(sk, '^(?:[A-Z])(.)', 1) = 'R'",
      "REGEXP_EXTRACT(sk, '^([A-Z])(.)', 2) = 'R'",
      "REGEXP_EXTRACT(sk, '^[A-Z]+', 0, 'i') = 'order'",
      "REGEXP_EXTRACT(sk, '^[A-Z]+', 0, 'm') = 'ORDER'",
      "REGEXP_EXTRACT(name, '^[A-Z]+') = 'ORDER'",
    ]);
  });
});
