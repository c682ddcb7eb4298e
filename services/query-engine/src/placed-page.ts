/** Lets a page begin where the one before it ended, if that is known. */
import { isLeavable, leavablePage } from './planning/leavable-page.ts';
import { parsePosition, positionScope } from './planning/page-position.ts';
import type { PhysicalPlan } from './planning/physical-plan.ts';

/** A position as it is kept. It is of use for the same statement and page in the same scope. */
export interface KeptPosition {
  readonly scope: string;
  readonly text: string;
}

/** Those of one statement. */
export interface KnownPositions {
  /** Where the page that is asked for begins; null where nobody knows. Never rejects, but with the signal's reason. */
  find(scope: string): Promise<string | null>;
  /** The same of what else pages before had, as their columns and their time; most often there is nothing to know. */
  findBesides(scope: string): Promise<string | null>;
}

export interface PlacedPage {
  readonly plan: PhysicalPlan;
  /** Of where it ends; null where that is not to be kept. */
  readonly scope: string | null;
}

/** `positions` null: none are kept. */
export async function placedPage(plan: PhysicalPlan, positions: KnownPositions | null): Promise<PlacedPage> {
  const [read] = plan.reads;
  if (positions === null || read === undefined || !isLeavable(plan)) return { plan, scope: null };
  const scope = positionScope(read);
  const found = plan.page.firstRowIdx === 0 ? null : await positions.find(scope);
  return { plan: leavablePage(plan, found === null ? null : parsePosition(found)), scope };
}
