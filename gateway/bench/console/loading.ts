import type { Page } from 'playwright-core';

/**
 * Scripts and styles that the document names, without which nobody can write: how many, and their bytes as they are sent.
 * What follows once the browser is idle is not among them.
 */
export async function loadedBytes(
  page: Page,
  url: string,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(url);
  await page.getByRole('textbox', { name: /^SQL/ }).waitFor();
  const sizes = await page.evaluate<number[]>(
    `(() => {
      const named = [...document.querySelectorAll('script[src], link[rel=modulepreload], link[rel=stylesheet]')];
      const urls = new Set(named.map(({ src, href }) => src || href));
      const loaded = performance.getEntriesByType('resource').filter(({ name }) => urls.has(name));
      return loaded.map(({ encodedBodySize }) => encodedBodySize);
    })()`,
  );
  await session.detach();
  return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Milliseconds from when the browser asks for the document until its editor can be written in. */
export async function timeToEditor(page: Page, url: string, cache: 'cold' | 'warm'): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: cache === 'cold' });
  await page.goto('about:blank');
  await page.goto(url, { waitUntil: 'commit' });
  const ms = await page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      const editor = document.querySelector('.cm-content[contenteditable=true]');
      if (editor === null) requestAnimationFrame(look);
      else resolve(performance.now());
    };
    look();
  })`);
  await session.detach();
  return ms;
}
