/** What the editor underlines: the error of the last plan, or of the last run, while its statement still stands there. */
import type { Diagnostic } from '@codemirror/lint';
import { computed } from '@preact/signals';
import type { Problem } from '../../../net/outcome.ts';
import { tables } from '../catalog.ts';
import { planState } from '../estimate/plan-ahead.ts';
import { current } from '../run/current.ts';
import { text } from '../text.ts';
import { errorPlace, type ErrorPlace } from './error-place.ts';

interface Wrong {
  readonly sql: string;
  readonly offset: number;
  readonly problem: Problem;
}

const wrong = computed((): Wrong | null => {
  const plan = planState.value;
  if (plan.kind === 'wrong') return { sql: plan.sql, offset: 0, problem: plan.problem };
  const shown = current.value;
  const state = shown?.run.state.value;
  if (shown === null || state?.kind !== 'failed') return null;
  return { sql: shown.run.sql, offset: shown.offset, problem: state.problem };
});

interface MarkedError {
  readonly place: ErrorPlace;
  readonly problem: Problem;
}

/** Null where nothing is wrong, or no place of what is written now is known for it. */
export const markedError = computed((): MarkedError | null => {
  const found = wrong.value;
  if (found === null) return null;
  const { sql, offset, problem } = found;
  if (text.value.slice(offset, offset + sql.length) !== sql) return null;
  const place = errorPlace(sql, problem, offset, tables.value);
  return place === null ? null : { place, problem };
});

/** Writes a suggestion in the place of what is wrong. */
function apply({ from, to }: ErrorPlace, suggestion: string): void {
  const written = text.peek();
  text.value = written.slice(0, from) + suggestion + written.slice(to);
}

/** @returns whether there was a suggestion to apply */
export function applySuggestion(): boolean {
  const marked = markedError.peek();
  const [first] = marked?.place.suggestions ?? [];
  if (marked === null || first === undefined) return false;
  apply(marked.place, first);
  return true;
}

/** The first line of what there is to say; the caret's lines show what the underline shows. */
const messageOf = ({ message, detail }: Problem): string =>
  detail?.split('\n')[0]?.replace(/^(?:\w+ )*at line \d+, column \d+: /, '') ?? message;

export const diagnostics = computed((): readonly Diagnostic[] => {
  const marked = markedError.value;
  if (marked === null) return [];
  const { place, problem } = marked;
  const actions = place.suggestions.map((suggestion) => ({
    name: `Write ${suggestion}`,
    apply: () => apply(place, suggestion),
  }));
  return [{ from: place.from, to: place.to, severity: 'error', message: messageOf(problem), actions }];
});
