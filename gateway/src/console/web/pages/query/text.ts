/**
 * The statement that is being written. Each tab has its own, which survives a reload and a sign-in; a new tab begins with
 * the one that was written last.
 */
import { effect, signal } from '@preact/signals';
import { keep, keepInTab, kept, keptInTab } from '../../app/kept.ts';

const NAME = 'query.text';
const KEPT_AFTER_MS = 300;

function keepHere(text: string): void {
  keepInTab(NAME, text);
  keep(NAME, text);
}

/** What is in the editor. Setting it shows it there. */
export const text = signal(keptInTab(NAME) ?? kept(NAME) ?? '');

/** The saved query that the text came from, and how it was; null where it came from elsewhere. */
export const origin = signal<{
  readonly savedQueryId: string;
  readonly name: string;
  readonly version: number;
  readonly sql: string;
  /** E-mail address of whoever saved it. */
  readonly createdBy: string;
} | null>(null);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps what is written, a moment after it was, and at once when the page goes. */
export function keepText(): () => void {
  const now = (): void => {
    clearTimeout(timer);
    keepHere(text.peek());
  };
  const stop = effect(() => {
    void text.value;
    clearTimeout(timer);
    timer = setTimeout(now, KEPT_AFTER_MS);
  });
  addEventListener('pagehide', now);
  document.addEventListener('visibilitychange', now);
  return () => {
    now();
    stop();
    removeEventListener('pagehide', now);
    document.removeEventListener('visibilitychange', now);
  };
}
