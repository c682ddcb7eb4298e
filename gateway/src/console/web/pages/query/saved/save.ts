/** Saves a query, and finds out who was faster. */
import type { SavedQuery } from '../../../../api/saved-queries.ts';
import { savedQueryPath } from '../../../../api/paths.ts';
import type { Outcome, Problem } from '../../../net/outcome.ts';
import { ask } from '../../../net/request.ts';
import { saveChange, saveNew } from './saved.ts';

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly query: SavedQuery }
  /** Somebody saved it in between; `theirs` is what they made of it. */
  | { readonly kind: 'conflict'; readonly theirs: SavedQuery }
  | { readonly kind: 'failed'; readonly problem: Problem };

const outcomeOf = (saved: Outcome<SavedQuery>): SaveOutcome =>
  saved.ok ? { kind: 'saved', query: saved.value } : { kind: 'failed', problem: saved.problem };

export const saveAsNew = async (name: string, sql: string): Promise<SaveOutcome> =>
  outcomeOf(await saveNew({ name, sql }));

/** Over the version that was read. Where it was deleted meanwhile it is saved anew, under its name. */
export async function saveOver(
  { savedQueryId, name, version }: Pick<SavedQuery, 'savedQueryId' | 'name' | 'version'>,
  sql: string,
): Promise<SaveOutcome> {
  const saved = await saveChange(savedQueryId, { sql, version });
  if (!saved.ok && saved.problem.status === 404) return saveAsNew(name, sql);
  if (saved.ok || saved.problem.code !== 'CONFLICT') return outcomeOf(saved);
  const theirs = await ask<SavedQuery>(savedQueryPath(savedQueryId));
  return theirs.ok ? { kind: 'conflict', theirs: theirs.value } : outcomeOf(saved);
}
