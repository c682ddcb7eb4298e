/** Read units as one types them: `2,000,000`, `12.5`; empty is no limit. */

export interface Amount {
  readonly units: number | null;
  readonly problem: string | undefined;
}

const FORM = /^\d+(?:\.\d+)?$/;

export function amountOf(text: string, unitsMax: number): Amount {
  const digits = text.replaceAll(/[\s,_]/g, '');
  if (digits === '') return { units: null, problem: undefined };
  if (!FORM.test(digits))
    return { units: null, problem: 'Must be a number of read units, or empty for no limit' };
  const units = Number(digits);
  if (units > unitsMax)
    return { units: null, problem: `Must be at most ${unitsMax.toLocaleString('en-US')}` };
  return { units, problem: undefined };
}
