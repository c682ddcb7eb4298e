/** Light, dark, or as the system has it. */
import { signal } from '@preact/signals';
import { kept, keep } from './kept.ts';

export type Theme = 'system' | 'light' | 'dark';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>(THEMES.find((each) => each === kept('theme')) ?? 'system');

/** On the document at once, and kept in this browser. */
export function applyTheme(chosen: Theme): void {
  theme.value = chosen;
  keep('theme', chosen);
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
}
