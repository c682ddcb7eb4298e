import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface Tab<Name extends string> {
  readonly name: Name;
  readonly title: ComponentChildren;
  /** Can't be chosen now. */
  readonly disabled?: boolean;
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  readonly children: ComponentChildren;
  /** At the other end of the row. */
  readonly beside?: ComponentChildren;
}

/** Tabs as the ARIA pattern has them: arrow keys move among them, the tab key goes on to what they show. */
export function Tabs<Name extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  children,
  beside,
}: TabsProps<Name>) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const enabled = tabs.filter(({ disabled }) => disabled !== true);
    const at = enabled.findIndex(({ name }) => name === chosen);
    const next = enabled[(at + step + enabled.length) % enabled.length];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onChoose(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-row">
        <div class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map(({ name, title, disabled }) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              class="tab"
              aria-selected={name === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={name === chosen ? 0 : -1}
              disabled={disabled}
              onClick={() => onChoose(name)}
            >
              {title}
            </button>
          ))}
        </div>
        {beside}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  );
}
