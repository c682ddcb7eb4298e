import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Spinner } from './loading.tsx';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class'> {
  /** Beside its own. */
  readonly class?: string;
  /** `primary`: the one thing to do here; `danger`: what can't be undone; `quiet`: without a border. */
  readonly kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
  readonly small?: boolean;
  /** While what it began is under way: it shows so, and takes no second press. */
  readonly busy?: boolean;
  readonly children: ComponentChildren;
}

export function Button({
  kind = 'secondary',
  small,
  busy = false,
  class: more = '',
  children,
  ...rest
}: ButtonProps) {
  const name = `button ${kind}${small === true ? ' small' : ''} ${more}`;
  return (
    <button
      type="button"
      {...rest}
      class={name.trimEnd()}
      aria-busy={busy ? true : undefined}
      disabled={busy || rest.disabled === true}
    >
      {busy ? <Spinner /> : null}
      {children}
    </button>
  );
}
