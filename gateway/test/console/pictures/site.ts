/**
 * The console as it was bundled, in a browser, with answers that are written here: for pictures of states that a stack
 * can hardly be brought into. How it works against a stack is tested in e2e/console.
 */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Answers } from './answers.ts';
import { BLANK, siteServer, type Replies } from './site-server.ts';

/** Outside of the page, where the mouse is before somebody moves it. */
const NOWHERE = [-1, -1] as const;

/** How a browser shows what it is about to open. */
export interface Look {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
}

export interface Site {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser's console complained about. */
  readonly complaints: readonly string[];
  /** Loads a page as a browser meets it for the first time: of what was shown before, nothing is left. */
  open(path: string, answers: Answers, look?: Look): Promise<void>;
  close(): Promise<void>;
}

/** A browser of its own, with the console at any path. One after the other may be opened in it. */
export async function openSite(browser: Browser, settings: BrowserContextOptions): Promise<Site> {
  const server = await siteServer();
  const complaints: string[] = [];
  const replies: Replies = { complain: (complaint) => complaints.push(complaint), answers: {} };
  const context = await browser.newContext({ ...settings, extraHTTPHeaders: server.headersOf(replies) });
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text());
  });
  return {
    page,
    context,
    complaints,
    open: async (path, answers, { viewport, colorScheme } = {}) => {
      // A page of the same origin, so that its process goes on: the next state finds its scripts compiled.
      await page.goto(`${server.origin}${BLANK}`);
      await page.evaluate('localStorage.clear(); sessionStorage.clear()');
      await page.mouse.move(...NOWHERE);
      if (viewport !== undefined) await page.setViewportSize(viewport);
      if (colorScheme !== undefined) await page.emulateMedia({ colorScheme });
      replies.answers = answers;
      await page.goto(`${server.origin}/console/${path}`);
    },
    close: () => context.close(),
  };
}
