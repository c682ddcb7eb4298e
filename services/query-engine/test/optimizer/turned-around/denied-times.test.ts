import { expectNothingSaid } from './said-of-keys.ts';

describe('a text key of which it is denied that it is before a time', () => {
  it('may be no time at all, which is neither before nor after', () => {
    expectNothingSaid([
      "NOT (sk < TIMESTAMP '2024-06-01 00:00:00')",
      "NOT (sk >= DATE '2024-06-01')",
      "sk NOT BETWEEN DATE '2024-06-01' AND DATE '2024-06-30'",
      "NOT (LEFT(sk, 10) < DATE '2024-06-01')",
    ]);
  });
});
