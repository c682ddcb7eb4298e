/** The range in the page's address, so that a link, back and forward show the same days. */
import { latest, rangeProblem, thisMonth, type Range } from './range.ts';

/** What is offered; `null` days: from the first of the month. */
export const PRESETS: readonly {
  readonly name: string;
  readonly title: string;
  readonly days: number | null;
}[] = Object.freeze([
  { name: '7', title: '7 days', days: 7 },
  { name: '30', title: '30 days', days: 30 },
  { name: '90', title: '90 days', days: 90 },
  { name: 'month', title: 'This month', days: null },
]);

const DEFAULT_PRESET = '30';

/** The days of a preset, today. */
export function presetRange(name: string, nowMs: number): Range | null {
  const preset = PRESETS.find((each) => each.name === name);
  if (preset === undefined) return null;
  return preset.days === null ? thisMonth(nowMs) : latest(preset.days, nowMs);
}

/** What an address asks for; where it asks for no range that there is, the last 30 days. */
export function rangeOf(search: URLSearchParams, nowMs: number): Range {
  const range = { startDate: search.get('from') ?? '', endDate: search.get('to') ?? '' };
  if (rangeProblem(range) === null) return range;
  return presetRange(search.get('days') ?? DEFAULT_PRESET, nowMs) ?? latest(30, nowMs);
}

/** The preset that a range is today; null: it is another. */
export function presetOf(range: Range, nowMs: number): string | null {
  const preset = PRESETS.find(({ name }) => {
    const its = presetRange(name, nowMs);
    return its?.startDate === range.startDate && its.endDate === range.endDate;
  });
  return preset?.name ?? null;
}

export function searchOf(chosen: { readonly preset: string } | Range): string {
  return 'preset' in chosen ? `days=${chosen.preset}` : `from=${chosen.startDate}&to=${chosen.endDate}`;
}
