/** The keyboard as people use it who have no mouse. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Tabs to the element with this name; fails if it cannot be reached. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  for (let steps = 0; steps < 40; steps++) {
    await page.keyboard.press('Tab');
    const { text, hasRing } = (await page.evaluate(`(() => {
      const at = document.activeElement;
      const label = at.labels?.[0]?.textContent ?? at.textContent;
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      return {
        text: label.trim(),
        hasRing: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
      };
    })()`)) as { text: string; hasRing: boolean };
    expect(hasRing, `a ring around "${text}"`).toBe(true);
    if (text === name) return;
    seen.push(text);
  }
  throw new Error(`"${name}" is not among ${seen.join(', ')}`);
}
