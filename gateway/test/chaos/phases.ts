/**
 * What is exact, and when. Of each tenant, for the time of a phase:
 *
 * | phase      | what dies                          | requests                     | rows                       | read units                               |
 * |------------|------------------------------------|------------------------------|----------------------------|------------------------------------------|
 * | around     | all but gateway and engines        | = statements answered        | = rows answered            | = consumed by the account's log          |
 * | engines    | also engines                       | = statements answered        | = rows answered            | from those answered to those consumed    |
 * | everything | also the gateway; clients leave    | from answered to sent        | from answered, plus a page for each one unanswered | the same          |
 *
 * A statement that is answered 503 was admitted when gateway and auth are up; the gateway that has just been started
 * answers so, too, while it does not know whom it may let in. An engine that is killed takes with it the count of what
 * it had read for answers that it never gave.
 */
import type { Ledger } from './load.ts';
import type { Metered } from './metered.ts';

export const PHASES = ['around', 'engines', 'everything'] as const;

export type PhaseName = (typeof PHASES)[number];

/** Most rows of one answer of the mix. */
const PAGE_ROWS_MAX = 24;

/** What is wrong with the usage of one tenant; empty when nothing is. */
export function discrepancies(phase: PhaseName, ledger: Ledger, metered: Metered): readonly string[] {
  const { sent, admitted, unavailable, unanswered, rows, halfUnits } = ledger;
  const everything = phase === 'everything';
  const answered = admitted + unavailable;
  const problems = [
    between('requests', metered.requests, everything ? admitted : answered, everything ? sent : answered),
    between('rows', metered.rows, rows, everything ? rows + PAGE_ROWS_MAX * unanswered : rows),
    between(
      'half units',
      metered.halfUnits,
      phase === 'around' ? metered.consumedHalfUnits : halfUnits,
      metered.consumedHalfUnits,
    ),
  ];
  return problems.filter((problem) => problem !== null);
}

function between(what: string, value: number, least: number, most: number): string | null {
  if (value >= least && value <= most) return null;
  return `${what}: metered ${value}, expected ${least === most ? least : `${least} to ${most}`}`;
}
