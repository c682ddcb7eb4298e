/**
 * The tabs as this tab of the browser keeps them: they outlive a reload and a sign-in. Each is kept by itself, so that only
 * what was written is written again. A new tab of the browser begins with the text that was written last.
 */
import { keep, keepInTab, kept, keptInTab } from '../../../app/kept.ts';
import { QUERY_TABS_MAX } from '../limits.ts';
import { newTab, type Origin, type QueryTab, type Written } from './query-tab.ts';

const LAST_TEXT = 'query.text';
const LIST = 'query.tabs';
const nameOf = (id: string): string => `query.tab.${id}`;

interface KeptList {
  readonly ids: readonly string[];
  readonly shown: string;
}

export interface KeptTabs {
  readonly tabs: readonly [QueryTab, ...QueryTab[]];
  readonly shown: QueryTab;
}

function parsed(name: string): unknown {
  try {
    return JSON.parse(keptInTab(name) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

const fieldsOf = <T>(value: unknown): Partial<Record<keyof T, unknown>> =>
  typeof value === 'object' && value !== null ? value : {};

function asOrigin(value: unknown): Origin | null {
  const { savedQueryId, name, version, sql, createdBy } = fieldsOf<Origin>(value);
  return typeof savedQueryId === 'string' &&
    typeof name === 'string' &&
    typeof version === 'number' &&
    typeof sql === 'string' &&
    typeof createdBy === 'string'
    ? { savedQueryId, name, version, sql, createdBy }
    : null;
}

/** By ID, as they were kept last. */
const written = new Map<string, Written>();

function keptTab(id: unknown): readonly QueryTab[] {
  if (typeof id !== 'string') return [];
  const { text, origin } = fieldsOf<Written>(parsed(nameOf(id)));
  if (typeof text !== 'string') return [];
  const was: Written = { text, origin: asOrigin(origin) };
  written.set(id, was);
  return [newTab(was, id)];
}

/** As they were, or one with the text that was written last. */
export function keptTabs(): KeptTabs {
  const { ids, shown } = fieldsOf<KeptList>(parsed(LIST));
  const [first, ...others] = Array.isArray(ids) ? ids.slice(0, QUERY_TABS_MAX).flatMap(keptTab) : [];
  const tabs = [
    first ?? newTab({ text: keptInTab(LAST_TEXT) ?? kept(LAST_TEXT) ?? '', origin: null }),
    ...others,
  ] as const;
  return { tabs, shown: tabs.find(({ id }) => id === shown) ?? tabs[0] };
}

/** Keeps what was written since it was called last, and forgets tabs that are closed. */
export function keepTabs(tabs: readonly QueryTab[], shown: QueryTab): void {
  const list: KeptList = { ids: tabs.map(({ id }) => id), shown: shown.id };
  keepInTab(LIST, JSON.stringify(list));
  for (const { id, text, origin } of tabs) {
    const now: Written = { text: text.peek(), origin: origin.peek() };
    const before = written.get(id);
    if (before?.text === now.text && before.origin === now.origin) continue;
    written.set(id, now);
    keepInTab(nameOf(id), JSON.stringify(now));
  }
  for (const id of written.keys()) {
    if (list.ids.includes(id)) continue;
    written.delete(id);
    keepInTab(nameOf(id), null);
  }
  keep(LAST_TEXT, shown.text.peek());
}
