/** Queries with names, shared by the people of the tenant. */
import { signal } from '@preact/signals';
import { PATHS, savedQueryPath } from '../../../../api/paths.ts';
import type { Page } from '../../../../api/protocol.ts';
import type { NewSavedQuery, SavedQuery, SavedQueryChange } from '../../../../api/saved-queries.ts';
import type { Deleted } from '../../../../api/session.ts';
import { done, type Outcome, type Problem } from '../../../net/outcome.ts';
import { ask } from '../../../net/request.ts';

export type SavedState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly queries: readonly SavedQuery[] }
  | { readonly kind: 'failed'; readonly problem: Problem };

export const savedState = signal<SavedState>({ kind: 'loading' });

const byName = (a: SavedQuery, b: SavedQuery): number => a.name.localeCompare(b.name);

async function all(): Promise<Outcome<readonly SavedQuery[]>> {
  const found: SavedQuery[] = [];
  let next: string | undefined;
  do {
    const query: string = next === undefined ? '' : `?${new URLSearchParams({ nextToken: next }).toString()}`;
    const page = await ask<Page<SavedQuery>>(`${PATHS.savedQueries}${query}`);
    if (!page.ok) return page;
    found.push(...page.value.items);
    next = page.value.nextToken;
  } while (next !== undefined);
  return done(found.sort(byName));
}

/** What was loaded before stays until the answer is there. */
export async function loadSaved(): Promise<void> {
  const found = await all();
  if (found.ok) savedState.value = { kind: 'loaded', queries: found.value };
  else if (savedState.peek().kind !== 'loaded') savedState.value = { kind: 'failed', problem: found.problem };
}

function put(query: SavedQuery): void {
  const state = savedState.peek();
  if (state.kind !== 'loaded') return;
  const others = state.queries.filter(({ savedQueryId }) => savedQueryId !== query.savedQueryId);
  savedState.value = { kind: 'loaded', queries: [...others, query].sort(byName) };
}

export async function saveNew(query: NewSavedQuery): Promise<Outcome<SavedQuery>> {
  const saved = await ask<SavedQuery>(PATHS.savedQueries, { method: 'POST', body: query });
  if (saved.ok) put(saved.value);
  return saved;
}

/** With the version that it was read at, so that what somebody else changed meanwhile is not overwritten. */
export async function saveChange(
  savedQueryId: string,
  change: SavedQueryChange,
): Promise<Outcome<SavedQuery>> {
  const saved = await ask<SavedQuery>(savedQueryPath(savedQueryId), { method: 'PATCH', body: change });
  if (saved.ok) put(saved.value);
  return saved;
}

export async function deleteSaved(savedQueryId: string): Promise<Problem | null> {
  const deleted = await ask<Deleted>(savedQueryPath(savedQueryId), { method: 'DELETE', repeatable: true });
  if (!deleted.ok && deleted.problem.status !== 404) return deleted.problem;
  const state = savedState.peek();
  if (state.kind === 'loaded') {
    const queries = state.queries.filter((query) => query.savedQueryId !== savedQueryId);
    savedState.value = { kind: 'loaded', queries };
  }
  return null;
}
