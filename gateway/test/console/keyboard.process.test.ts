/** The main task of each page by keys alone, from where one is when the page has come; each step's focus is seen. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { CHROMIUM_TIMEOUT_MS } from '../e2e/sign-in/chromium/launch.ts';
import { sharedChromium } from '../e2e/sign-in/chromium/shared.ts';
import { show } from './pictures/show.ts';
import { openSite, type Site } from './pictures/site.ts';
import { CONSOLE_STATES } from './pictures/states/all.ts';

/** No task is farther away than this. */
const TABS_MAX = 60;

interface Focused {
  readonly name: string;
  /** Whether an outline, a shadow or a caret shows where one is. */
  readonly isSeen: boolean;
}

/** Of the element that has the focus: what one reads on it, and whether it can be told from the others. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const labels = [...(element.labels ?? [])].map(({ innerText }) => innerText).join(' ');
  return {
    name: (element.ariaLabel ?? (labels || element.innerText || '')).trim(),
    // Within a date the browser itself marks the part; behind the last element is the document.
    isSeen: element.type === 'date' || element === document.body || (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' || element.isContentEditable,
  };
})()`;

async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let i = 0; i < TABS_MAX; i += 1) {
    const focused = await page.evaluate<Focused>(FOCUSED);
    if (i > 0) expect(focused.isSeen, `the focus on "${focused.name}" is not seen`).to.equal(true);
    if (name.test(focused.name)) return;
    passed.push(focused.name.split('\n')[0] ?? '');
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${name.source}; it passed ${passed.join(' | ')}`);
}

describe('by keys alone', function () {
  this.timeout(CHROMIUM_TIMEOUT_MS);
  let site: Site;
  before(async () => {
    site = await openSite(await sharedChromium(), {});
  });
  after(() => site?.close());

  const at = async (state: string): Promise<Page> => {
    const found = CONSOLE_STATES[state];
    if (found === undefined) throw new Error(`there is no state ${state}`);
    await show(site, found);
    return site.page;
  };
  const press = async (page: Page, name: RegExp, key = 'Enter'): Promise<void> => {
    await tabTo(page, name);
    await page.keyboard.press(key);
  };

  it('one writes a query, and leaves the editor by Tab', async () => {
    const page = await at('query-planned');
    await tabTo(page, /^SQL/);
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type(' LIMIT 5');
    // Tab leaves the editor: nobody is caught in it.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect((await page.evaluate<Focused>(FOCUSED)).name).to.not.match(/^SQL/);
  });

  it('one looks into the rows of a result, and downloads them', async () => {
    const page = await at('query-rows');
    await tabTo(page, /^Rows of the result/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Value' }).waitFor();
    await page.keyboard.press('Escape');
    expect((await page.evaluate<Focused>(FOCUSED)).name).to.match(/^Rows of the result/);
    await page.keyboard.press('Shift+Tab');
    expect((await page.evaluate<Focused>(FOCUSED)).name).to.match(/Download/);
    await page.keyboard.press('Enter');
    await page.getByText('for spreadsheets').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('for spreadsheets').waitFor({ state: 'detached' });
  });

  it('one closes a menu by an Escape that comes as soon as the menu does', async () => {
    const page = await at('query-rows');
    await page.evaluate(`(async () => {
      document.querySelector('[aria-label="Download the result"]').click();
      // Not one task later: only what the click itself set off.
      while (document.querySelector('.menu-panel') === null) await null;
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    })()`);
    await page.locator('.menu-panel').waitFor({ state: 'detached' });
  });

  it('one goes from a table to a query of it', async () => {
    const page = await at('tables-table');
    await press(page, /^Query this/);
    await page.getByRole('heading', { level: 1, name: 'Query' }).waitFor({ state: 'attached' });
  });

  it('one fills in the first step of the wizard', async () => {
    const page = await at('connect-first');
    for (const [field, text] of [
      [/^Schema name/, 'shop'],
      [/^Region/, 'eu-west-1'],
      [/^AWS account ID/, '111122223333'],
      [/^Table names/, 'orders'],
    ] as const) {
      await tabTo(page, field);
      await page.keyboard.type(text);
    }
    await press(page, /^Next: the role/);
    await page.getByRole('heading', { name: 'Make the role' }).waitFor();
    // Tabs are one stop; arrows go from one to the next.
    await tabTo(page, /^CloudFormation/);
    await page.keyboard.press('ArrowRight');
    await page.getByText('Add this to a configuration').waitFor();
  });

  it('one chooses a figure and reads the days as a table', async () => {
    const page = await at('usage');
    await press(page, /^Show as a table/);
    await page.getByRole('region', { name: 'Usage by day' }).waitFor();
  });

  it('one begins to make an API client, and comes back to where one was', async () => {
    const page = await at('access');
    await press(page, /^New API client/);
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^Name/);
    await page.keyboard.type('nightly-report');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await page.evaluate<Focused>(FOCUSED)).name).to.match(/New API client/);
  });

  it('one reads how to connect an agent, and revokes one', async () => {
    const page = await at('agents');
    await press(page, /^VS Code/);
    await page.getByText('.vscode/mcp.json').waitFor();
    await press(page, /^Revoke Claude Code/);
    await page.getByRole('dialog').getByText('is refused within seconds').waitFor();
  });

  it('one removes a passkey, and opens the account menu', async () => {
    const page = await at('account');
    await press(page, /^Remove the passkey/);
    await page.getByRole('dialog').getByText('It no longer signs you in').waitFor();
    await page.keyboard.press('Escape');
    await press(page, /^Account of/);
    await page.getByText('Sign out', { exact: true }).waitFor();
  });
});
