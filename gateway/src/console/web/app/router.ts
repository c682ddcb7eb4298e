/** Where one is in the console: the path decides the page. */
import { signal } from '@preact/signals';

export const BASE = '/console';

export interface Place {
  /** Below /console, without slashes at its ends: `query`, `tables/shop/orders`. */
  readonly path: string;
  readonly search: URLSearchParams;
  /** With its `#`, or empty. */
  readonly hash: string;
}

function placeOf({ pathname, search, hash }: { pathname: string; search: string; hash: string }): Place {
  const path = pathname.slice(BASE.length).replace(/^\/|\/$/g, '');
  return { path, search: new URLSearchParams(search), hash };
}

export const place = signal<Place>(placeOf(location));

/** Goes to a path below /console, with what may follow it: `tables/shop?search=x`. */
export function navigate(to: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const url = new URL(to === '' ? BASE : `${BASE}/${to}`, location.origin);
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  place.value = placeOf(url);
}

/** The address of a path below /console, for `href`. Names in it must be encoded, as pathTo does. */
export const hrefOf = (to: string): string => `${BASE}/${to}`;

/** Joins parts into a path, each encoded: names of tables may hold anything. */
export const pathTo = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('/');

/** The parts of a path, decoded. One that can't be decoded is left as it is. */
export function partsOf(path: string): readonly string[] {
  return path.split('/').map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

/** Follows links to console pages without loading the document anew. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    place.value = placeOf(location);
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.target !== '' || link.hasAttribute('download')) return;
    const url = new URL(link.href, location.href);
    const isPage = url.origin === location.origin && link.hasAttribute('data-page');
    if (!isPage) return;
    event.preventDefault();
    navigate(url.pathname.slice(BASE.length + 1) + url.search + url.hash);
    scrollTo(0, 0);
  });
}
