import type { Browser, Page } from 'playwright-core';
import { computedPerFrame, TRACED } from './main-thread.ts';

const ROWS = 100_000;
const SQL = `SELECT n, n * 7 AS seven, 'row ' || n AS name, n % 2 = 0 AS even, n / 3 AS third, NULL AS nothing,
  'a longer text that fills its cell ' || n AS text FROM generate_series(1, ${ROWS}) AS g(n)`;
const STEPS = 400;
/** A flick of a wheel. */
const STEP_PX = 1_200;

export interface Scrolled {
  /** From one frame to the next, in milliseconds: other programs of the machine are in it. */
  readonly frames: number[];
  /** What the page's main thread computed for each frame, in milliseconds of processor time: theirs are not. */
  readonly computed: number[];
  readonly rows: number;
}

/** Runs the query, reads all of it, and scrolls as somebody does. */
export async function scrolledFrames(browser: Browser, page: Page): Promise<Scrolled> {
  const editor = page.getByRole('textbox', { name: /^SQL/ });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(SQL);
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByRole('gridcell').first().waitFor();
  await page.getByRole('button', { name: 'Read all' }).click();
  await page.getByRole('button', { name: /^Run/ }).waitFor();
  await browser.startTracing(page, { categories: TRACED });
  const frames = await page.evaluate<number[]>(`new Promise((resolve) => {
    const grid = document.querySelector('[role=grid]');
    const jump = grid.scrollHeight / 10;
    const lengths = [];
    let before = null;
    let step = 0;
    const frame = (now) => {
      if (before !== null) lengths.push(now - before);
      before = now;
      step += 1;
      if (step > ${STEPS}) return resolve(lengths);
      // By the wheel, and now and then by the scroll bar to quite another place.
      grid.scrollTop = step % 40 === 0 ? (grid.scrollTop + jump * 3) % grid.scrollHeight : grid.scrollTop + ${STEP_PX};
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`);
  return { frames, computed: computedPerFrame(await browser.stopTracing()), rows: ROWS };
}
