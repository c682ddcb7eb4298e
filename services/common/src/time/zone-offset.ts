/** How far clocks in a time zone are ahead of UTC, by Node.js's own data of zones. */
import { boundedCache } from '../caching/bounded-cache.ts';

/** Zones change their offset at most so often; seconds of them. */
const STEP_SECONDS = 900;
/** Offsets and zones that are remembered. */
const OFFSETS_MAX = 20_000;
const ZONES_MAX = 200;

const formats = boundedCache<Intl.DateTimeFormat | null>(ZONES_MAX);
const offsets = boundedCache<number>(OFFSETS_MAX);

/** Null: there is no such zone. */
function formatOf(zone: string): Intl.DateTimeFormat | null {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat | null = null;
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    // A RangeError says that the zone is unknown.
  }
  formats.set(zone, format);
  return format;
}

/**
 * Seconds that clocks in a zone are ahead of UTC, below zero where they are behind; null where there is no such zone.
 * @param zone an IANA name, such as Europe/Paris
 * @param seconds since 1970-01-01 UTC
 */
export function zoneOffset(zone: string, seconds: number): number | null {
  const format = formatOf(zone);
  if (format === null) return null;
  const step = Math.floor(seconds / STEP_SECONDS);
  const key = `${zone} ${step}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const parts = format.formatToParts(step * STEP_SECONDS * 1000);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0', rest = '0'] =
    /^GMT([+-])(\d\d):?(\d\d)?:?(\d\d)?$/.exec(name) ?? [];
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
  const offset = sign === '-' ? -size : size;
  offsets.set(key, offset);
  return offset;
}
