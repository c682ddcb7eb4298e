/** The statement that is being written: that of the tab that is shown. */
import { effect } from '@preact/signals';
import { keepTabs } from './tabs/kept-tabs.ts';
import { ofShown, shownTab, tabs } from './tabs/open-tabs.ts';

const KEPT_AFTER_MS = 300;

/** What is in the editor. Setting it shows it there. */
export const text = ofShown((tab) => tab.text);

/** The saved query that the text came from; null where it came from elsewhere. */
export const origin = ofShown((tab) => tab.origin);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Keeps what is written, a moment after it was, and at once when the page goes. */
export function keepText(): () => void {
  const now = (): void => {
    clearTimeout(timer);
    keepTabs(tabs.peek(), shownTab.peek());
  };
  const stop = effect(() => {
    for (const tab of [shownTab.value, ...tabs.value]) void [tab.text.value, tab.origin.value];
    clearTimeout(timer);
    timer = setTimeout(now, KEPT_AFTER_MS);
  });
  addEventListener('pagehide', now);
  document.addEventListener('visibilitychange', now);
  return () => {
    now();
    stop();
    removeEventListener('pagehide', now);
    document.removeEventListener('visibilitychange', now);
  };
}
