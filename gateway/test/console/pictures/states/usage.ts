import type { BudgetList } from '../../../../src/console/api/budgets.ts';
import type { UsageByPrincipal } from '../../../../src/console/api/usage.ts';
import type { DayUsage, UsageSummary } from '../../../../src/console/web/pages/usage/figures.ts';
import { addDays, dayOf, latest } from '../../../../src/console/web/pages/usage/range.ts';
import type { Answer } from '../answers.ts';
import type { States } from '../state.ts';
import { AWAY, HOSTILE, TENANT } from './session.ts';

const DAYS = 30;

/** The same days at every run. */
const wave = (i: number, most: number): number =>
  Math.round(most * (0.55 + 0.4 * Math.sin(i * 0.9) * Math.cos(i * 0.37)));

function summaryOf(scale: number): UsageSummary {
  const range = latest(DAYS, Date.now());
  const days = Array.from({ length: DAYS }, (_, i): DayUsage => {
    const isWeekend = [0, 6].includes(new Date(addDays(range.startDate, i)).getUTCDay());
    const weight = scale * (isWeekend ? 0.2 : 1);
    return {
      day: addDays(range.startDate, i),
      requests: wave(i, 1_240 * weight),
      rowsReturned: wave(i + 3, 91_000 * weight),
      ddbReadUnits: wave(i + 1, 18_400 * weight),
    };
  });
  const total = (name: 'requests' | 'rowsReturned' | 'ddbReadUnits'): number =>
    days.reduce((sum, day) => sum + day[name], 0);
  const totals = {
    requests: total('requests'),
    rowsReturned: total('rowsReturned'),
    ddbReadUnits: total('ddbReadUnits'),
  };
  return { tenantId: TENANT, ...range, totals, days };
}

const principals: UsageByPrincipal = {
  startDate: dayOf(Date.now()),
  endDate: dayOf(Date.now()),
  items: [
    { kind: 'client', id: 'c1', name: 'nightly-report', rowsReturned: 1_240_000, readUnits: 201_400.5 },
    {
      kind: 'person',
      id: 'u1',
      name: 'ada.lovelace@analytical-engines.example.com',
      rowsReturned: 4_210,
      readUnits: 41_020,
    },
    { kind: 'client', id: 'c2', name: null, rowsReturned: 10, readUnits: 12.5 },
  ],
  others: { rowsReturned: 3_100, readUnits: 8_000 },
};

const budgets: BudgetList = {
  used: { today: 1_720.5, thisMonth: 60_000 },
  items: [
    {
      clientId: null,
      clientName: null,
      unitsPerDay: 2_000,
      unitsPerMonth: 100_000,
      byOperator: null,
      used: { today: 1_720.5, thisMonth: 60_000 },
    },
    {
      clientId: 'c1',
      clientName: 'nightly-report',
      unitsPerDay: 500,
      unitsPerMonth: null,
      byOperator: null,
      used: { today: 500, thisMonth: 9_000 },
    },
  ],
};

/** Of the days asked for, where less was read in the days before these. */
const summary = (scale: number): Answer => ({
  by: (_body, { searchParams }) => {
    const [startDate, endDate] = [searchParams.get('startDate') ?? '', searchParams.get('endDate') ?? ''];
    const isNow = endDate >= dayOf(Date.now());
    const { days, ...rest } = summaryOf(isNow ? scale : scale * 0.8);
    const shown = days.filter(({ day }) => day >= startDate);
    return { data: { ...rest, days: shown, startDate, endDate } };
  },
});

const used = {
  'GET /v1/usage/summary': summary(1),
  'GET /console/api/usage/by-principal': { data: principals },
  'GET /console/api/budgets': { data: budgets },
};

export const usageStates: States = {
  usage: { path: 'usage', answers: used, shows: 'nightly-report' },
  'usage-table': {
    path: 'usage',
    answers: used,
    shows: 'nightly-report',
    act: (page) => page.getByText('Show as a table').click(),
  },
  'usage-nothing': {
    path: 'usage?days=7',
    answers: {
      'GET /v1/usage/summary': summary(0),
      'GET /console/api/usage/by-principal': {
        data: { ...principals, items: [], others: { rowsReturned: 0, readUnits: 0 } },
      },
      'GET /console/api/budgets': { data: { items: [], used: { today: 0, thisMonth: 0 } } },
    },
    shows: 'Nobody has read anything in these days.',
  },
  'usage-wrong-range': {
    path: 'usage',
    answers: used,
    shows: 'nightly-report',
    act: async (page) => {
      await page.getByLabel('From', { exact: true }).fill('2026-11-30');
      await page.getByLabel('To', { exact: true }).fill('2026-11-01');
      await page.getByRole('button', { name: 'Show', exact: true }).click();
    },
  },
  'usage-partly-failed': {
    path: 'usage',
    answers: {
      ...used,
      'GET /console/api/budgets': { status: 500, code: 'INTERNAL', message: 'Internal error' },
      'GET /console/api/usage/by-principal': {
        data: { ...principals, items: [{ ...principals.items[0], name: HOSTILE }] },
      },
    },
    shows: 'Internal error',
  },
  'usage-away': {
    path: 'usage',
    answers: { ...used, 'GET /v1/usage/summary': AWAY },
    shows: /does not answer/,
  },
};
