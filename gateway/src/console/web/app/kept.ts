/**
 * What this browser keeps between visits. Where it keeps nothing (a private window, a full disk) the console works,
 * and forgets.
 */
const PREFIX = 'penstock.';

/** What a page still holds when it goes is not kept, then. */
let isForgotten = false;

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** @returns whether it is kept; null forgets */
export function keep(name: string, value: string | null): boolean {
  try {
    if (isForgotten || value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
    return true;
  } catch {
    return false;
  }
}

/** What was kept as JSON, where it still is of that shape. */
export function keptJson<T>(name: string, isShape: (value: unknown) => value is T): T | null {
  const text = kept(name);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isShape(value) ? value : null;
  } catch {
    return null;
  }
}

/** As `kept`, of this tab alone: it outlives a reload and a sign-in. */
export function keptInTab(name: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** As `keep`, for this tab alone. */
export function keepInTab(name: string, value: string | null): void {
  try {
    if (isForgotten || value === null) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, value);
  } catch {
    // As above.
  }
}

function clear(storage: Storage): void {
  for (const name of Object.keys(storage)) if (name.startsWith(PREFIX)) storage.removeItem(name);
}

/** Removes everything that this browser keeps of the console, and keeps no more: after signing out, the next person sees none of it. */
export function forgetAll(): void {
  isForgotten = true;
  try {
    clear(localStorage);
    clear(sessionStorage);
  } catch {
    // Nothing is kept where nothing can be.
  }
}

const OWNER = 'owner';

/** @returns whether what is kept was somebody else's; then it is gone, and what the page holds of it is to be loaded anew */
export function claimKept(userId: string): boolean {
  const before = kept(OWNER);
  const isOthers = before !== null && before !== userId;
  if (isOthers) {
    forgetAll();
    isForgotten = false;
  }
  keep(OWNER, userId);
  // The page that is about to go must not put its own back.
  isForgotten = isOthers;
  return isOthers;
}
