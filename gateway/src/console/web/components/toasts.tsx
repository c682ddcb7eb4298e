/** Short messages at the edge that go by themselves, for what has happened elsewhere than where one looks. */
import { signal } from '@preact/signals';
import { Icon } from './icon.tsx';

type Kind = 'success' | 'problem' | 'info';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: Kind;
}

const SHOWN_MS = 5_000;
/** What went wrong stays until it is closed, or for this long. */
const PROBLEM_SHOWN_MS = 15_000;
const TOASTS_MAX = 4;

const toasts = signal<readonly Toast[]>([]);
let made = 0;

function remove(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function notify(text: string, kind: Kind = 'info'): void {
  made += 1;
  const toast = { id: made, text, kind };
  toasts.value = [...toasts.value, toast].slice(-TOASTS_MAX);
  setTimeout(() => remove(toast.id), kind === 'problem' ? PROBLEM_SHOWN_MS : SHOWN_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, kind }) => (
        <div key={id} class={`toast ${kind}`}>
          <bdi>{text}</bdi>
          <button
            type="button"
            class="button quiet icon-only small"
            aria-label="Close"
            onClick={() => remove(id)}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
