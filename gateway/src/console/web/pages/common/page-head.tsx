import type { ComponentChildren } from 'preact';

interface PageHeadProps {
  readonly title: ComponentChildren;
  /** What one does on the page, in a sentence. */
  readonly lead?: ComponentChildren;
  /** A page has one heading of level 1; what stands beside it has 2, and looks the same. */
  readonly level?: 1 | 2;
  /** At the other end: the page's main buttons. */
  readonly children?: ComponentChildren;
}

export function PageHead({ title, lead, level = 1, children }: PageHeadProps) {
  return (
    <header class="page-head">
      <div>
        {level === 1 ? <h1>{title}</h1> : <h2 class="as-h1">{title}</h2>}
        {lead === undefined ? null : <p class="lead">{lead}</p>}
      </div>
      {children === undefined ? null : <div class="actions">{children}</div>}
    </header>
  );
}
