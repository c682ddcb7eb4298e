/** Finding and replacing in the editor. */
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';

export const find: Extension = [highlightSelectionMatches(), search({ top: true }), keymap.of(searchKeymap)];
