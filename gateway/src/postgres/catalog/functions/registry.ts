/** All functions that statements over the catalogs may call. */
import { AGGREGATES, WINDOW_FUNCTIONS } from './aggregates.ts';
import { ARRAY_FUNCTIONS } from './arrays.ts';
import type { Implementation } from './call.ts';
import { CATALOG_FUNCTIONS } from './catalogs.ts';
import { DATE_FUNCTIONS } from './dates.ts';
import { INFORMATION_SCHEMA_FUNCTIONS } from './information-schema.ts';
import { JSON_FUNCTIONS } from './json.ts';
import { NUMBER_FUNCTIONS } from './numbers.ts';
import { PRIVILEGE_FUNCTIONS } from './privileges.ts';
import { SESSION_FUNCTIONS } from './session.ts';
import { STATISTICS_FUNCTIONS } from './statistics.ts';
import { TEXT_FUNCTIONS } from './text.ts';

export const FUNCTIONS: ReadonlyMap<string, Implementation> = new Map(
  [
    TEXT_FUNCTIONS,
    ARRAY_FUNCTIONS,
    NUMBER_FUNCTIONS,
    DATE_FUNCTIONS,
    JSON_FUNCTIONS,
    CATALOG_FUNCTIONS,
    INFORMATION_SCHEMA_FUNCTIONS,
    PRIVILEGE_FUNCTIONS,
    SESSION_FUNCTIONS,
    STATISTICS_FUNCTIONS,
    AGGREGATES,
    WINDOW_FUNCTIONS,
  ].flatMap((functions) => Object.entries(functions)),
);
