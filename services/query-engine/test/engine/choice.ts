/** Repeatable choices: the same for the same seed. */
export interface Choice {
  /** A whole number from 0 up to, not including, the bound. */
  readonly int: (below: number) => number;
  readonly pick: <T>(choices: readonly T[]) => T;
  readonly maybe: (probability: number) => boolean;
}

/** Mulberry32: small, and good enough to choose. */
export function choiceFrom(seed: number): Choice {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    pick: (choices) => {
      const choice = choices[int(choices.length)];
      if (choice === undefined) throw new Error('nothing to choose from');
      return choice;
    },
    maybe: (probability) => next() < probability,
  };
}
