import { counted, units } from '../../components/figures.ts';
import type { ReadLimits } from '../common/schemas.ts';

/** What queries may read of a schema's tables. */
export function limitsInWords(limits: ReadLimits | undefined): string {
  const { unitsPerSecond, unitsPerQuery, tableUnitsPerSecond = {} } = limits ?? {};
  const tables = Object.keys(tableUnitsPerSecond).length;
  const parts = [
    unitsPerQuery === undefined ? null : `${units(unitsPerQuery)} read units a query`,
    unitsPerSecond === undefined ? null : `${units(unitsPerSecond)} read units a second of each table`,
    tables === 0 ? null : `another limit for ${counted(tables, 'table')}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'None but those of the tables and budgets' : parts.join(', ');
}
