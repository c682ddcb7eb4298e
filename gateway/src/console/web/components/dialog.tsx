import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** Buttons below; the last is the one to press. */
  readonly actions?: ComponentChildren;
  /** Asked to close, by the button, Escape or a press beside it. The owner takes the dialog away. */
  readonly onClose: () => void;
  /** Called on Enter in one of its fields, and by a button of type "submit". */
  readonly onSubmit?: () => void;
  readonly wide?: boolean;
}

/** A modal dialog: the browser keeps the focus in it, and gives it back afterwards. */
export function Dialog({ title, children, actions, onClose, onSubmit, wide = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      // Unless whoever closed it put the focus somewhere.
      const isNowhere = document.activeElement === null || document.activeElement === document.body;
      if (before instanceof HTMLElement && isNowhere) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <form
        class="dialog-body"
        // What is wrong is said below its field, as everywhere.
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" class="button quiet icon-only" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div class="dialog-content">{children}</div>
        {actions === undefined ? null : <footer class="actions">{actions}</footer>}
      </form>
    </dialog>
  );
}
