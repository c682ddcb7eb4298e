/** Looks whether a star's reads met attributes that its result has no column for: before its header, and after it. */
import { joinedMet, type MetAttributes } from '../catalog/met-attributes.ts';
import type { KeptAnswers } from '../dynamodb/reader/kept-answers.ts';
import type { Position } from '../parser/ast.ts';
import { asMet, breaksOnLate, lateError, type LateAttributes } from './late-attributes.ts';
import type { AttributeWatch } from './loading/new-attributes.ts';
import type { ResultFormat } from './results/row-format.ts';

/** Nothing was answered yet, and a star is to have more columns. */
export class MetError extends Error {}

export interface LateChecks {
  /** Before the header. Throws MetError where the columns can still be added, else as `check`. */
  readonly checkFirst: () => void;
  /** Throws PenstockError where the result ends with what came late. */
  readonly check: () => void;
  /** What the reads met and no column of the star has. */
  readonly met: () => readonly MetAttributes[];
}

export interface LateChecksParts {
  readonly attributes: Pick<AttributeWatch, 'lost' | 'documented'>;
  /** Null where no column may be added. */
  readonly answers: KeptAnswers | null;
  /** The statement may be planned once more. */
  readonly mayMeet: boolean;
  readonly late: LateAttributes;
  readonly format: ResultFormat;
  readonly sql: string;
  /** Where the star stands. */
  readonly star: Position;
}

export function lateChecks(parts: LateChecksParts): LateChecks {
  const { attributes, answers, mayMeet, late, format, sql, star } = parts;
  const check = (): void => {
    if (attributes.lost().size > 0 && breaksOnLate(format, late))
      throw lateError(attributes.lost(), late, { sql, pos: star });
  };
  return {
    check,
    checkFirst() {
      const hasMet = attributes.lost().size + attributes.documented().size > 0;
      if (hasMet && mayMeet && answers?.isWhole === true) throw new MetError();
      check();
      answers?.drop();
    },
    met: () => joinedMet(asMet(attributes.lost()), asMet(attributes.documented())),
  };
}
