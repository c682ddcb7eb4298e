/** How a range compares with the one before, in exact whole numbers. */

export type Change =
  | { readonly kind: 'same' }
  /** There was nothing before, so there is no percentage. */
  | { readonly kind: 'new' }
  | {
      readonly kind: 'more' | 'less';
      /** Rounded half up; 0 where it is under half a percent. */
      readonly percent: bigint;
    };

export function changeOf(now: bigint, then: bigint): Change {
  if (now === then) return { kind: 'same' };
  if (then === 0n) return { kind: 'new' };
  const difference = now > then ? now - then : then - now;
  const percent = (difference * 200n + then) / (then * 2n);
  return { kind: now > then ? 'more' : 'less', percent };
}

/** `12 % more than in the 30 days before`. */
export function changeInWords(change: Change, days: number): string {
  const before = days === 1 ? 'the day before' : `the ${days} days before`;
  switch (change.kind) {
    case 'same':
      return `As in ${before}`;
    case 'new':
      return `Nothing in ${before}`;
    default: {
      const percent = change.percent === 0n ? 'Under 1' : grouped(change.percent);
      return `${percent} % ${change.kind} than in ${before}`;
    }
  }
}

const grouped = (value: bigint): string => value.toLocaleString('en-US');
