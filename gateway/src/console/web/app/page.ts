import type { ComponentType } from 'preact';

/** A page of the console. Its code is loaded when it is first shown. */
export interface PageEntry {
  /** The first part of its path below /console; what follows is the page's own to read from `place`. */
  readonly path: string;
  /** In the navigation and in the tab's title. */
  readonly title: string;
  readonly adminsOnly: boolean;
  /** Where it is reached from. */
  readonly from: 'navigation' | 'account-menu';
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}
