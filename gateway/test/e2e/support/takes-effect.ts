import { until } from '../../../../services/common/test/support/until.ts';

/** What an owner changes takes effect in queries within this, by the contract. */
export const EFFECT_MS_MAX = 5_000;

/** Replicas answer in turn, so as many answers in a row are of all of them. */
const IN_A_ROW = 4;

/**
 * Waits until something holds at every replica.
 *
 * @throws Error where it does not within the time that the contract allows
 */
export async function takesEffect(holds: () => Promise<boolean>, what: string): Promise<void> {
  const everywhere = async (): Promise<boolean> => {
    for (let i = 0; i < IN_A_ROW; i++) if (!(await holds())) return false;
    return true;
  };
  await until(everywhere, { timeoutMs: EFFECT_MS_MAX, what });
}
