import { hrefOf } from './router.ts';

/** As on the hosted sign-in pages. */
export function Brand() {
  return (
    <a class="brand" data-page href={hrefOf('query')} aria-label="Penstock">
      <svg class="logo" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
        <rect x="1" y="1" width="22" height="22" rx="6" fill="currentColor" />
        <path
          d="M7 6v12M12 6v7a3 3 0 0 0 5 2"
          fill="none"
          stroke="#fff"
          stroke-width="2.2"
          stroke-linecap="round"
        />
      </svg>
      <span>Penstock</span>
    </a>
  );
}
