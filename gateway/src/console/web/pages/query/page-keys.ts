/** The keys that run, stop and go from tab to tab, wherever on the page the focus is. The editor has its own, for what it completes. */

interface PageKeys {
  readonly onRun: () => void;
  /** @returns whether there was something to stop */
  readonly onStop: () => boolean;
  /** To the tab before or behind the one that is shown. */
  readonly onTab: (step: 1 | -1) => void;
}

/** What is open over the page has the keys for itself; a value that is shown beside the rows closes by Escape. */
const OVER = 'dialog, [popover], .menu, .value-panel';

/** @returns what ends it */
export function listenForKeys({ onRun, onStop, onTab }: PageKeys): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const isOver = event.target instanceof Element && event.target.closest(OVER) !== null;
    if (event.defaultPrevented || event.isComposing || isOver || document.querySelector('dialog[open]'))
      return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onRun();
    } else if (event.altKey && (event.key === 'PageUp' || event.key === 'PageDown')) {
      // What browsers go from tab to tab with, they keep for their own.
      event.preventDefault();
      onTab(event.key === 'PageDown' ? 1 : -1);
    } else if (event.key === 'Escape' && onStop()) event.preventDefault();
  };
  document.addEventListener('keydown', onKeyDown);
  return () => document.removeEventListener('keydown', onKeyDown);
}
