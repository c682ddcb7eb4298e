import type { States } from '../state.ts';
import { accessStates } from './access.ts';
import { agentsStates } from './agents.ts';
import { connectStates } from './connect.ts';
import { queryStates } from './query.ts';
import { tablesStates } from './tables.ts';
import { usageStates } from './usage.ts';

/** Every page and state of the console that there are pictures of, by the name of the picture. */
export const CONSOLE_STATES: States = Object.freeze({
  ...queryStates,
  ...tablesStates,
  ...connectStates,
  ...usageStates,
  ...accessStates,
  ...agentsStates,
});
