/** The edge between editor and result: dragged, or moved by arrow keys. */
import { signal } from '@preact/signals';
import { keep, kept } from '../../app/kept.ts';

const NAME = 'query.editorShare';
const [LEAST, MOST, STEP] = [15, 80, 5];

/** How much of the page's height the editor has, in percent. */
export const editorShare = signal(Math.max(LEAST, Math.min(MOST, Number(kept(NAME)) || 50)));

function set(share: number): void {
  editorShare.value = Math.round(Math.max(LEAST, Math.min(MOST, share)));
  keep(NAME, String(editorShare.value));
}

function drag(event: PointerEvent): void {
  const handle = event.currentTarget;
  const page = handle instanceof HTMLElement ? handle.parentElement : null;
  if (!(handle instanceof HTMLElement) || page === null) return;
  event.preventDefault();
  handle.setPointerCapture(event.pointerId);
  const controller = new AbortController();
  const { signal: until } = controller;
  const { top, height } = page.getBoundingClientRect();
  handle.addEventListener('pointermove', (now) => set(((now.clientY - top) / height) * 100), {
    signal: until,
  });
  handle.addEventListener('pointerup', () => controller.abort(), { signal: until });
  handle.addEventListener('pointercancel', () => controller.abort(), { signal: until });
}

export function Splitter() {
  return (
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-label="Height of the editor"
      aria-orientation="horizontal"
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={editorShare.value}
      onPointerDown={drag}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowUp' ? -STEP : event.key === 'ArrowDown' ? STEP : 0;
        if (step === 0) return;
        event.preventDefault();
        set(editorShare.peek() + step);
      }}
    />
  );
}
