/** Who is signed in, asked for now and then so that the session is renewed while the page is used. */
import { computed, signal } from '@preact/signals';
import { PATHS, signInPath } from '../../api/paths.ts';
import type { ConsoleSession, SignedOut } from '../../api/session.ts';
import { isSignedOut } from '../net/connection.ts';
import type { Problem } from '../net/outcome.ts';
import { ask } from '../net/request.ts';
import { claimKept, forgetAll, keepInTab, keptInTab } from './kept.ts';

const RENEWAL_MS = 5 * 60_000;
const PLACE_TO_RETURN = 'fragment';

export type SessionState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'signed-in'; readonly session: ConsoleSession }
  | { readonly kind: 'failed'; readonly problem: Problem };

export const sessionState = signal<SessionState>({ kind: 'loading' });

/** Pages are shown when there is one only, so that they can rely on it. */
export const session = computed<ConsoleSession>(() => {
  if (sessionState.value.kind !== 'signed-in') throw new Error('nobody is signed in');
  return sessionState.value.session;
});

export const isAdmin = computed(() => session.value.user.role === 'admin');

/** Goes to the hosted sign-in, and comes back to where one is. The fragment, which no server sees, is kept here. */
export function goToSignIn(options: { readonly fresh?: boolean } = {}): void {
  if (location.hash !== '') keepInTab(PLACE_TO_RETURN, location.hash);
  location.assign(signInPath(location.pathname + location.search, options));
}

/** Puts the fragment back that goToSignIn kept. */
export function restoreFragment(): void {
  const hash = keptInTab(PLACE_TO_RETURN);
  keepInTab(PLACE_TO_RETURN, null);
  if (hash === null || location.hash !== '') return;
  history.replaceState(null, '', location.pathname + location.search + hash);
}

/** @param isFirst whether the page has just been loaded: then there is nothing yet that a sign-in could lose */
async function renew(isFirst: boolean): Promise<void> {
  const outcome = await ask<ConsoleSession>(PATHS.session);
  if (outcome.ok) {
    isSignedOut.value = false;
    // Somebody else has signed in, here or in another tab: what this page holds is not theirs.
    if (claimKept(outcome.value.user.userId)) return location.reload();
    sessionState.value = { kind: 'signed-in', session: outcome.value };
  } else if (isFirst && outcome.problem.kind === 'signed-out') {
    goToSignIn();
  } else if (sessionState.value.kind !== 'signed-in') {
    sessionState.value = { kind: 'failed', problem: outcome.problem };
  }
}

export const loadSession = (): Promise<void> => renew(true);

/** Looks whether Penstock answers, and to whom. */
export const renewSession = (): Promise<void> => renew(false);

/** Each few minutes, and when the tab is shown again: a sign-in in another tab is noticed so, too. */
export function keepSession(): void {
  setInterval(() => void renew(false), RENEWAL_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void renew(false);
  });
}

/** Ends this session, or all of this user's, and forgets what this browser keeps. */
export async function signOut(where: 'here' | 'everywhere'): Promise<Problem | null> {
  const path = where === 'here' ? PATHS.signOut : PATHS.signOutEverywhere;
  const outcome = await ask<SignedOut>(path, { method: 'POST', repeatable: true });
  if (!outcome.ok && outcome.problem.kind !== 'signed-out') return outcome.problem;
  forgetAll();
  location.assign(signInPath('/console/query', { fresh: true }));
  return null;
}
