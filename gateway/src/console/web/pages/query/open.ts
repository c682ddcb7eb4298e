/** Puts a statement into the editor; what was there can be had back by undoing. */
import type { SavedQuery } from '../../../api/saved-queries.ts';
import { origin, text } from './text.ts';

export function openSql(sql: string): void {
  origin.value = null;
  text.value = sql;
}

export function openSaved({ savedQueryId, name, version, sql }: SavedQuery): void {
  text.value = sql;
  origin.value = { savedQueryId, name, version, sql };
}
