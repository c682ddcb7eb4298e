/**
 * Secrets and links that are shown this once, kept in memory until somebody says that they are stored: another tab of the
 * page, or another page of the console, loses none.
 */
import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { ClientCredentials } from '../../../api/clients.ts';
import type { Invitation } from '../../../api/people.ts';

interface ShownOnce<T> {
  readonly shown: ReadonlySignal<readonly T[]>;
  /** The newest stands first. */
  show(value: T): void;
  forget(value: T): void;
}

function shownOnce<T>(): ShownOnce<T> {
  const shown = signal<readonly T[]>([]);
  return {
    shown,
    show: (value) => void (shown.value = [value, ...shown.peek()]),
    forget: (value) => void (shown.value = shown.peek().filter((each) => each !== value)),
  };
}

export const secrets = shownOnce<ClientCredentials>();
export const invitations = shownOnce<Invitation>();

/** The browser asks whether one means to leave. */
const ask = (event: Event): void => event.preventDefault();

/** Has the browser ask before the console is left while something would be lost by it. @returns what ends that */
export function guardShownOnce(
  page: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>,
): () => void {
  return effect(() => {
    if (secrets.shown.value.length + invitations.shown.value.length === 0) return undefined;
    page.addEventListener('beforeunload', ask);
    return () => page.removeEventListener('beforeunload', ask);
  });
}
