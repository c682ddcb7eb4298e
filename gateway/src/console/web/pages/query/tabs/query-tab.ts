/** A statement that is being written, with all that the page holds of it. */
import { signal, type Signal } from '@preact/signals';
import type { PlanState } from '../estimate/planned.ts';
import type { CurrentRun } from '../run/current-run.ts';

/** The saved query that a text came from, and how it was. */
export interface Origin {
  readonly savedQueryId: string;
  readonly name: string;
  readonly version: number;
  readonly sql: string;
  /** E-mail address of whoever saved it. */
  readonly createdBy: string;
}

/** What of a tab outlives a reload. */
export interface Written {
  readonly text: string;
  /** Null: the text came from elsewhere. */
  readonly origin: Origin | null;
}

export interface QueryTab {
  readonly id: string;
  readonly text: Signal<string>;
  readonly origin: Signal<Origin | null>;
  /** Of the last statement of it that was planned. */
  readonly plan: Signal<PlanState>;
  /** The run whose result it shows; null: none. */
  readonly current: Signal<CurrentRun | null>;
  /** Its result was let go, since those of other tabs took its room. */
  readonly isLetGo: Signal<boolean>;
}

export const newTab = ({ text, origin }: Written, id: string = crypto.randomUUID()): QueryTab =>
  Object.freeze({
    id,
    text: signal(text),
    origin: signal(origin),
    plan: signal<PlanState>({ kind: 'empty' }),
    current: signal<CurrentRun | null>(null),
    isLetGo: signal(false),
  });

export const isBlank = ({ text }: QueryTab): boolean => text.peek().trim() === '';

/** Whether its text is the saved query's that it came from. */
export const isAsSaved = ({ text, origin }: QueryTab): boolean => origin.peek()?.sql === text.peek();

const TITLE_CHARS_MAX = 28;

/** The saved query's name, else how the text begins. */
export function titleOf({ text, origin }: Written): string {
  if (origin !== null) return origin.name;
  const words = text
    .replace(/^[\s-]+/, '')
    .slice(0, TITLE_CHARS_MAX * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (words === '') return 'New query';
  return words.length > TITLE_CHARS_MAX ? `${words.slice(0, TITLE_CHARS_MAX)}…` : words;
}
