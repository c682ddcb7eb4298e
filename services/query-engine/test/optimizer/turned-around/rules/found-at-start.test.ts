import { expectNothingSaid, expectSaid } from '../said-of-keys.ts';

describe('a key where a text is found', () => {
  it('at its start begins so', () => {
    expectSaid({
      "STRPOS(sk, 'A#') = 1": "sk LIKE 'A#%'",
      "INSTR(sk, 'A#') = 1.0": "sk LIKE 'A#%'",
      "POSITION('A#' IN sk) = 1": "sk LIKE 'A#%'",
      "1 = STRPOS(sk, 'A#')": "sk LIKE 'A#%'",
    });
  });

  it('says nothing at another place', () => {
    expectNothingSaid([
      "STRPOS(sk, 'A#') = 2",
      "STRPOS(sk, 'A#') = 0",
      "STRPOS(sk, 'A#') >= 1",
      "STRPOS(sk, 'A#') <= 1",
      "STRPOS('A#', sk) = 1",
      "POSITION(sk IN 'A#') = 1",
      "STRPOS(sk, '') = 1",
      "STRPOS(name, 'A#') = 1",
    ]);
  });
});
