/** Line drawings, 16 by 16; each stands beside words, or in a button that has a name. */
const PATHS = Object.freeze({
  menu: 'M2 4h12M2 8h12M2 12h12',
  person: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2.5 14a5.5 5.5 0 0 1 11 0',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  play: 'M4.5 2.8v10.4L13 8z',
  stop: 'M4 4h8v8H4z',
  clock: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM8 4.5V8l2.5 1.5',
  star: 'M8 1.8l1.9 4 4.3.6-3.1 3 .7 4.4L8 11.7l-3.8 2.1.7-4.4-3.1-3 4.3-.6z',
  link: 'M6.7 9.3a2.8 2.8 0 0 0 4 0l2.4-2.4a2.8 2.8 0 0 0-4-4L8 4M9.3 6.7a2.8 2.8 0 0 0-4 0L2.9 9.1a2.8 2.8 0 0 0 4 4L8 12',
  download: 'M8 2v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  chart: 'M2 13.5h12M4 11V7M8 11V3M12 11V5.5',
  plus: 'M8 3v10M3 8h10',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.8 10.8L14 14',
  refresh: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9L13.5 5.5M13.5 2v3.5H10',
  down: 'M4 6l4 4 4-4',
  up: 'M4 10l4-4 4 4',
  right: 'M6 4l4 4-4 4',
  warning: 'M8 2L1.5 13.5h13zM8 6.5v3M8 11.5v.4',
  key: 'M5.5 10.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8.5 7.5h6M12 7.5V10',
  table: 'M2 3h12v10H2zM2 6.5h12M6.5 6.5V13',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
});

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
