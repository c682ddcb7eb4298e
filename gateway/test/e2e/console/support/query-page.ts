/** The Query page as somebody uses it, by keyboard and mouse. */
import type { Locator, Page } from 'playwright-core';

export interface QueryPage {
  readonly page: Page;
  readonly editor: Locator;
  readonly grid: Locator;
  /** Rows, time and units below the grid. */
  readonly footer: Locator;
  /** Goes there, and waits until one can type. */
  open(): Promise<void>;
  /** Replaces what is written. */
  write(sql: string): Promise<void>;
  /** What the editor holds. */
  text(): Promise<string>;
  /** By its keys. */
  run(): Promise<void>;
  /** The texts of a row's cells that are drawn. */
  cells(row: number): Promise<readonly string[]>;
  /** Waits until the run is over, and gives the footer's words. */
  ended(): Promise<string>;
  /** Waits until the estimate says how many units. */
  estimated(): Promise<void>;
  /** Waits until it says that, or what is wrong. */
  estimateSaid(): Promise<void>;
}

export function queryPage(page: Page, baseUrl: string): QueryPage {
  const editor = page.getByRole('textbox', { name: /^SQL/ });
  const grid = page.getByRole('grid');
  const footer = page.locator('.run-footer');
  return {
    page,
    editor,
    grid,
    footer,
    async open() {
      await page.goto(`${baseUrl}/console/query`);
      await editor.waitFor();
    },
    async write(sql) {
      // Not by a click: what is offered for completion may lie over the text.
      await editor.focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(sql);
    },
    text: async () => (await editor.locator('.cm-line').allInnerTexts()).join('\n'),
    run: () => page.keyboard.press('ControlOrMeta+Enter'),
    cells: async (row) => grid.locator(`[data-row="${row}"]`).allInnerTexts(),
    async ended() {
      await footer.waitFor();
      await page.getByRole('button', { name: /^Run/ }).waitFor();
      return footer.innerText();
    },
    estimateSaid: () =>
      page
        .getByRole('status', { name: 'Estimated cost' })
        .getByText(/\d units?\b|marked place/)
        .waitFor(),
    estimated: () =>
      page
        .getByRole('status', { name: 'Estimated cost' })
        .getByText(/\d units?\b/)
        .waitFor(),
  };
}
