/** Asks each statement over REST and by each other way, and tells where rows or read units differ. */
import type { Way } from './ask.ts';
import { compareRows } from './same.ts';
import type { Statement } from './statements.ts';

export interface Difference {
  readonly way: string;
  readonly of: string;
  readonly sql: string;
  readonly why: string;
}

export interface Comparison {
  readonly statements: number;
  readonly rows: number;
  /** By way: answered alike, refused alike, and refused since the announced type does not hold a value. */
  readonly counts: Readonly<Record<string, Record<'same' | 'both fail' | 'misfit', number>>>;
  readonly differences: readonly Difference[];
}

export async function compareWays(
  rest: Way,
  others: readonly Way[],
  statements: readonly Statement[],
): Promise<Comparison> {
  const counts = Object.fromEntries(others.map(({ name }) => [name, { same: 0, 'both fail': 0, misfit: 0 }]));
  const differences: Difference[] = [];
  let rows = 0;
  for (const { of, sql, ordered } of statements) {
    const expected = await rest.ask(sql);
    if ('rows' in expected) rows += expected.rows.length;
    for (const way of others) {
      const verdict = compareRows(expected, await way.ask(sql), ordered);
      const own = counts[way.name];
      if (verdict.kind === 'differs') differences.push({ way: way.name, of, sql, why: verdict.why });
      else if (own !== undefined) own[verdict.kind]++;
    }
  }
  return { statements: statements.length, rows, counts, differences };
}
