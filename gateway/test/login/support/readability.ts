import type { Page } from 'playwright-core';

/**
 * In the page: contrast by WCAG 2.2, of text (1.4.3: 4.5), of field borders and of the accent that focus rings are drawn
 * in (1.4.11: 3). Backgrounds here are opaque, so the nearest one that is not transparent is what text stands on.
 */
const SCRIPT = `(() => {
  const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [r, g, b] = parse(color).slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const isClear = (color) => parse(color)[3] === 0;
  const behind = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (!isClear(color)) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const problems = [];
  const demand = (ratio, least, what) => {
    if (ratio < least) problems.push(what + ': ' + ratio.toFixed(2));
  };
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    if (hasText) demand(contrast(style.color, behind(element)), 4.5, element.textContent.trim().slice(0, 40));
    if (element.matches('input:not([type=hidden])')) {
      demand(contrast(style.borderTopColor, behind(element.parentElement)), 3, 'the border of ' + element.id);
    }
  }
  const root = getComputedStyle(document.documentElement);
  const probe = document.createElement('i');
  document.body.append(probe);
  const resolved = (name) => {
    probe.style.color = root.getPropertyValue(name);
    return getComputedStyle(probe).color;
  };
  demand(contrast(resolved('--accent'), resolved('--card')), 3, 'the focus ring');
  return problems;
})()`;

/** What is too faint on the page, with its contrast. */
export function checkReadability(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(SCRIPT);
}
