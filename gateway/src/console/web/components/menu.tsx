import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface MenuProps {
  /** The button's name for screen readers. */
  readonly label: string;
  readonly button: ComponentChildren;
  readonly children: ComponentChildren;
  /** Which side of the button it is flush with. */
  readonly align?: 'start' | 'end';
  /** Of the button; by default it is quiet. */
  readonly class?: string;
}

/**
 * A button that opens a panel below itself. It closes on Escape, on a press elsewhere, and once something in it was
 * chosen, unless that stands within `data-keep-open`.
 */
export function Menu({ label, button, children, align = 'start', class: name = 'button quiet' }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const whole = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  // With the panel, not some time after its first frame: an Escape that comes as soon as one sees it must close it.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const elsewhere = (event: Event): void => {
      if (event.target instanceof Node && whole.current?.contains(event.target) !== true) setOpen(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setOpen(false);
      opener.current?.focus();
    };
    document.addEventListener('pointerdown', elsewhere);
    document.addEventListener('focusin', elsewhere);
    document.addEventListener('keydown', onKey, true);
    return () => {
      document.removeEventListener('pointerdown', elsewhere);
      document.removeEventListener('focusin', elsewhere);
      document.removeEventListener('keydown', onKey, true);
    };
  }, [isOpen]);
  const onPanelClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element) || event.target.closest('[data-keep-open]') !== null) return;
    if (event.target.closest('a, button') === null) return;
    setOpen(false);
    if (event.target.closest('a') === null) opener.current?.focus();
  };
  return (
    <div class="menu" ref={whole}>
      <button
        type="button"
        ref={opener}
        class={name}
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen ? (
        <div class={`menu-panel ${align}`} id={id} onClick={onPanelClick}>
          {children}
        </div>
      ) : null}
    </div>
  );
}
