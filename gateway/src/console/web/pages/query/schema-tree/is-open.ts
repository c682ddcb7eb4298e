/** Whether the tree of tables stands beside the editor: as one left it, else where there is room. */
import { signal } from '@preact/signals';
import { keep, kept } from '../../../app/kept.ts';

const NAME = 'query.tree';
/** Beside an editor and a plan that can be read. */
const ROOM = '(min-width: 90rem)';

export const isTreeOpen = signal(kept(NAME) === null ? matchMedia(ROOM).matches : kept(NAME) === 'open');

export function setTreeOpen(isOpen: boolean): void {
  isTreeOpen.value = isOpen;
  keep(NAME, isOpen ? 'open' : 'closed');
}
