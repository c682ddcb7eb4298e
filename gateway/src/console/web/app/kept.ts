/**
 * What this browser keeps between visits. Where it keeps nothing (a private window, a full disk) the console works,
 * and forgets.
 */
const PREFIX = 'penstock.';

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
    if (value === null) localStorage.removeItem(PREFIX + name);
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

/** Removes everything that this browser keeps of the console: after signing out, the next person sees none of it. */
export function forgetAll(): void {
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
  } catch {
    // Nothing is kept where nothing can be.
  }
}
