import type { ComponentChildren } from 'preact';

interface PageHeadProps {
  readonly title: ComponentChildren;
  /** What one does on the page, in a sentence. */
  readonly lead?: ComponentChildren;
  /** At the other end: the page's main buttons. */
  readonly children?: ComponentChildren;
}

export function PageHead({ title, lead, children }: PageHeadProps) {
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
      </div>
      {children === undefined ? null : <div class="actions">{children}</div>}
    </header>
  );
}
