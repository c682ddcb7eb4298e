import { nearestNames } from '@penstock/common/text/nearest-names.ts';

/** Names of schemas and tables are short: two slips are as likely as one. */
const EDITS_MIN = 2;

/** As a statement names it. */
const written = (name: string): string =>
  /^[a-z_]\w*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** `Did you mean sales?`, or undefined where no name is near. */
export function didYouMean(asked: string, names: readonly string[]): string | undefined {
  const near = nearestNames(asked, names, EDITS_MIN);
  return near.length === 0 ? undefined : `Did you mean ${near.map(written).join(' or ')}?`;
}
