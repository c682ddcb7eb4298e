/** Puts a statement into the editor; what was there can be had back by undoing. */
import { signal } from '@preact/signals';
import type { SavedQuery } from '../../../api/saved-queries.ts';
import { origin, text } from './text.ts';

/** Rises with each: the editor takes the focus, so that the keys that run it work. */
export const openings = signal(0);

/** Text that is to stand where the caret is, and how many there were: the editor writes each once. */
export const insertion = signal({ text: '', count: 0 });

export function insertText(inserted: string): void {
  insertion.value = { text: inserted, count: insertion.peek().count + 1 };
}

export function openSql(sql: string): void {
  origin.value = null;
  text.value = sql;
  openings.value += 1;
}

export function openSaved({ savedQueryId, name, version, sql, createdBy }: SavedQuery): void {
  text.value = sql;
  origin.value = { savedQueryId, name, version, sql, createdBy };
  openings.value += 1;
}
