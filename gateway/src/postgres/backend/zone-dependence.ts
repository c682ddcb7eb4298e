/**
 * Tells whether what a statement computes may go by the session's TimeZone, while the engine computes in UTC: dates, parts and texts
 * of times with a zone, and times that are written without one. Instants alone are the same in any zone. PostgreSQL's plan tells it,
 * rather too often than too rarely.
 */

import { arrayOidOf, OID } from '../types/oids.ts';

/** `timetz`, and an array of it: no value of theirs crosses. */
const TIMETZ_OIDS = [1266, 1270];
const ZONED_OIDS: ReadonlySet<number> = new Set([OID.timestamptz, arrayOidOf('timestamptz'), ...TIMETZ_OIDS]);

/** Types and functions of times with a zone, as EXPLAIN writes them. */
const ZONED =
  /with time zone|\b(?:now|(?:transaction|statement|clock)_timestamp|timeofday|to_timestamp|make_timestamptz)\(|\bCURRENT_TIMESTAMP\b/;
/** Words for the session's date and time of day, which go by its zone whatever else there is. */
const OF_THE_SESSION = /\b(?:CURRENT_DATE|CURRENT_TIME|LOCALTIME|LOCALTIMESTAMP)\b|AT LOCAL\b/;
/** Changes from a time with a zone to one without, or there and back: the session's zone has no part in them. */
const LEFT =
  /\((?:(?:\([^()]*\)|'[^']*')::timestamp with time zone|now\(\)) AT TIME ZONE '[^']*'::text\)|AT TIME ZONE '[^']*'::text\) AT TIME ZONE '[^']*'::text/g;
const CHANGES_ZONE = /AT TIME ZONE|\btimezone\(/;
const CONSTANTS = /'[^']*'::text|'-?\d+:\d\d:\d\d(?:\.\d+)?'::interval/g;
/** Functions, casts and types that make dates, parts, texts or other days of times. */
const COMPUTES =
  /\b(?:date_trunc|date_part|EXTRACT|to_char|age|date_bin|concat\w*|format|\w*json\w*|array_to_string|string_agg|date|time|timestamp)\(|\bAT TIME ZONE\b|\btimezone\(|::(?:date|text|character|json)|without time zone|interval/;
/** A time that is written without its offset. */
const WITHOUT_OFFSET = /'\s*\d{4}-\d\d?-\d\d?(?:[T ][\d:.]*)?'/i;

/** @param oids types of its columns and parameters */
export function planGoesByZone(sql: string, plan: string, oids: readonly number[]): boolean {
  if (OF_THE_SESSION.test(plan)) return true;
  const left = plan.replaceAll(LEFT, '');
  const isZoned = oids.some((oid) => ZONED_OIDS.has(oid)) || ZONED.test(left) || CHANGES_ZONE.test(left);
  const isRead = isZoned || ZONED.test(plan);
  return (isZoned && COMPUTES.test(left.replaceAll(CONSTANTS, ''))) || (isRead && WITHOUT_OFFSET.test(sql));
}

/** Words by which a statement that PostgreSQL cannot read may have times with a zone. */
export const ZONE_WORDS: ReadonlySet<string> = new Set([
  ...['now', 'today', 'current_date', 'current_time', 'current_timestamp', 'localtime', 'localtimestamp'],
  ...['timestamptz', 'timetz', 'zone', 'timezone', 'to_timestamp', 'from_unixtime', 'transaction_timestamp'],
]);

/** Names of UTC; in the last form PostgreSQL has an offset of zero. */
const UTC = /^(?:(?:etc\/)?(?:utc|uct|gmt(?:[+-]?0)?|zulu|universal|greenwich)|<\+00>-00)$/i;

export const isUtc = (zone: string): boolean => UTC.test(zone);
