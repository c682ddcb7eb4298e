import type { Edit } from './modes.ts';

/** The text with the edit made. @throws Error unless what is to be replaced occurs exactly once */
export function applyEdit(text: string, { file, from, to }: Edit): string {
  const parts = text.split(from);
  if (parts.length !== 2)
    throw new Error(
      `${file} has ${parts.length - 1} times, not once, the text that an edit replaces: ${from}`,
    );
  return parts.join(to);
}
