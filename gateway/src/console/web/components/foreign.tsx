/** Text that strangers wrote: names, values, errors. */
import { invisible } from './invisible.ts';

/**
 * As text, never as markup; its direction does not reach what stands around it; and characters that are not seen, or
 * that reorder others, are shown by their code.
 */
export function Foreign({ text }: { readonly text: string }) {
  const parts = invisible(text);
  return (
    <bdi class="foreign">
      {parts === null
        ? text
        : parts.map((part, i) =>
            part.code === undefined ? (
              part.text
            ) : (
              <span key={i} class="invisible" title={`An invisible character, ${part.code}`}>
                {part.code}
              </span>
            ),
          )}
    </bdi>
  );
}
