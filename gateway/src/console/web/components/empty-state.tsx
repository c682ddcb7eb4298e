import type { ComponentChildren } from 'preact';

interface EmptyStateProps {
  readonly title: string;
  /** What it will be, and how to get there. */
  readonly children?: ComponentChildren;
  /** Buttons or links: the first step. */
  readonly action?: ComponentChildren;
}

/** Where there is nothing yet: says what there could be, and offers the first step. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {action === undefined ? null : <div class="actions">{action}</div>}
    </div>
  );
}
