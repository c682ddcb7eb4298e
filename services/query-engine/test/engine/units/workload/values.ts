/** Values that tables and queries are made of. */
import type { Choice } from '../../choice.ts';
import { s } from '../../shop.ts';
import type { TestItem } from '../../engine-table.ts';

/** How many there are of what. */
export interface Sizes {
  readonly orders: number;
  /** Customers, and how many of them have orders where these are spread evenly. */
  readonly customers: number;
  readonly buyers: number;
}

export function sizesFor(orders: number): Sizes {
  return Object.freeze({ orders, customers: Math.ceil(orders / 13), buyers: Math.ceil(orders / 50) });
}

export const PICKS = 12;
export const REGIONS = ['africa', 'america', 'antarctica', 'asia', 'australia', 'europe'] as const;
/** The later, the rarer: each half as frequent as the one before. */
export const STATUSES = ['closed', 'shipped', 'paid', 'open', 'returned', 'lost'] as const;
export const CITIES = 25;

export const numbered = (letter: string, i: number, digits = 3): string =>
  letter + String(i).padStart(digits, '0');
export const day = (i: number): string =>
  new Date(Date.UTC(2024, 0, 1 + (i % 366))).toISOString().slice(0, 'yyyy-mm-dd'.length);
export const halving = <T>(choice: Choice, values: readonly T[]): T =>
  values.find((_, i) => i === values.length - 1 || choice.maybe(1 / 2))!;

/** Some text, so that items are of different sizes. */
export const padding = (choice: Choice, bytes: number): TestItem => ({
  pad: s('x'.repeat(Math.round(bytes * (0.6 + choice.int(80) / 100)))),
});
