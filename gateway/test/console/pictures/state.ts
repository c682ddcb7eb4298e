import type { Page } from 'playwright-core';
import type { Answers } from './answers.ts';

export type Act = (page: Page) => Promise<void>;

/** A page of the console as somebody meets it. */
export interface State {
  /** Below /console. */
  readonly path: string;
  /** Beside those of `signedIn`. */
  readonly answers: Answers;
  /** What is seen once it stands. */
  readonly shows: string | RegExp;
  /** What one does before the picture. */
  readonly act?: Act;
}

export type States = Readonly<Record<string, State>>;
