/** Which tab takes a statement that is opened; undefined: a new one. What somebody wrote is never written over. */
import { shownTab, tabs } from './open-tabs.ts';
import { isAsSaved, isBlank, type QueryTab } from './query-tab.ts';

const blankOne = (): QueryTab | undefined => [shownTab.peek()].find(isBlank);

/** The one that has it, else the one that is shown, where that is blank. */
export function tabForSql(sql: string): QueryTab | undefined {
  const hasIt = ({ text, origin }: QueryTab): boolean => text.peek() === sql && origin.peek() === null;
  return tabs.peek().find(hasIt) ?? blankOne();
}

/** The one that has the query as it was saved at some time: what was changed in another stays there. */
export function tabForSaved(savedQueryId: string): QueryTab | undefined {
  const hasIt = (tab: QueryTab): boolean =>
    tab.origin.peek()?.savedQueryId === savedQueryId && isAsSaved(tab);
  return tabs.peek().find(hasIt) ?? blankOne();
}
