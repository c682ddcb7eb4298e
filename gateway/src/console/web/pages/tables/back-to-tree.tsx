import { hrefOf } from '../../app/router.ts';

/** Where the tree does not stand beside what is shown. */
export function BackToTree() {
  return (
    <p class="back tree-back">
      <a data-page href={hrefOf('tables')}>
        All tables
      </a>
    </p>
  );
}
