/** What scopes and roles allow, in words. */

import type { Role, Scope } from '../../../api/session.ts';

export interface Right {
  readonly name: string;
  /** What whoever has it may do. */
  readonly words: string;
}

/** All scopes of API clients, the two that a new client has first. */
export const SCOPES: readonly (Right & { readonly name: Scope })[] = Object.freeze([
  { name: 'query', words: 'Run and plan queries. Reads use the read capacity of your tables.' },
  { name: 'schemas:read', words: 'See schemas and tables: names, keys, columns, sizes.' },
  {
    name: 'schemas:write',
    words: 'Connect, change and delete schemas; refresh their tables; check their roles.',
  },
  { name: 'usage:read', words: 'See what was used, day by day.' },
]);

/** What a new client has, as the API gives it where none is asked for. */
export const DEFAULT_SCOPES: readonly Scope[] = Object.freeze(['query', 'schemas:read']);

export const ROLES: readonly (Right & { readonly name: Role })[] = Object.freeze([
  { name: 'member', words: 'Queries, sees schemas and tables, and connects agents in their own name.' },
  {
    name: 'admin',
    words: 'The same, and connects accounts, sees usage, sets budgets, manages API clients and people.',
  },
]);
