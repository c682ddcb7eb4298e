/** What requests have found out about the way to Penstock, for the shell to show. */
import { signal } from '@preact/signals';

/** Whether the last request got no answer. */
export const isAway = signal(false);

/** Whether the browser says that it has no way to anybody. */
export const isOffline = signal(false);

/** Requests that are tried again in a moment. */
export const waiting = signal(0);

/** Whether the session has ended since the page was loaded. */
export const isSignedOut = signal(false);
