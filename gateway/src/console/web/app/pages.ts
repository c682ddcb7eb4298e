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
  {
    path: 'tables',
    title: 'Tables',
    adminsOnly: false,
    from: 'navigation',
    load: () => import('../pages/tables/index.tsx'),
  },
  {
    path: 'connect',
    title: 'Connect',
    adminsOnly: true,
    from: 'navigation',
    load: () => import('../pages/connect/index.tsx'),
  },
  {
    path: 'usage',
    title: 'Usage',
    adminsOnly: true,
    from: 'navigation',
    load: () => import('../pages/usage/index.tsx'),
  },
  {
    path: 'access',
    title: 'Access',
    adminsOnly: true,
    from: 'navigation',
    load: () => import('../pages/access/index.tsx'),
  },
  {
    path: 'agents',
    title: 'Agents',
    adminsOnly: false,
    from: 'navigation',
    load: () => import('../pages/agents/index.tsx'),
  },
  {
    path: 'account',
    title: 'Your account',
    adminsOnly: false,
    from: 'account-menu',
    load: () => import('../pages/account/index.tsx'),
  },
]);

export const FIRST_PAGE = 'query';
