/** Numbers, sizes and times for people. Values of cells are never written by these: they keep all their digits. */
const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const ONE_PLACE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** `1,234`. */
export const count = (number: number): string => WHOLE.format(number);

/** Read units: to the half below a hundred, whole above. */
export const units = (number: number): string =>
  number < 100 ? ONE_PLACE.format(number) : WHOLE.format(number);

/** `1 row`, `2 rows`. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : many}`;

/** `850 ms`, `2.4 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${count(ms)} ms`;
  if (ms < 60_000) return `${ONE_PLACE.format(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${count(Math.floor(seconds / 60))} min ${seconds % 60} s`;
}

const SIZES = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** `512 bytes`, `1.2 MB`: of thousands. */
export function bytes(number: number): string {
  const power = number < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(number) / 3));
  return `${ONE_PLACE.format(number / 1_000 ** power)} ${SIZES[power]}`;
}

const DATE_TIME = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** Of an ISO 8601 time, in the browser's own zone. */
export const dateTime = (timestamp: string): string => DATE_TIME.format(new Date(timestamp));

const RELATIVE = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });
const STEPS = [
  [60_000, 1_000, 'second'],
  [3_600_000, 60_000, 'minute'],
  [86_400_000, 3_600_000, 'hour'],
  [Infinity, 86_400_000, 'day'],
] as const;

/** `5 minutes ago`; of times that lie ahead, `in 3 hours`. */
export function ago(timestamp: string, now = Date.now()): string {
  const ms = new Date(timestamp).getTime() - now;
  const [, size, unit] = STEPS.find(([below]) => Math.abs(ms) < below) ?? STEPS[3];
  return RELATIVE.format(Math.round(ms / size), unit);
}
