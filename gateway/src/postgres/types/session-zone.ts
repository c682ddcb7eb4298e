/** A session's TimeZone: its IANA name, and times with a zone as they are shown in it. */
import { zoneOffset } from '@penstock/common/time/zone-offset.ts';
import { timestampMicros, timestampOfMicros } from './instants.ts';
import type { WriteValue } from './misfit.ts';

/** PostgreSQL's names of UTC; in the last form it has an offset of zero. */
const UTC = /^(?:(?:etc\/)?(?:utc|uct|gmt(?:[+-]?0)?|zulu|universal|greenwich)|<\+00>-00)$/i;
/** `SET TIME ZONE 2`, as PostgreSQL has it then. */
const WHOLE_HOURS = /^<[+-]\d\d>([+-])(\d\d)$/;
/** Etc/GMT has so many, by the sign that it and PostgreSQL write: how far UTC is ahead. */
const HOURS_MAX = Object.freeze({ '+': 12, '-': 14 });

/** The zone by its IANA name; as it is where it has none. */
export function zoneName(zone: string): string {
  if (UTC.test(zone)) return 'UTC';
  const [, sign, hours] = WHOLE_HOURS.exec(zone) ?? [];
  if ((sign !== '+' && sign !== '-') || Number(hours) > HOURS_MAX[sign]) return zone;
  return `Etc/GMT${sign}${Number(hours)}`;
}

const MICROS = 1_000_000n;
const EPOCH_SECONDS = Date.UTC(2000, 0, 1) / 1000;

const two = (value: number): string => String(value).padStart(2, '0');

/** `+02`, `-03:30`, or with seconds where clocks had them. */
function offsetText(offset: number): string {
  const size = Math.abs(offset);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60];
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
  return `${offset < 0 ? '-' : '+'}${parts.map(two).join(':')}`;
}

/** Times that are shown by a clock; infinities, and those before the year 1, stay as they are. */
const SHOWN = /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})?\+00$/;

/** A writer of times with a zone as clocks in the zone show them, made of one that writes them in UTC. */
export function shownIn(zone: string, write: WriteValue): WriteValue {
  if (zone === 'UTC') return write;
  return (token) => {
    const text = write(token);
    if (typeof text !== 'string' || !SHOWN.test(text)) return text;
    const micros = timestampMicros(text);
    // Zones change at whole quarters of an hour.
    const offset = zoneOffset(
      zone,
      Math.floor(Number(micros / MICROS)) + EPOCH_SECONDS - (micros < 0n ? 1 : 0),
    );
    // Times are shown in UTC where the zone has no name.
    return offset === null ? text : timestampOfMicros(micros + BigInt(offset) * MICROS) + offsetText(offset);
  };
}
