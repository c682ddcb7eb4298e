/** Puts a statement beside those that are there, in a tab. */
import { batch, signal } from '@preact/signals';
import type { SavedQuery } from '../../../api/saved-queries.ts';
import { notify } from '../../components/toasts.tsx';
import { QUERY_TABS_MAX } from './limits.ts';
import { addTab, showTab } from './tabs/open-tabs.ts';
import type { QueryTab, Written } from './tabs/query-tab.ts';
import { tabForSaved, tabForSql } from './tabs/which-tab.ts';

/** Rises with each: the editor takes the focus, so that the keys that run it work. */
export const openings = signal(0);

/** Text that is to stand where the caret is, and how many there were: the editor writes each once. */
export const insertion = signal({ text: '', count: 0 });

export function insertText(inserted: string): void {
  insertion.value = { text: inserted, count: insertion.peek().count + 1 };
}

function writeInto(tab: QueryTab, { text, origin }: Written): true {
  batch(() => {
    tab.text.value = text;
    tab.origin.value = origin;
    showTab(tab);
  });
  return true;
}

/** @returns false where there are too many tabs, which is said */
function open(written: Written, tab: QueryTab | undefined): boolean {
  const isOpen = tab === undefined ? addTab(written) : writeInto(tab, written);
  if (isOpen) openings.value += 1;
  else notify(`${QUERY_TABS_MAX} queries are open, as many as there may be: close one first.`, 'problem');
  return isOpen;
}

/** @returns as `open` does */
export const openNew = (): boolean => open({ text: '', origin: null }, undefined);

/** @returns as `open` does */
export const openSql = (sql: string): boolean => open({ text: sql, origin: null }, tabForSql(sql));

/** @returns as `open` does */
export const openSaved = ({ savedQueryId, name, version, sql, createdBy }: SavedQuery): boolean =>
  open({ text: sql, origin: { savedQueryId, name, version, sql, createdBy } }, tabForSaved(savedQueryId));
