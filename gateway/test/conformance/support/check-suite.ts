import type { Check, Results } from './suite.ts';

/** What a scenario found wrong, the suite's recommendations included. */
function problemsIn(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
}

/** Passed: something was checked, and nothing was wrong. */
export function hasPassed(checks: readonly Check[]): boolean {
  return checks.some(({ status }) => status === 'SUCCESS') && problemsIn(checks).length === 0;
}

export const describeChecks = (checks: readonly Check[]): string =>
  checks
    .map(({ id, status, description, errorMessage }) => `${status} ${id}: ${errorMessage ?? description}`)
    .join('\n');

/** `scenario:check` of all that was wrong, in the suite's own notation of a baseline. */
export function problemNames(results: Results, scenario: string): readonly string[] {
  const ids = problemsIn(results.get(scenario) ?? []).map(({ id }) => `${scenario}:${id}`);
  return [...new Set(ids)].sort();
}
