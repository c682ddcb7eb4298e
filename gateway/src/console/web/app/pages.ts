/**
 * The pages, in the order of the navigation. Each is a folder `../pages/<name>` whose `index.tsx` has the page as its
 * default export; the Query page is part of the first script, so that its editor is there at once.
 */
import { QueryPage } from '../pages/query/index.tsx';
import type { PageEntry } from './page.ts';

export const PAGES: readonly PageEntry[] = Object.freeze([
  {
    path: 'query',
    title: 'Query',
    adminsOnly: false,
    from: 'navigation',
    load: () => Promise.resolve({ default: QueryPage }),
  },
]);

export const FIRST_PAGE = 'query';
