/** Bounds what results of tabs hold that nobody looks at: a run goes on behind another tab. */
import { effect } from '@preact/signals';
import { HIDDEN_RESULT_BYTES_MAX } from '../limits.ts';
import { longestUnseenFirst, shownTab, tabs } from './open-tabs.ts';
import type { QueryTab } from './query-tab.ts';

/** Subscribes to what grows. */
function bytesOf({ current }: QueryTab): number {
  const run = current.value?.run;
  return run !== undefined && run.rowCount.value > 0 ? run.rows.byteCount : 0;
}

function letGo({ current, isLetGo }: QueryTab): void {
  current.peek()?.run.stop();
  current.value = null;
  isLetGo.value = true;
}

/** Lets results go from now on, those that were not looked at for longest first. @returns what ends it */
export function boundResults(): () => void {
  return effect(() => {
    const hidden = tabs.value.filter((tab) => tab !== shownTab.value);
    const held = longestUnseenFirst(hidden).map((tab) => ({ tab, bytes: bytesOf(tab) }));
    let bytes = held.reduce((sum, each) => sum + each.bytes, 0);
    for (const each of held) {
      if (bytes <= HIDDEN_RESULT_BYTES_MAX) return;
      if (each.bytes === 0) continue;
      bytes -= each.bytes;
      letGo(each.tab);
    }
  });
}
