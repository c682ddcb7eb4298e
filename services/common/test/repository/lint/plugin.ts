/** Lint rules of this repository's own, for the linter (.oxlintrc.json). */
import { constantReplacements } from './constant-replacements.ts';
import { explainedSleeps } from './explained-sleeps.ts';

export default {
  meta: { name: 'penstock' },
  rules: { 'constant-replacements': constantReplacements, 'explained-sleeps': explainedSleeps },
};
