import type { Dialect } from '../dialect.ts';
import type { SourceToken } from '../source/source-token.ts';
import { groupConcat, withinGroup, withRollup } from './aggregates.ts';
import { mysqlConvert, spellCasts, sqlServerConvert } from './casts.ts';
import { dateCalls } from './date-calls.ts';
import { checkGrouping } from './grouping.ts';
import { fromDual, mysqlHints, sqlServerHints } from './hints.ts';
import { intervals } from './intervals.ts';
import { checkSets, distinctSets, leftSemiJoin, minus, straightJoin } from './joins-and-sets.ts';
import { colonPaths, jsonArrows, subscripts } from './json-paths.ts';
import { assignedAliases, starExcept, textAliases } from './names.ts';
import { isNull } from './is-null.ts';
import { checkLikePatterns, regularExpressions, spellOperators } from './operators.ts';
import { checkDoubleQuotes, refuseForeign } from './refusals.ts';
import { limitPair, topToLimit } from './row-limits.ts';
import type { SyntaxRule } from './rule.ts';
import {
  apply,
  bigQueryUnnest,
  checkUnnest,
  lateralView,
  stringSplit,
  trinoUnnest,
} from './table-functions.ts';

/** In this order: what is checked is what the statement says, before anything is spelled otherwise. */
const RULES: readonly SyntaxRule[] = [
  ...[refuseForeign, checkDoubleQuotes, checkSets, checkGrouping, checkLikePatterns, checkUnnest],
  ...[mysqlHints, sqlServerHints, fromDual, topToLimit, limitPair],
  ...[apply, stringSplit, lateralView, bigQueryUnnest, trinoUnnest],
  ...[starExcept, distinctSets, minus, leftSemiJoin, straightJoin],
  ...[
    isNull,
    dateCalls,
    jsonArrows,
    colonPaths,
    subscripts,
    intervals,
    sqlServerConvert,
    mysqlConvert,
    spellCasts,
  ],
  ...[groupConcat, withinGroup, withRollup, regularExpressions, spellOperators],
  ...[textAliases, assignedAliases],
];

/** Spells all constructs of a dialect as ours. @throws NoOfferError where that can't be done */
export const rewriteTokens = (tokens: readonly SourceToken[], dialect: Dialect): readonly SourceToken[] =>
  RULES.reduce((rewritten, rule) => rule(rewritten, dialect), tokens);
