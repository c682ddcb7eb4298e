/** What requests have found out about the way to Penstock, for the shell to show. */
import { signal } from '@preact/signals';

/** Whether the last request got no answer, and the next try is awaited. */
export const isAway = signal(false);

/** Whether the session has ended since the page was loaded. */
export const isSignedOut = signal(false);
