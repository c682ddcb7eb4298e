import type { Attempt } from './attempt.ts';
import type { Rows } from './rows.ts';
import type { RunOther } from './run-other.ts';
import type { Served } from './served.ts';
import type { WhoAnswers } from './whose.ts';

/** What the simple and the extended protocol share in one session. */
export interface ProtocolParts {
  readonly rows: Rows;
  readonly runOther: RunOther;
  readonly whoAnswers: WhoAnswers;
  readonly served: Served;
  readonly attempt: Attempt;
}
