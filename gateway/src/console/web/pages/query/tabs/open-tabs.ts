/** Which statements are open beside each other, and which is shown. There is always one. */
import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { QUERY_TABS_MAX } from '../limits.ts';
import { keptTabs } from './kept-tabs.ts';
import { newTab, type QueryTab, type Written } from './query-tab.ts';

const NOTHING: Written = Object.freeze({ text: '', origin: null });

const before = keptTabs();
const open = signal<readonly QueryTab[]>(before.tabs);
const shown = signal(before.shown);

/** In their order. */
export const tabs: ReadonlySignal<readonly QueryTab[]> = open;
export const shownTab: ReadonlySignal<QueryTab> = shown;

/** IDs, the one that was shown last at the end. */
let recent: readonly string[] = [before.shown.id];

/** Of these tabs those that nobody has looked at for longest first. */
export const longestUnseenFirst = (some: readonly QueryTab[]): readonly QueryTab[] =>
  some.toSorted((a, b) => recent.indexOf(a.id) - recent.indexOf(b.id));

export function showTab(tab: QueryTab): void {
  recent = [...recent.filter((id) => id !== tab.id), tab.id];
  shown.value = tab;
}

/** Opens one behind the others and shows it. False where there are as many as there may be. */
export function addTab(written: Written = NOTHING): boolean {
  if (open.peek().length >= QUERY_TABS_MAX) return false;
  const tab = newTab(written);
  batch(() => {
    open.value = [...open.peek(), tab];
    showTab(tab);
  });
  return true;
}

/** Ends its run, too. In the place of the last one there is a new one. */
export function closeTab(tab: QueryTab): void {
  const all = open.peek();
  const at = all.indexOf(tab);
  if (at < 0) return;
  tab.current.peek()?.run.stop();
  const others = all.filter((each) => each !== tab);
  const next = others[at] ?? others.at(-1) ?? newTab(NOTHING);
  recent = recent.filter((id) => id !== tab.id);
  batch(() => {
    open.value = others.length === 0 ? [next] : others;
    if (shown.peek() === tab) showTab(next);
  });
}

/** The tab that is so many places on; behind the last one is the first. */
export function tabBeside(step: number): QueryTab {
  const all = open.peek();
  return all[(all.indexOf(shown.peek()) + step + all.length) % all.length] ?? shown.peek();
}

/** Something of the tab that is shown, as a signal: of another one once that is shown. */
export function ofShown<T>(pick: (tab: QueryTab) => Signal<T>): Pick<Signal<T>, 'value' | 'peek'> {
  return {
    get value() {
      return pick(shown.value).value;
    },
    set value(value: T) {
      pick(shown.peek()).value = value;
    },
    peek: () => pick(shown.peek()).peek(),
  };
}
