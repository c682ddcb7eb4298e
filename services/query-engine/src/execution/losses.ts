/** Counts what a statement lost of the values that it read, and says so. */
import { PenstockError } from '@penstock/common/errors/penstock-error.ts';
import { WANTED_RULES } from '../duckdb-sql/losses/wanted.ts';
import type { LossQuery, PossibleLoss } from '../duckdb-sql/losses/write-losses.ts';
import type { Session } from './session/session.ts';

/** Expressions that warnings name; they say how many more there are. */
const NAMED_MAX = 10;

export interface Losses {
  /** Runs the queries over what is loaded, and adds up. */
  count(session: Session, queries: readonly LossQuery[]): Promise<void>;
  warnings(): readonly string[];
}

const ADVICE: Readonly<Partial<Record<PossibleLoss['wanted'], (shown: string) => string>>> = Object.freeze({
  number: (shown) => `; TRY_CAST(${shown} AS DOUBLE) IS NOT NULL leaves them out`,
  instant: (shown) => `; TRY_CAST(${shown} AS TIMESTAMP) IS NOT NULL leaves them out`,
});

function sentence({ shown, wanted, isConstant }: PossibleLoss, count: number): string {
  const { many, one } = WANTED_RULES[wanted];
  if (isConstant) return `${shown} is ${one}, and counts as NULL`;
  const what =
    count === 1
      ? `1 value of ${shown} is ${one}, and counts as NULL`
      : `${count} values of ${shown} are ${many}, and count as NULL`;
  return `${what}${ADVICE[wanted]?.(shown) ?? ''}`;
}

export function createLosses(): Losses {
  const counts = new Map<string, { readonly loss: PossibleLoss; count: number }>();
  const add = (loss: PossibleLoss, count: number): void => {
    const key = JSON.stringify(loss);
    const known = counts.get(key) ?? { loss, count: 0 };
    counts.set(key, known);
    known.count += count;
  };
  return {
    async count(session, queries) {
      for (const { sql, losses } of queries) {
        try {
          const [row = []] = await session.rows(sql);
          for (const [i, loss] of losses.entries()) add(loss, Number(row[i] ?? 0));
        } catch (error) {
          // What fails here fails in the statement, too, where it matters there.
          if (!(error instanceof PenstockError) || error.code !== 'EXECUTION_ERROR') throw error;
        }
      }
    },
    warnings() {
      const lost = [...counts.values()].filter(({ count }) => count > 0);
      const named = lost.slice(0, NAMED_MAX).map(({ loss, count }) => sentence(loss, count));
      const more = lost.length - named.length;
      return more > 0 ? [...named, `and ${more} more expressions have values that count as NULL`] : named;
    },
  };
}
